curl -I https://cdn.example.com/files/report.pdf -H 'If-None-Match: "abc"'
