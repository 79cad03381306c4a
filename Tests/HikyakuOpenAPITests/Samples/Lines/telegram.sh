curl -s 'https://api.telegram.org/bot123456789:planted-secret-AAExx/sendMessage' -d '{"chat_id":4294967296,"text":"hi","disable_notification":true}'
