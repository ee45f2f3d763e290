"""The server of a suite ends with everything it has started, however `check` ends."""
import json
import pathlib
import signal
import socket
import time

import processes

HERE = pathlib.Path(__file__).parent


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def run(ctx):
    def suite(page, served=True, timeout=30000):
        port = free_port()
        for name in ("daemon", "asked"):
            (ctx.work / name).unlink(missing_ok=True)
        ctx.file("suite.json", json.dumps({
            "baseUrl": f"http://127.0.0.1:{port}/",
            "server": {"command": ["/usr/bin/python3", str(HERE / "serve.py"), str(port if served else 0),
                                   str(ctx.work)], "timeout": timeout},
            "checks": [{"name": "page", "url": page}]}))

    def expect_gone(what):
        pid, port = map(int, (ctx.work / "daemon").read_text().split())
        left = processes.wait_until_gone(lambda: [one for one in (pid,) if processes.read(one, "cmdline")], 7)
        ctx.expect(not left, f"{what}: the daemon is left: {[processes.describe(one) for one in left]}")
        with socket.socket() as client:
            ctx.expect(client.connect_ex(("127.0.0.1", port)) != 0, f"{what}: its port is still taken")

    def wait_for(name, text):
        deadline = time.monotonic() + 40
        path = ctx.work / name
        while not (path.exists() and text in path.read_text()):
            ctx.expect(time.monotonic() < deadline, f"{name} never said {text}")
            if time.monotonic() >= deadline:
                return
            time.sleep(0.05)

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
