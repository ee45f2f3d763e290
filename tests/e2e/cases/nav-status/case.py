"""A click that waits for a navigation ends with an answer that has no page (204, 205). An error status without a body: the answer's URL is the server's, not that of the page by which Chrome shows it."""
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

    site.answers |= {"/204": (204, {}, b""), "/205": (205, {}, b""), "/links": page(
        "<title>links</title><a id=none href=/204>none</a><p><a id=reset href=/205>reset</a><p><a id=here href=/here>here</a>")}
    steps = [("start", {"url": site.url + "/links"}),
             ("click", {"selector": "#none", "waitForNavigation": True, "timeout": 15000}),
             ("click", {"selector": "#reset", "waitForNavigation": True, "timeout": 15000}),
             ("click", {"selector": "#none"}), ("click", {"selector": "#here", "waitForNavigation": True})]
    _, none, reset, without, here = ctx.run_batch(steps, "--screenshots", "none").responses
    for status, response in ((204, none), (205, reset)):
        ctx.match(response, {"errorCode": "NAVIGATION_FAILED", "error": {"$regex": f"without a page .HTTP status {status}"},
                             "durationMs": {"$le": 12000}, "url": site.url + "/links"}, f"a click that leads to {status}")
    ctx.match(without, {"success": True, "url": site.url + "/links"}, "a click that does not wait")
    ctx.match(here, {"success": True, "url": site.url + "/here", "httpStatus": 200}, "the click behind them")
