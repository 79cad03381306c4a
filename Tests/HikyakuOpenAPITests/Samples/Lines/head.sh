curl -I https://cdn.example/files/report.pdf -H 'If-None-Match: "abc"'
