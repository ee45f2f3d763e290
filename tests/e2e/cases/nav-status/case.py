"""An error status without a body: the answer's URL is the server's, not that of the page by which Chrome shows it."""
from answers import Site, page


def run(ctx):
    site = Site(ctx, {"/404": (404, {}, b""), "/500": (500, {}, b""), "/503": (503, {"Content-Type": "text/plain"}, b""),
                      "/here": page("<title>here</title><a id=empty href='/404?a=1#part'>away</a>")})
    steps = [("start", {"url": site.url + "/404"}), ("wait", {"ms": 1}), ("navigate", {"url": site.url + "/500"}),
             ("navigate", {"url": site.url + "/503"}), ("navigate", {"url": site.url + "/here"}),
             ("click", {"selector": "#empty", "waitForNavigation": True}), ("back", {})]
    result = ctx.run_batch(steps, "--screenshots", "none")
    urls = [response.get("url") for response in result.responses]
    wanted = [site.url + path for path in ("/404", "/404", "/500", "/503", "/here", "/404?a=1#part", "/here")]
    ctx.expect(urls == wanted, f"{urls}")
    ctx.expect(result.exit == 0, f"exit {result.exit}: {result.stderr}")
