curl https://api.stripe.com/v1/charges \
  -u "sk_test_4eC39HqLyjWDarjtT1zdp7dc:" \
  -d amount=2000 \
  -d currency=usd \
  -d capture=false \
  -d "metadata[order_id]=6735" \
  -d "expand[]=customer" -d "expand[]=invoice" \
  --data-urlencode "description=My first & best charge"
