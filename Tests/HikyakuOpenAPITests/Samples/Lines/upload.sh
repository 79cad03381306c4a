curl -T backup.tar.gz 'https://files.example/backups/2026-11-21/backup.tar.gz' -u admin:planted-secret --http2 --retry 3
