$ curl -sS -XDELETE --max-time 10 -k "https://teams.example/v3/teams/{team_id}/members/42" -H "PRIVATE-TOKEN: $TOKEN"
