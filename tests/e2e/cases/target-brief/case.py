"""A button that is there for a moment: whoever says that it was clicked must have clicked it."""


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/traps/vanishing.html"})]
    for ms in (20, 40, 60, 80, 100, 150):
        steps += [("evaluate", {"expression": f"appear({ms})"}),
                  ("click", {"selector": "#brief", "timeout": 400}),
                  ("wait", {"ms": 200})]
    steps += [("evaluate", {"expression": "appearUntilSeen()"}),
              ("click", {"selector": "#brief", "timeout": 400}), ("wait", {"ms": 300}),
              ("evaluate", {"expression": "hits"})]
    result = ctx.run_batch(steps, "--screenshots", "none")
    clicks = [one for one in result.responses if one["type"] == "click"]
    claimed = sum(one["success"] for one in clicks)
    counted = ctx.counts().get("brief", 0)
    ctx.expect(claimed == counted, f"{claimed} clicks are said to have succeeded, {counted} arrived")
    for one in clicks:
        ctx.expect(one["success"] or one["errorCode"].startswith(("TARGET_", "STALE_", "TIMEOUT")),
                   f"a click on what is gone ended with {one.get('errorCode')}: {one.get('error')}")
