"""A TLS server for tests: HTTP/1.1 that reports what it received, or HTTP/2 that answers by script.

The first argument is JSON: a list of listeners, each {"certificate", "key"} and, where wanted:
"minimum", "maximum": TLS versions;
"clients": the authority of client certificates;
"alpn": a list;
"delays": seconds before each connection's handshake, or less than 0 to close it; the last stays;
"script": what to do with one request after the other; the last stays;
"settings": pairs that an HTTP/2 listener sends;
"isEager": whether it sends them together with the end of the handshake;
"seed": of what "random" chooses;
"reportsOf": the number of the listener whose "closed" and "farewells" are reported.
The ports are printed as one line of JSON. It ends with its standard input.
"""
import json
import os
import random
import select
import socket
import ssl
import struct
import sys
import threading
import time

HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION, DATA = 1, 3, 4, 6, 7, 8, 9, 0
END_STREAM, END_HEADERS, ACK = 1, 4, 1
FAULTS = ["refuse", "internal", "resetBody", "resetEmpty", "goaway", "answerAndGoaway", "close", "answerAndClose",
          "cut", "stall", "begin", "disown"]
ERRORS = {"internal": 2, "refuse": 7, "http11": 13}


class Listener:
    def __init__(self, options):
        self.options = options
        self.connections = 0
        self.requests = 0
        self.closed = 0
        self.farewells = 0
        self.random = random.Random(options.get("seed"))
        self.lock = threading.Lock()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.set_ciphers("DEFAULT:@SECLEVEL=0")
        self.context.load_cert_chain(options["certificate"], options["key"])
        versions = {"1.1": ssl.TLSVersion.TLSv1_1, "1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}
        if "minimum" in options:
            self.context.minimum_version = versions[options["minimum"]]
        if "maximum" in options:
            self.context.maximum_version = versions[options["maximum"]]
        if "clients" in options:
            self.context.verify_mode = ssl.CERT_REQUIRED
            self.context.load_verify_locations(options["clients"])
        elif "mayShow" in options:
            self.context.verify_mode = ssl.CERT_OPTIONAL
            self.context.load_verify_locations(options["mayShow"])
        self.context.set_alpn_protocols(options.get("alpn", ["http/1.1"]))
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.socket.getsockname()[1]

    def run(self):
        while True:
            raw, _ = self.socket.accept()
            with self.lock:
                self.connections += 1
                number = self.connections
            threading.Thread(target=self.serve, args=(raw, number), daemon=True).start()

    def serve(self, raw, number):
        raw.settimeout(60)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            delays = self.options.get("delays", [0])
            if delays[min(number, len(delays)) - 1] < 0:
                return
            if self.waits(raw, delays[min(number, len(delays)) - 1]):
                return
            with self.context.wrap_socket(raw, server_side=True, do_handshake_on_connect=False) as secure:
                try:
                    if self.options.get("isEager"):
                        secure.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
                    secure.do_handshake()
                except OSError:
                    return self.hang_up(secure)
                if secure.selected_alpn_protocol() == "h2":
                    Streams(self, secure, number).run()
                else:
                    self.serve_requests(secure, number)
                self.hang_up(secure)
        except (OSError, EOFError):
            pass
        finally:
            raw.close()
            with self.lock:
                self.closed += 1

    @staticmethod
    def waits(raw, seconds):
        """Waits before the handshake; true when the client closed the connection meanwhile."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([raw], [], [], left)[0] and raw.recv(65536, socket.MSG_PEEK) == b"":
                return True
            time.sleep(min(left, 0.01))
        return False

    def hang_up(self, secure):
        """Ends a connection so that what was sent arrives: closed with bytes unread, it would be reset."""
        secure.shutdown(socket.SHUT_WR)
        secure.settimeout(10)
        while secure.recv(65536):
            pass

    def next_action(self):
        script = self.options.get("script", ["answer"])
        with self.lock:
            self.requests += 1
            action = script[min(self.requests, len(script)) - 1]
            return self.random.choice(["answer"] * 60 + FAULTS) if action == "random" else action

    def report(self, secure, number, **more):
        client = secure.getpeercert() or {}
        names = dict(pair for part in client.get("subject", ()) for pair in part)
        watched = listeners[self.options["reportsOf"]] if "reportsOf" in self.options else self
        report = {"connection": number, "requests": self.requests, "version": secure.version(),
                  "resumed": secure.session_reused,
                  "client": names.get("commonName"),
                  "closed": watched.closed, "farewells": watched.farewells, **more}
        return json.dumps(report).encode()

    def serve_requests(self, secure, number):
        file = secure.makefile("rb")
        while line := file.readline():
            headers = []
            while (field := file.readline().strip()):
                name, _, value = field.decode().partition(":")
                headers.append([name, value.strip()])
            length = sum(int(value) for name, value in headers if name.lower() == "content-length")
            body = file.read(length)
            action = self.next_action()
            if action == "die":
                return
            if action in ("cut", "end"):
                # A body that ends with the connection.
                secure.sendall(b"HTTP/1.1 200 OK\r\n\r\nbody")
                return secure.unwrap() if action == "end" else None
            if action == "slow":
                time.sleep(1)
            report = self.report(secure, number, request=line.decode().strip(), headers=headers, body=body.decode())
            if action in ("excess", "farewell"):
                # What follows goes out in the same segment.
                secure.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
            secure.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(report), report))
            if action == "excess":
                secure.sendall(b"more")
            elif action == "farewell":
                self.say_farewell(secure)
            secure.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 0)
            if action == "close":
                return

    @staticmethod
    def say_farewell(secure):
        """Sends close_notify, and doesn't wait for the client's."""
        secure.settimeout(0)
        try:
            secure.unwrap()
        except ssl.SSLWantReadError:
            pass
        secure.settimeout(60)


class Streams:
    """One connection that speaks HTTP/2, without reading the requests' fields."""

    def __init__(self, listener, secure, number):
        self.listener = listener
        self.secure = secure
        self.number = number
        self.actions = {}
        self.bodies = {}
        self.gathered = []
        self.last = 2**31

    def greet(self):
        self.set(*self.listener.options.get("settings", []))

    def run(self):
        if self.listener.options.get("isEager"):
            self.greet()
            self.secure.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 0)
        if len(self.read(24)) != 24:
            return
        if not self.listener.options.get("isEager"):
            self.greet()
        while True:
            if self.gathered:
                self.answer_gathered()
            head = self.read(9)
            length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
            stream = int.from_bytes(head[5:], "big") & 0x7FFFFFFF
            payload = self.read(length)
            if kind == SETTINGS and not flags & ACK:
                self.send(SETTINGS, ACK, 0, b"")
            elif kind == PING and not flags & ACK:
                self.send(PING, ACK, 0, payload)
            elif kind == GOAWAY:
                self.listener.farewells += 1
            elif stream > self.last:
                # GOAWAY has said that it isn't read.
                continue
            elif kind == HEADERS:
                self.actions[stream] = self.listener.next_action()
                if self.actions[stream] == "deaf":
                    # Nothing more is read.
                    threading.Event().wait()
                self.bodies[stream] = bytearray()
                if not self.meet(stream):
                    return
            elif kind == DATA:
                self.bodies.setdefault(stream, bytearray()).extend(payload)
                if payload:
                    # Of a stream that has its answer, nothing more is taken.
                    for number in (0, stream) if stream in self.actions else (0,):
                        self.send(WINDOW_UPDATE, 0, number, struct.pack(">I", len(payload)))
            if kind in (HEADERS, DATA) and flags & END_STREAM and stream in self.actions and not self.act(stream):
                return

    def meet(self, stream):
        """What is to be done before the body of a request is read; false when the connection is to be closed."""
        action = self.actions[stream]
        if action.startswith("early"):
            del self.actions[stream]
            self.answer(stream)
            if action == "earlyReset":
                self.send(RST_STREAM, 0, stream, struct.pack(">I", 0))
            return action != "earlyClose"
        if action == "leaveWith":
            self.leave(stream)
        elif action == "leaveWithout":
            self.leave(max(stream - 2, 0))
        elif action == "narrow":
            self.set((4, 100))
        elif action == "pause":
            # A window that is closed, below what is used of it already, and opened again.
            self.set((4, 0))
            time.sleep(0.2)
            self.set((4, 65_535))
        elif action == "fewer":
            self.set((3, 1))
        elif action == "none":
            self.set((3, 0))
            time.sleep(0.1)
            self.set((3, 1))
        return True

    def set(self, *pairs):
        self.send(SETTINGS, 0, 0, b"".join(struct.pack(">HI", *pair) for pair in pairs))

    def act(self, stream):
        """What is to be done with a request; false when the connection is to be closed."""
        action = self.actions.pop(stream)
        if action == "close":
            return False
        if action == "gather":
            self.gathered.append(stream)
            return True
        if action.startswith("raw "):
            # Bytes as they are, for a stream that the one who wrote them knows.
            self.secure.sendall(bytes.fromhex(action[4:]))
        elif action == "hugeHead":
            self.send(HEADERS, 0, stream, b"\x88")
            for _ in range(17):
                # The field "a", with a value of 16,240 bytes.
                self.send(CONTINUATION, 0, stream, b"\x00\x01a\x7f\xf1\x7d" + b"b" * 16240)
            self.send(CONTINUATION, END_HEADERS, stream, b"")
        elif action == "informational":
            for _ in range(1000):
                self.send(HEADERS, END_HEADERS, stream, b"\x08\x03103")
            self.answer(stream)
        elif action == "lastWords":
            # A question, then a large answer to each stream that stalls, and the end before this one.
            self.send(PING, 0, 0, b"question")
            del self.bodies[stream]
            for other in self.bodies:
                self.send(HEADERS, END_HEADERS, other, b"\x88")
                for number in range(4):
                    self.send(DATA, END_STREAM if number == 3 else 0, other, b"w" * 14_000)
            self.leave(stream - 2)
            return False
        elif action == "begin":
            self.answer(stream, announced=1000, ends=False)
        elif action == "answerAndClose":
            self.answer(stream)
            return False
        elif action == "goaway":
            # The stream isn't among those that were taken.
            self.leave(max(stream - 2, 0))
        elif action == "disown":
            # The stream has a part of its answer.
            self.answer(stream, announced=1000, ends=False)
            self.leave(max(stream - 2, 0))
        elif action == "revoke":
            # A limit that comes after the request was sent.
            self.set((3, 0))
            self.send(RST_STREAM, 0, stream, struct.pack(">I", ERRORS["refuse"]))
        elif action in ERRORS:
            self.send(RST_STREAM, 0, stream, struct.pack(">I", ERRORS[action]))
        elif action == "cut":
            self.answer(stream, announced=1000, ends=False)
            return False
        elif action == "resetBody":
            self.answer(stream, announced=1000, ends=False)
            self.send(RST_STREAM, 0, stream, struct.pack(">I", 2))
        elif action in ("resetQuietly", "resetEmpty"):
            # No length, and an end that no END_STREAM says.
            self.send(HEADERS, END_HEADERS, stream, b"\x88")
            if action == "resetQuietly":
                self.send(DATA, 0, stream, b"half")
            self.send(RST_STREAM, 0, stream, struct.pack(">I", 0))
        elif action != "stall":
            if action == "lastAnswer":
                self.leave(stream)
            self.answer(stream)
            if action == "answerAndGoaway":
                self.leave(stream)
        return True

    def answer_gathered(self):
        """Answers when nothing was received for a while, and reports how many are answered at once."""
        if self.secure.pending() or select.select([self.secure], [], [], 0.3)[0]:
            return
        gathered, self.gathered = self.gathered, []
        for stream in gathered:
            self.answer(stream, atOnce=len(gathered))

    def leave(self, last):
        """Takes no more streams than up to that one."""
        self.last = last
        self.send(GOAWAY, 0, 0, struct.pack(">II", last, 0))

    def answer(self, stream, announced=None, ends=True, **more):
        body = self.bodies.pop(stream, bytearray())
        # Of a large one, its length.
        body = body.decode() if len(body) < 10_000 else str(len(body))
        report = self.listener.report(self.secure, self.number, stream=stream, body=body, **more)
        length = str(announced or len(report)).encode()
        # ":status: 200" of the static table, and "content-length" of it with a literal value.
        self.send(HEADERS, END_HEADERS, stream, b"\x88\x0f\x0d" + bytes([len(length)]) + length)
        self.send(DATA, END_STREAM if ends else 0, stream, report)

    def send(self, kind, flags, stream, payload):
        head = len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big")
        self.secure.sendall(head + payload)

    def read(self, count):
        data = b""
        while len(data) < count:
            piece = self.secure.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data


listeners = [Listener(options) for options in json.loads(sys.argv[1])]
for each in listeners:
    threading.Thread(target=each.run, daemon=True).start()
print(json.dumps([each.port for each in listeners]), flush=True)
sys.stdin.read()
os._exit(0)
