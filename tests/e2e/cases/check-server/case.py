"""The server of a suite ends with all processes that it started, however `check` ends."""
import json
import pathlib
import signal
import socket

import processes
from faults import until

BROWSER = "any"
HERE = pathlib.Path(__file__).parent


def is_served(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def run(ctx):
    port = ctx.take_port()

    def suite(page, served=True, timeout=30000):
        for name in ("daemon", "asked"):
            (ctx.work / name).unlink(missing_ok=True)
        ctx.file("suite.json", json.dumps({
            "baseUrl": f"http://127.0.0.1:{port}/",
            "server": {"command": ["/usr/bin/python3", str(HERE / "serve.py"), str(port if served else 0),
                                   str(ctx.work)], "timeout": timeout},
            "checks": [{"name": "page", "url": page}]}))

    def expect_gone(what):
        daemon = int((ctx.work / "daemon").read_text())
        left = processes.wait_until_gone(lambda: list(filter(processes.is_alive, [daemon])), 15)
        ctx.expect(not left, f"{what}: the daemon is left: {[processes.describe(one) for one in left]}")
        ctx.expect(not processes.wait_until_gone(lambda: is_served(port), 15), f"{what}: the server's port is still taken")

    def wait_for(name, text):
        path = ctx.work / name
        until(lambda: path.exists() and text in path.read_text(), f"{name} says {text}", 40)

    def check():
        return ["check", "suite.json", "--retries", "0", *ctx.browser_args()]

    suite("/")
    ended = ctx.run(check(), seconds=60, complete=False)
    ctx.expect(ended.exit == 0 and "/" in (ctx.work / "asked").read_text(), f"exit {ended.exit}: {ended.text}")
    expect_gone("after the checks")

    suite("/", served=False, timeout=4000)
    ended = ctx.run(check(), seconds=60, complete=False)
    ctx.expect(ended.exit == 1 and "not ready" in ended.text, f"exit {ended.exit}: {ended.text}")
    expect_gone("never ready")

    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9)):
        suite("/slow")
        process = ctx.start(check())
        wait_for("asked", "/slow")
        process.signal(number)
        ended = process.wait(30, complete=False)
        ctx.expect(ended.exit == code, f"{number}: exit {ended.exit}: {ended.text}")
        expect_gone(f"after {number.name}")
