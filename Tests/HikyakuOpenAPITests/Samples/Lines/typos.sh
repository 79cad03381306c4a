curl --heder 'A: b' --reqest POST --data=x=1 -j https://api.example.com/items -Q quote
