#!/usr/bin/python3
"""A web server on the loopback for tests and for trying things out.

It serves fixtures/pages and, beside them, routes that behave in ways a file cannot:

    /api/items[?ms=400]      JSON for the single-page application, late by ms
    /status/CODE             any status; 404 and 500 have bodies of their own
    /redirect/N              N redirects, then /redirected
    /redirect-loop           redirects for ever
    /redirect-to?url=URL     redirects there, whatever its scheme
    /hang                    takes the request and never answers
    /never-load              a page with an image that never ends
    /slow?ms=N               half of the page at once, the other half after N ms
    /slow?ms=N&headers=1     nothing at all for N ms
    /drop                    closes the connection in the middle of the body
    /reset                   resets the connection before any answer
    /flaky?name=X&fails=N    fails N times, then a page; with &how=garbled (or hang, reset, a status);
                             &works=N instead: a page N times, then it fails
    /count?name=X[&ms=N]     counts at once, answers after N ms; /counts has all numbers as JSON
    /requests                every request so far, as JSON, with the second at which it came
    /cookie?name=X&value=Y   sets a cookie of the session that no script can see
    /login[/...]             asks for a login (HTTP basic), takes user and pass
    /echo                    what was sent, as a page (or JSON with ?json=1)
    /download/report.csv     an attachment; with ?size=N of N bytes, &ms=N its second half late,
                             &drop=1 without its second half
    /shop/order              POST: takes an order, answers with the confirmation page
    /spa/...                 the single-page application, whatever the path
    /e2e/...                 pages for tests alone, tests/e2e/pages
    /snapshot/...            pages of many kinds for snapshots, fixtures/snapshot
    /npm/...                 files of the widget libraries, tests/widgets/node_modules
    /widgets/...             pages with those widgets, tests/widgets/pages
    /operated?name=X&how=Y   notes that somebody did Y with X; /operated-so-far has all, as [X, Y]
    /case/...                files of --case-dir

It takes a free port unless told, prints its URL as one line when it is ready, and ends when its
standard input closes or on SIGTERM. Nothing it sends may be cached.
"""
import argparse
import html
import http.server
import json
import mimetypes
import os
import pathlib
import signal
import socket
import struct
import sys
import threading
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
PAGES = HERE.parents[1] / "fixtures" / "pages"
WIDGETS = HERE.parent / "widgets"
SNAPSHOT = HERE.parents[1] / "fixtures" / "snapshot"
ITEMS = [
    {"id": 1, "name": "Lighthouse at Cape Wrath", "kind": "light", "year": 1828},
    {"id": 2, "name": "Fog horn of Sumburgh", "kind": "sound", "year": 1906},
    {"id": 3, "name": "Bell buoy off Inchcape", "kind": "sound", "year": 1811},
    {"id": 4, "name": "Leading lights of Buckie", "kind": "light", "year": 1878},
    {"id": 5, "name": "Beacon on Skervuile", "kind": "light", "year": 1865},
    {"id": 6, "name": "Tide gauge at Wick", "kind": "gauge", "year": 1964},
]

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{title}</title><link rel="icon" href="data:,">
<style>body{{font:18px/1.5 "Liberation Sans",Arial,sans-serif;max-width:720px;margin:80px auto;color:#1d2a33}}
table{{border-collapse:collapse}}td,th{{border:1px solid #b8c5cb;padding:4px 12px;text-align:left}}</style></head>
<body>{body}</body>
</html>
"""


def page(title, body):
    return PAGE.format(title=html.escape(title), body=body).encode()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port, pages, case_dir):
        super().__init__(("127.0.0.1", port), Handler)
        self.pages = pages
        self.case_dir = case_dir
        self.lock = threading.Lock()
        self.counts = {}
        self.requests = []
        self.operated = []
        self.orders = 1000
        self.ending = threading.Event()

    def handle_error(self, request, client_address):
        """A browser that disconnects during an answer is not an error."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def count(self, name):
        with self.lock:
            self.counts[name] = self.counts.get(name, 0) + 1
            return self.counts[name]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 120

    # Handles every request.

    def do_GET(self):
        self.route(b"")

    def do_HEAD(self):
        self.route(b"")

    def do_POST(self):
        self.route(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def log_message(self, *_):
        pass

    def route(self, body):
        url = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        self.path_only = urllib.parse.unquote(url.path)
        self.body = body
        with self.server.lock:
            self.server.requests.append(
                {"method": self.command, "path": self.path, "at": time.monotonic()})
        name, _, rest = self.path_only.lstrip("/").partition("/")
        special = ROUTES.get((self.command, self.path_only)) or ROUTES.get(("*", name))
        if special:
            special(self, rest)
        else:
            self.serve_file()

    def number(self, name, fallback):
        try:
            return int(self.query.get(name, ""))
        except ValueError:
            return fallback

    def head(self, status, content_type, length, headers=()):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Cache-Control", "no-store")
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def answer(self, content, content_type="text/html; charset=utf-8", status=200, headers=()):
        self.head(status, content_type, len(content), headers)
        if self.command != "HEAD":
            self.wfile.write(content)

    def answer_json(self, value):
        self.answer(json.dumps(value).encode(), "application/json")

    def redirect(self, location, status=302):
        self.answer(b"", status=status, headers=[("Location", location)])

    def wait(self, ms):
        self.server.ending.wait(ms / 1000)

    def wait_for_ever(self):
        """Holds the connection until the other side closes it or the server ends."""
        self.close_connection = True
        self.connection.settimeout(0.5)
        while not self.server.ending.is_set():
            try:
                if not self.connection.recv(4096):
                    return
            except TimeoutError:
                pass
            except OSError:
                return

    # Files.

    def serve_file(self):
        root, path = self.server.pages, self.path_only
        if path.startswith("/case/") and self.server.case_dir:
            root, path = self.server.case_dir, path[len("/case"):]
        elif path.startswith("/e2e/"):
            root, path = HERE / "pages", path[len("/e2e"):]
        elif path.startswith("/snapshot/"):
            root, path = SNAPSHOT, path[len("/snapshot"):]
        elif path.startswith("/npm/"):
            root, path = WIDGETS / "node_modules", path[len("/npm"):]
        elif path.startswith("/widgets/"):
            root, path = WIDGETS / "pages", path[len("/widgets"):]
        file = (root / path.lstrip("/")).resolve()
        if file.is_dir():
            if not self.path_only.endswith("/"):
                return self.redirect(self.path_only + "/", 301)
            file = file / "index.html"
        if not file.is_relative_to(root.resolve()) or not file.is_file():
            return self.status("404")
        content_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        if content_type.startswith("text/") or content_type.endswith("javascript"):
            content_type += "; charset=utf-8"
        self.answer(file.read_bytes(), content_type)

    # Routes.

    def items(self, _):
        self.wait(self.number("ms", 400))
        self.answer_json({"items": ITEMS})

    def status(self, rest):
        code = int(rest) if rest.isdigit() and 200 <= int(rest) <= 599 else 404
        file = self.server.pages / "traps" / f"{code}.html"
        content = file.read_bytes() if file.is_file() else page(
            f"Status {code}", f"<h1>Status {code}</h1><p>{html.escape(self.path_only)}</p>")
        self.answer(b"" if code in (204, 304) else content, status=code)

    def redirects(self, rest):
        left = int(rest) if rest.isdigit() else 1
        self.redirect(f"/redirect/{left - 1}" if left > 1 else "/redirected")

    def redirected(self, _):
        self.answer(page("Redirected", "<h1>Redirected</h1><p>The end of the chain.</p>"))

    def redirect_loop(self, _):
        self.redirect("/redirect-loop?n=%d" % (self.number("n", 0) + 1))

    def redirect_to(self, _):
        self.redirect(self.query.get("url", "/"))

    def hang(self, _):
        self.wait_for_ever()

    def never_load(self, _):
        self.answer(page("Never loads", '<h1>Never loads</h1><p>The picture below never ends.</p>'
                         '<button id="go" onclick="this.textContent=\'clicked\'">Go</button> '
                         '<img src="/endless.png" alt="A picture that never ends">'))

    def endless(self, _):
        self.head(200, "image/png", None, [("Connection", "close")])
        self.wfile.write(b"\x89PNG\r\n\x1a\n")
        self.wfile.flush()
        self.wait_for_ever()

    def slow(self, _):
        first = page("Slow", "<h1>Slow</h1><p>The first half came at once.</p>@").split(b"@")
        second = b'<p id="late">The second half came late.</p>' + first[1]
        if self.query.get("headers"):
            self.wait(self.number("ms", 1000))
        self.head(200, "text/html; charset=utf-8", len(first[0]) + len(second))
        self.wfile.write(first[0])
        self.wfile.flush()
        if not self.query.get("headers"):
            self.wait(self.number("ms", 1000))
        self.wfile.write(second)

    def drop(self, _):
        self.close_connection = True
        content = page("Dropped", "<h1>Dropped</h1>" + "<p>Half of a page.</p>" * 40)
        self.head(200, "text/html; charset=utf-8", 2 * len(content))
        self.wfile.write(content[:-20])

    def reset(self, _):
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # close() with a linger of 0 sends RST; the request's files must not keep the socket open.
        self.rfile.close()
        self.connection.close()

    def flaky(self, _):
        count = self.server.count(self.query.get("name", "flaky"))
        works = "works" in self.query
        if (count <= self.number("works", 1)) if works else (count > self.number("fails", 1)):
            self.answer(page("Works", f"<h1>Works</h1><p>At request {count}.</p>"))
        else:
            failures = {"garbled": self.garbled, "hang": self.hang, "reset": self.reset}
            how = self.query.get("how", "garbled")
            failures.get(how, lambda _: self.status(how))("")

    def garbled(self, _):
        """A failure after which Chrome does not retry by itself, as it does after a reset."""
        self.answer(b"", headers=[("Content-Length", "7")])

    def count(self, _):
        count = self.server.count(self.query.get("name", ""))
        self.wait(self.number("ms", 0))
        self.answer_json({"count": count})

    def cookie(self, _):
        pair = f'{self.query.get("name", "a")}={self.query.get("value", "b")}'
        self.answer(page("Cookie", "<h1>Cookie</h1>"),
                    headers=[("Set-Cookie", f"{pair}; Path=/; HttpOnly")])

    def login(self, _):
        if self.headers.get("Authorization") == "Basic dXNlcjpwYXNz":  # user:pass
            return self.answer(page("In", "<h1>Logged in</h1>"))
        self.server.count("refused login" if "Authorization" in self.headers else "asked for login")
        self.answer(page("Out", "<h1>Log in first</h1>"), status=401,
                    headers=[("WWW-Authenticate", 'Basic realm="test"')])

    def counts(self, _):
        with self.server.lock:
            counts = dict(self.server.counts)
        self.answer_json(counts)

    def request_log(self, _):
        with self.server.lock:
            requests = list(self.server.requests)
        self.answer_json(requests)

    def operate(self, _):
        with self.server.lock:
            self.server.operated.append([self.query.get("name"), self.query.get("how")])
        self.answer(b"", status=204)

    def operated_so_far(self, _):
        with self.server.lock:
            operated = list(self.server.operated)
        self.answer_json(operated)

    def echo(self, _):
        fields = urllib.parse.parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True)
        sent = {"method": self.command, "path": self.path, "fields": dict(fields),
                "body": self.body.decode("utf-8", "replace"),
                "headers": {name.lower(): value for name, value in self.headers.items()}}
        if self.query.get("json"):
            return self.answer_json(sent)
        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
                       for name, value in fields)
        self.answer(page("Echo", f"<h1>{self.command} {html.escape(self.path)}</h1>"
                         f'<table id="fields">{rows}</table>'))

    def download(self, rest):
        name = rest or "report.csv"
        content = b"article,number\nkettle,2\nlantern,1\n"
        if "size" in self.query:
            content = bytes(range(256)) * (self.number("size", 256) // 256)
        half = len(content) // 2
        self.head(200, "text/csv; charset=utf-8", len(content),
                  [("Content-Disposition", f'attachment; filename="{name}"')])
        self.wfile.write(content[:half])
        self.wfile.flush()
        self.wait(self.number("ms", 0))
        if "drop" in self.query:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            self.wfile.write(content[half:])

    def order(self, _):
        fields = dict(urllib.parse.parse_qsl(self.body.decode("utf-8", "replace")))
        with self.server.lock:
            self.server.orders += 1
            fields["order"] = f"TL-{self.server.orders}"
        self.redirect("/shop/confirmation.html?" + urllib.parse.urlencode(fields), 303)

    def application(self, rest):
        if rest and "." in rest:
            return self.serve_file()
        if not self.path_only.startswith("/spa/"):
            return self.redirect("/spa/", 301)
        self.answer((self.server.pages / "spa" / "index.html").read_bytes())


# A method and a whole path, or "*" and a prefix of a path.
ROUTES = {
    ("GET", "/api/items"): Handler.items,
    ("POST", "/shop/order"): Handler.order,
    ("*", "status"): Handler.status,
    ("*", "redirect"): Handler.redirects,
    ("*", "redirected"): Handler.redirected,
    ("*", "redirect-loop"): Handler.redirect_loop,
    ("*", "redirect-to"): Handler.redirect_to,
    ("*", "hang"): Handler.hang,
    ("*", "never-load"): Handler.never_load,
    ("*", "endless.png"): Handler.endless,
    ("*", "slow"): Handler.slow,
    ("*", "drop"): Handler.drop,
    ("*", "reset"): Handler.reset,
    ("*", "flaky"): Handler.flaky,
    ("*", "count"): Handler.count,
    ("*", "counts"): Handler.counts,
    ("*", "requests"): Handler.request_log,
    ("*", "cookie"): Handler.cookie,
    ("*", "login"): Handler.login,
    ("*", "operated"): Handler.operate,
    ("*", "operated-so-far"): Handler.operated_so_far,
    ("*", "echo"): Handler.echo,
    ("*", "download"): Handler.download,
    ("*", "spa"): Handler.application,
}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0, help="the port; 0 takes a free one")
    parser.add_argument("--pages", type=pathlib.Path, default=PAGES, help="what is served")
    parser.add_argument("--case-dir", type=pathlib.Path, help="served as /case/")
    parser.add_argument("--keep", action="store_true",
                        help="go on when standard input closes, until SIGTERM or Ctrl-C")
    options = parser.parse_args(arguments)

    try:
        server = Server(options.port, options.pages, options.case_dir)
    except OSError as error:
        sys.exit(f"server.py: port {options.port}: {error.strerror}")
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)

    if not options.keep:
        def watch_stdin():
            while os.read(0, 4096):
                pass
            stop.set()
        threading.Thread(target=watch_stdin, daemon=True).start()
    stop.wait()
    server.ending.set()
    server.shutdown()


if __name__ == "__main__":
    main()
