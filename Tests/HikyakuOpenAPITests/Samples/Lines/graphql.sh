curl --request POST 'https://api.github.com/graphql' --header 'Authorization: token planted-secret' --json '{
  "query": "query($n: Int!) { viewer { repositories(first: $n) { nodes { name } } } }",
  "variables": {"n": 3}
}'
