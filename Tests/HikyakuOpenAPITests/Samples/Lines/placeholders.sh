curl -L -X PATCH https://api.trackers.example/repos/OWNER/REPO/comments/COMMENT_ID \
  -H Authorization: Bearer planted-token \
  -H Accept: application/json \
  -d '{"body":"planted"}'
