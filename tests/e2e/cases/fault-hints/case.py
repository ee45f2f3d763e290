"""Errors have a category, and a hint with a remedy."""
from faults import NO_LIMITS, Talk, board

BROWSER = "shared"


def run(ctx):
    talk = Talk(ctx)

    def fails(code, category, hint, kind, **parameters):
        return talk.do({"success": False, "errorCode": code, "errorCategory": category,
                        "hint": {"$regex": f"(?i){hint}"}, "attempts": 1,
                        "logs": {"$contains": {"category": "hint", "source": "tool"}}},
                       kind, **parameters)

    # No server listens: the hint says that it does not seem to run, and who has to start it.
    refused = fails("NAVIGATION_FAILED", "network", "server.*start|start.*server", "start",
                    url=ctx.closed_origin, **NO_LIMITS)
    ctx.match(refused, {"error": {"$regex": "ERR_CONNECTION_REFUSED"}}, "refused")
    fails("NAVIGATION_FAILED", "network", "name|dns|host", "navigate", url="http://nowhere.invalid/")
    fails("NAVIGATION_FAILED", "network", "port", "navigate", url="http://127.0.0.1:1/")
    fails("NAVIGATION_FAILED", "network", "tls|ssl|https?:|certificate", "navigate",
          url=ctx.origin.replace("http:", "https:"))
    talk.do({"success": True, "httpStatus": 404, "hint": {"$regex": "(?i)path|address|url|404|found"},
             "logs": {"$contains": {"type": "error"}}}, "navigate", url=ctx.origin + "/status/404")
    talk.do({"success": True, "httpStatus": 503, "hint": {"$regex": "(?i)server"}}, "navigate",
            url=ctx.origin + "/status/503")
    talk.do("ok", "navigate", url=board(ctx))
    fails("EVAL_ERROR", "javascript", "defin|declar|name", "evaluate", expression="noSuchVariable")
    fails("EVAL_ERROR", "network", "request|server|cors", "evaluate",
          expression=f"fetch('{ctx.closed_origin}')")
    talk.do({"success": False, "errorCode": "TARGET_NOT_FOUND", "errorCategory": "automation"}, "click",
            selector="#nope", timeout=500)
    talk.end()
