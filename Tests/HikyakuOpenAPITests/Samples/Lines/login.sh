curl https://login.example/oauth/token -d 'grant_type=client_credentials&client_id=app&client_secret=planted-secret&scope=read%20write'
