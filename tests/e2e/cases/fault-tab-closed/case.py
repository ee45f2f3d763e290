"""A tab that is closed by hand is reopened; an independent browser that has exited is not restarted."""
import json
import subprocess
import urllib.request

from faults import CRASHES, TOLD, Talk, board, expect_shade, real_chrome, until


def run(ctx):
    profile = ctx.base / "theirs"
    browser = subprocess.Popen(
        [real_chrome(ctx), "--headless=new", "--no-sandbox", "--disable-background-networking",
         "--no-first-run", "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"],
        env={**ctx.environment, "TMPDIR": str(ctx.work)}, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ctx.known.add(browser.pid)
    port_file = profile / "DevToolsActivePort"
    until(lambda: port_file.exists() and port_file.read_text().count("\n") == 1, "Chrome's port", 20)
    origin = f"http://127.0.0.1:{port_file.read_text().split()[0]}"

    def pages(url):
        with urllib.request.urlopen(origin + "/json/list", timeout=5) as answer:
            return [one["id"] for one in json.loads(answer.read()) if one["url"] == url]

    try:
        url = board(ctx, 140)
        talk = Talk(ctx, profile=("--connect", origin), screenshots="explicit")
        talk.start(url)
        # The tab is closed by hand.
        for page in pages(url):
            urllib.request.urlopen(f"{origin}/json/close/{page}", timeout=5).read()
        until(lambda: not pages(url), "the tab is closed")
        talk.do({"success": True, "recovered": True, "url": url, "logs": TOLD}, "screenshot", "tab closed")
        ctx.expect(len(pages(url)) == 1, f"{len(pages(url))} tabs show the page")
        # An independent browser cannot be restarted.
        browser.kill()
        browser.wait(10)
        talk.do({"success": False, "errorCode": CRASHES}, "evaluate", "browser gone", expression="1")
        done = talk.end()
        expect_shade(ctx, done.picture(2), 140, "tab closed")
    finally:
        browser.kill()
        browser.wait(10)
