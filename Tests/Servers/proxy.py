"""An HTTP proxy for tests, which records its requests.

The first argument is JSON: "log" (the file to write each request's head to, one JSON text in a line) and, where wanted,
"credentials" ("name:password" of the scheme Basic), "status" (to reject every request with), "certificate" and "key"
(to be spoken to over TLS), "closes" (to hang up without an answer). The port is printed. It ends with its standard
input.
"""
import base64
import json
import os
import socket
import ssl
import sys
import threading
import urllib.parse

options = json.loads(sys.argv[1])
log = open(options["log"], "a", buffering=1)
log_lock = threading.Lock()


def pump(source, target):
    try:
        while piece := source.recv(65536):
            target.sendall(piece)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def connect(host, port):
    return socket.create_connection((host.strip("[]"), int(port)), timeout=30)


def refusal(headers):
    if "status" in options:
        return b"HTTP/1.1 %d Refused\r\nX-Proxy: 1\r\nContent-Length: 2\r\n\r\nno" % options["status"]
    if "credentials" in options:
        expected = "Basic " + base64.b64encode(options["credentials"].encode()).decode()
        if headers.get("proxy-authorization") != expected:
            return (b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"p\"\r\n"
                    b"Content-Length: 2\r\n\r\nno")
    return None


def serve(client):
    try:
        if "certificate" in options:
            client = context.wrap_socket(client, server_side=True)
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            piece = client.recv(1)
            if not piece:
                return
            head += piece
        lines = head.decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}
        with log_lock:
            log.write(json.dumps({"request": lines[0], "headers": headers}) + "\n")
        if options.get("closes"):
            return client.close()
        if answer := refusal(headers):
            client.sendall(answer)
            return client.close()
        method, target, _ = lines[0].split(" ")
        if method == "CONNECT":
            server = connect(*target.rsplit(":", 1))
            client.sendall(b"HTTP/1.1 200 Connection established\r\nX-Proxy: 1\r\n\r\n")
        else:
            url = urllib.parse.urlsplit(target)
            server = connect(url.hostname, url.port or 80)
            kept = [line for line in lines[1:] if line and not line.lower().startswith("proxy-")]
            first = f"{method} {url.path or '/'} HTTP/1.1"
            server.sendall("\r\n".join([first, *kept, "Connection: close", "", ""]).encode())
        threading.Thread(target=pump, args=(server, client), daemon=True).start()
        pump(client, server)
    except OSError:
        client.close()


if "certificate" in options:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options["certificate"], options["key"])
listener = socket.create_server(("127.0.0.1", 0), backlog=128)


def accept():
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
print(listener.getsockname()[1], flush=True)
sys.stdin.read()
os._exit(0)
