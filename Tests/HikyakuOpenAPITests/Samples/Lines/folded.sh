API_KEY=planted-secret /usr/bin/curl --location --request GET "https://reports.example/rest/v2.1/reports/dQw4w9WgXcQ/rows/2026-11-21?from=2026-01-01T00:00:00Z&ids=1&ids=2&ratio=0.5&token=planted-secret&empty=&flag&version=1.10" \
  --header 'X-Tenant: planted-secret-tenant' \
  --header "Cookie: a=planted-secret" \
  -A 'Mozilla' -e 'https://a.example' -o out.json --limit-rate 1M 2>/dev/null
