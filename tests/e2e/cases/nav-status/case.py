"""A click that waits for a navigation also ends with an answer without a page (204, 205). For an error status without a
body, the answer's URL is the server's, not that of Chrome's error page."""
from answers import Site, page
from faults import NO_LIMITS

BROWSER = "any"


def run(ctx):
    site = Site(ctx, {
        "/404": (404, {}, b""), "/500": (500, {}, b""), "/503": (503, {"Content-Type": "text/plain"}, b""),
        "/204": (204, {}, b""), "/205": (205, {}, b""),
        "/here": page("<title>here</title><a id=empty href='/404?a=1#part'>away</a>"),
        "/links": page("<title>links</title><a id=none href=/204>none</a><p><a id=reset href=/205>reset</a><p>"
                       "<a id=here href=/here>here</a>"),
        "/file": (200, {"Content-Type": "application/octet-stream", "Content-Disposition": "attachment; filename=a.bin"}, b"abc"),
        "/elsewhere": page("<title>elsewhere</title><a id=file href=/file>file</a><p><a id=saved href=/here download>saved</a><p>"
                           "<a id=mail href='mailto:zoe@example.org'>mail</a><p><a id=tab href=/here target=_blank>tab</a><p>"
                           "<a id=within href='#within'>within</a><p>"
                           "<button id=both onclick=\"open('/here'); location.href = '/here'\">both</button>")})
    parts = [part(ctx, site.url) for part in (statuses, clicks, elsewhere)]
    result = ctx.run_batch([step for steps, _ in parts for step in steps], "--screenshots", "none")
    end = 0
    for steps, check in parts:
        begin, end = end, end + len(steps)
        check(result.responses[begin:end])


# Each of these returns the steps of its part of the run, and a function that checks their responses.

def statuses(ctx, url):
    steps = [("start", {"url": url + "/404", **NO_LIMITS}), ("wait", {"ms": 1}), ("navigate", {"url": url + "/500"}),
             ("navigate", {"url": url + "/503"}), ("navigate", {"url": url + "/here"}),
             ("click", {"selector": "#empty", "waitForNavigation": True}), ("back", {})]

    def check(responses):
        urls = [response.get("url") for response in responses]
        wanted = [url + path for path in ("/404", "/404", "/500", "/503", "/here", "/404?a=1#part", "/here")]
        ctx.expect(urls == wanted, f"{urls}")
        ctx.expect(all(response["success"] for response in responses), f"{[response.get('error') for response in responses]}")
    return steps, check


def clicks(ctx, url):
    steps = [("start", {"url": url + "/links"}),
             ("click", {"selector": "#none", "waitForNavigation": True, "timeout": 15000}),
             ("click", {"selector": "#reset", "waitForNavigation": True, "timeout": 15000}),
             ("click", {"selector": "#none"}), ("click", {"selector": "#here", "waitForNavigation": True})]

    def check(responses):
        _, none, reset, without, here = responses
        for status, response in ((204, none), (205, reset)):
            ctx.match(response, {"errorCode": "NAVIGATION_FAILED", "error": {"$regex": f"without a page .HTTP status {status}"},
                                 "durationMs": {"$le": 12000}, "url": url + "/links"}, f"a click that leads to {status}")
        ctx.match(without, {"success": True, "url": url + "/links"}, "a click that does not wait")
        ctx.match(here, {"success": True, "url": url + "/here", "httpStatus": 200}, "the click behind them")
    return steps, check


def elsewhere(ctx, url):
    """A navigation that becomes a download, another program or a new tab ends the wait, too; one that also leads on is
    awaited."""
    kinds = {"file": "download", "saved": "download", "mail": "another program", "tab": "another tab"}
    steps = [("start", {"url": url + "/elsewhere"})]
    steps += [("click", {"selector": "#" + name, "waitForNavigation": True, "timeout": 15000}) for name in (*kinds, "within", "both")]

    def check(responses):
        for response, (name, said) in zip(responses[1:], kinds.items()):
            ctx.match(response, {"errorCode": "NAVIGATION_FAILED", "error": {"$contains": said}, "hint": {"$absent": False},
                                 "durationMs": {"$le": 12000}, "url": url + "/elsewhere"}, name)
        ctx.match(responses[5], {"success": True, "url": url + "/elsewhere#within"}, "a place in the same document")
        ctx.match(responses[6], {"success": True, "url": url + "/here"}, "a new tab, and another page here")
    return steps, check
