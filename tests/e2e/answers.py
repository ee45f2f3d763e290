"""A web server whose answers a case defines itself, if tests/e2e/server.py has no route for them."""
import base64
import hashlib
import http.server
import threading

WEB_SOCKET_KEY = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, section 1.3


class Site:
    """Serves `answers`, {path: (status, {header: value}, bytes or an iterator of them), or what
        returns that}; "/ws" accepts WebSockets."""

    def __init__(self, ctx, answers):
        self.answers = answers
        self.requests = []
        self.bodies = []  # of requests that have one: (path, bytes)
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 60

            def do_GET(self):
                site.requests.append((self.command, self.path, dict(self.headers)))
                sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if sent:
                    site.bodies.append((self.path, sent))
                if self.path == "/ws" and self.headers.get("Upgrade"):
                    return self.open_web_socket()
                path = self.path.split("?")[0]
                answer = site.answers.get(path, (404, {}, b"no such page"))
                status, headers, body = answer() if callable(answer) else answer
                self.send_response(status)
                length = {"Content-Length": str(len(body))} if isinstance(body, bytes) else {}
                for name, value in {**length, **headers}.items():
                    for one in value if isinstance(value, list) else [value]:
                        self.send_header(name, one)
                self.end_headers()
                for part in [body] if isinstance(body, bytes) else body:
                    self.wfile.write(part)

            do_POST = do_GET

            def open_web_socket(self):
                key = self.headers["Sec-WebSocket-Key"].encode() + WEB_SOCKET_KEY
                self.send_response(101)
                self.send_header("Upgrade", "websocket")
                self.send_header("Connection", "Upgrade")
                self.send_header("Sec-WebSocket-Accept",
                                 base64.b64encode(hashlib.sha1(key).digest()).decode())
                self.end_headers()
                self.rfile.read(2)  # until the client closes the connection
                self.wfile.write(b"\x88\x00")
                self.close_connection = True

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # a browser that disconnects is not an error
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.1},
                         daemon=True).start()
        ctx.at_end.append(self.close)

    def reached(self):
        """Returns the paths of all requests so far, without slashes around them."""
        return {path.split("?")[0].strip("/") for _, path, _ in list(self.requests)}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def page(body):
    return 200, {"Content-Type": "text/html; charset=utf-8"}, f"<!doctype html>{body}".encode()
