"""A browser that is independent of the program, with a debugging port."""
import contextlib
import json
import os
import signal
import subprocess
import time
import urllib.request

from processes import SLOWNESS


class Foreign:
    def __init__(self, process, port, path):
        self.process = process
        self.http = f"http://127.0.0.1:{port}"
        self.websocket = f"ws://127.0.0.1:{port}{path}"

    def ask(self, path, method="GET"):
        request = urllib.request.Request(self.http + path, method=method)
        with urllib.request.urlopen(request, timeout=10 * SLOWNESS) as answer:
            return json.load(answer)

    def ask_text(self, path):
        with urllib.request.urlopen(self.http + path, timeout=10 * SLOWNESS) as answer:
            return answer.read().decode()

    def open(self, url):
        """Returns the id of a new tab."""
        return self.ask(f"/json/new?{url}", "PUT")["id"]

    def tabs(self):
        """Returns the URL of each tab, by its id."""
        return {tab["id"]: tab["url"] for tab in self.ask("/json/list") if tab["type"] == "page"}


@contextlib.contextmanager
def foreign_browser(ctx, *args):
    profile = ctx.base / "theirs"
    process = subprocess.Popen(
        [ctx.options.chrome or "/usr/bin/chromium", "--headless=new", "--no-sandbox", "--disable-quic",
         "--disable-background-networking", "--no-first-run", "--remote-debugging-port=0",
         f"--user-data-dir={profile}", *args, "about:blank"],
        env={**ctx.environment, "TMPDIR": str(ctx.work)},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield Foreign(process, *read_port(profile / "DevToolsActivePort"))
    finally:
        # All of its processes: the headless shell may be the child of a script.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(20 * SLOWNESS)


def read_port(path):
    """Returns the port and the path of the WebSocket as soon as the browser has written both."""
    end = time.monotonic() + 20 * SLOWNESS
    while time.monotonic() < end:
        lines = path.read_text().splitlines() if path.exists() else []
        if len(lines) == 2:
            return lines
        time.sleep(0.05)
    raise AssertionError("the browser did not open its port")
