curl https://notes.example/notes -H 'Content-Type: text/markdown' --data-binary '# Title'
