"""serve --http, and a client of it: one request a connection."""
import contextlib
import http.client
import json
import threading
import urllib.parse

from faults import until
from processes import SLOWNESS
from served import Server, serving


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def lines(self):
        return [json.loads(line) for line in self.body.splitlines()]

    @property
    def kind(self):
        return self.headers.get("Content-Type", "").split(";")[0]


class Shots(Server):
    def open(self, path, body=None, method=None, **headers):
        """Sends a request; returns its connection."""
        place = urllib.parse.urlparse(self.http)
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60 * SLOWNESS)
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method or ("GET" if body is None else "POST"), path, body, named)
        return connection

    def ask(self, path, body=None, method=None, **headers):
        with contextlib.closing(self.open(path, body, method, **headers)) as connection:
            return Answer(connection.getresponse())

    def run(self, body, **headers):
        return self.ask("/run", body, **headers)

    def ask_aside(self, path, body=None, **headers):
        """Asks on a thread; returns a function that waits for the answer."""
        found = []
        thread = threading.Thread(target=lambda: found.append(self.ask(path, body, **headers)), daemon=True)
        thread.start()

        def answer():
            thread.join(60 * SLOWNESS)
            return found[0]
        return answer

    def metric(self, name):
        _, text = self.get("/metrics")
        found = [line for line in text.splitlines() if line.startswith(f"browser_runner_{name} ")]
        return float(found[0].split()[1])

    def await_metric(self, name, value):
        until(lambda: self.metric(name) == value, f"{name} is {value}", 20)


@contextlib.contextmanager
def shots(ctx, *options):
    with serving(ctx, "http", "^http://[^/]*$", "--http=0", "--temp-profile", *ctx.browser_args(), "--screenshots", "none",
                 *options) as (process, line):
        yield Shots(ctx, process, line["url"])


def endless(ctx, name):
    """A batch whose last action waits for a minute; the server counts `name` when it has begun."""
    return [{"type": "start", "url": ctx.origin + "/"},
            {"type": "evaluate", "expression": f"fetch('/count?name={name}').then(() => new Promise(() => {{}}))",
             "timeout": 60000}]
