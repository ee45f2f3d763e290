"""Somebody else's browser, reached by its debugging port: it is driven, and lives on afterwards."""
import pathlib
import subprocess
import time


def run(ctx):
    profile = ctx.base / "theirs"
    chrome = ctx.options.chrome or "/usr/bin/chromium"
    browser = subprocess.Popen(
        [chrome, "--headless=new", "--no-sandbox", "--disable-quic", "--disable-background-networking",
         "--no-first-run", "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"],
        env={**ctx.environment, "TMPDIR": str(ctx.work)}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        port = read_port(profile / "DevToolsActivePort")
        for url in (f"http://127.0.0.1:{port[0]}", f"ws://127.0.0.1:{port[0]}{port[1]}"):
            batch = ctx.batch([
                ("start", {"url": ctx.origin + "/shop/"}), ("click", {"selector": "#add-kettle"}),
                ("evaluate", {"expression": "document.title"}), ("screenshot", {}), ("stop", {})])
            result = ctx.run(["run", str(batch), "--connect", url, "--screenshots", "explicit"])
            ctx.expect(result.exit == 0, f"--connect {url}: exit {result.exit}: {result.text[-400:]}")
        ctx.expect(browser.poll() is None, "the browser was ended, though it is somebody else's")
    finally:
        browser.terminate()
        browser.wait(20)
    nobody = ctx.run(["shot", "about:blank", "-o", "x.jpg", "--connect", ctx.closed_origin])
    ctx.expect(nobody.exit == 3, f"nothing listens there: exit {nobody.exit}")


def read_port(path: pathlib.Path):
    """The port and the path of the WebSocket, as soon as the browser has written both."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        lines = path.read_text().splitlines() if path.exists() else []
        if len(lines) == 2:
            return lines
        time.sleep(0.05)
    raise AssertionError("the browser did not open its port")
