curl "api.openweathermap.org/data/2.5/weather?lat=44.34&lon=10.99&appid=planted-secret-key&units=metric" | jq .
