curl -X POST https://photos.example/v1/photos -H 'X-API-Key: planted-secret-key' \
  -F 'title=Summer' -F rating=5 -F 'photo=@photo.jpg;type=image/jpeg' -F tags=a -F tags=b \
  -F 'meta={"width":4000,"taken_at":"2026-07-01T12:00:00Z"};type=application/json'
