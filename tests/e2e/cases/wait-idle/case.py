"""A fetch whose answer is never read does not keep the network from being idle; one without an answer does."""


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/unread.html", "waitUntil": "networkidle0"}),
             ("evaluate", {"expression": "asked()"}),
             ("wait", {"networkIdle": True}),
             ("evaluate", {"expression": "fetch('/slow?ms=20000&headers=1'); 0"}),
             ("wait", {"networkIdle": True, "timeout": 2500})]
    result = ctx.run_batch(steps, "--screenshots", "none")
    for number in (1, 2, 3, 4):
        response = result.response(number)
        ctx.expect(response["success"], f"{number}: {response.get('error')}")
    ctx.expect(result.response(2)["result"] == 404, f"{result.response(2)}")
    ctx.expect(result.response(5).get("errorCode") == "TIMEOUT", f"{result.response(5)}")
