curl -G https://search.example/v1/search --data-urlencode "q=hello world" -d limit=10 -d exact=true -H "Accept: application/xml"
