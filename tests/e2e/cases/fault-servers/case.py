"""Servers that never answer, close the connection, or redirect endlessly: an answer in time, with the reason."""
from faults import NO_LIMITS, Talk, UNTOUCHED, board

BROWSER = "any"


def failed(code, words, category="network"):
    return {"success": False, "errorCode": code, "errorCategory": category, "recovered": False,
            "hint": {"$regex": words}, "logs": {"$contains": {"category": "hint"}}}


def run(ctx):
    talk = Talk(ctx)
    # Even the first page may never arrive.
    hung = talk.do(failed("TIMEOUT", "."), "start", "never answers", url=ctx.origin + "/hang",
                   timeout=4000, **NO_LIMITS)
    ctx.expect(hung["durationMs"] >= 3900, f"gave up after {hung['durationMs']} ms")
    talk.do({**UNTOUCHED, "title": "Board 200"}, "navigate", url=board(ctx))
    talk.do(failed("TIMEOUT", "."), "navigate", "never answers", url=ctx.origin + "/hang", timeout=1500)
    talk.do(failed("NAVIGATION_FAILED", "(?i)redirect"), "navigate", "redirects for ever",
            url=ctx.origin + "/redirect-loop")
    talk.do(failed("NAVIGATION_FAILED", "(?i)connection|server"), "navigate", "resets",
            url=ctx.origin + "/reset")
    # Half of a page has arrived.
    half = talk.do(failed("NAVIGATION_FAILED", "(?i)content-length"), "navigate", "drops in mid-body",
                   url=ctx.origin + "/drop")
    ctx.match(half, {"title": "Dropped", "httpStatus": 200}, "drops in mid-body")
    # A resource that never arrives, a fetch that never ends.
    talk.do({"success": False, "errorCode": "TIMEOUT"}, "navigate", "a picture never ends",
            url=ctx.origin + "/never-load", timeout=1500)
    talk.do({"success": False, "errorCode": "TIMEOUT"}, "evaluate", "a fetch never ends",
            expression="fetch('/hang').then((answer) => answer.text())", timeout=1500)
    talk.do({**UNTOUCHED, "title": "Board 60"}, "navigate", url=board(ctx, 60))
    talk.end()
