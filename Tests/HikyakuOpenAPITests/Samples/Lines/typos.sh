curl --heder 'A: b' --reqest POST --data=x=1 -j https://typos.example/items -Q quote
