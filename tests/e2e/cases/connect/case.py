"""An independent browser is used through its debugging port, and continues afterwards."""
from foreign import foreign_browser

BROWSER = "any"


def run(ctx):
    with foreign_browser(ctx) as browser:
        for url in (browser.http, browser.websocket):
            batch = ctx.batch([
                ("start", {"url": ctx.origin + "/shop/"}), ("click", {"selector": "#add-kettle"}),
                ("evaluate", {"expression": "document.title"}), ("screenshot", {}), ("stop", {})])
            result = ctx.run(["run", str(batch), "--connect", url, "--screenshots", "explicit"])
            ctx.expect(result.exit == 0, f"--connect {url}: exit {result.exit}: {result.text[-400:]}")
        ctx.expect(browser.process.poll() is None, "the browser was ended, though it is somebody else's")
    nobody = ctx.run(["shot", "about:blank", "-o", "x.jpg", "--connect", ctx.closed_origin])
    ctx.expect(nobody.exit == 3, f"nothing listens there: exit {nobody.exit}")
