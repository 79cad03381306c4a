curl https://api.example.com/notes -H 'Content-Type: text/markdown' --data-binary '# Title'
