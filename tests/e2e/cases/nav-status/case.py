"""A click that waits for a navigation also ends with an answer without a page (204, 205). For an error status without a
body, the answer's URL is the server's, not that of Chrome's error page."""
from answers import Site, page

BROWSER = "any"


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
    check_elsewhere(ctx, site)


def check_elsewhere(ctx, site):
    """A navigation that becomes a download, another program or a new tab ends the wait, too; one that also leads on is
    awaited."""
    site.answers |= {
        "/file": (200, {"Content-Type": "application/octet-stream", "Content-Disposition": "attachment; filename=a.bin"}, b"abc"),
        "/elsewhere": page("<title>elsewhere</title><a id=file href=/file>file</a><p><a id=saved href=/here download>saved</a><p>"
                           "<a id=mail href='mailto:zoe@example.org'>mail</a><p><a id=tab href=/here target=_blank>tab</a><p>"
                           "<a id=within href='#within'>within</a><p>"
                           "<button id=both onclick=\"open('/here'); location.href = '/here'\">both</button>")}
    kinds = {"file": "download", "saved": "download", "mail": "another program", "tab": "another tab"}
    steps = [("start", {"url": site.url + "/elsewhere", "maxConsecutiveErrors": 0})]
    steps += [("click", {"selector": "#" + name, "waitForNavigation": True, "timeout": 15000}) for name in (*kinds, "within", "both")]
    result = ctx.run_batch(steps, "--screenshots", "none")
    for number, (name, said) in enumerate(kinds.items(), 2):
        ctx.match(result.response(number), {"errorCode": "NAVIGATION_FAILED", "error": {"$contains": said}, "hint": {"$absent": False},
                                            "durationMs": {"$le": 12000}, "url": site.url + "/elsewhere"}, name)
    ctx.match(result.response(6), {"success": True, "url": site.url + "/elsewhere#within"}, "a place in the same document")
    ctx.match(result.response(7), {"success": True, "url": site.url + "/here"}, "a new tab, and another page here")
