curl --request POST 'https://api.graph.example/graphql' --header 'Authorization: token planted-secret' --json '{
  "query": "query($n: Int!) { viewer { repositories(first: $n) { nodes { name } } } }",
  "variables": {"n": 3}
}'
