"""A button that exists for a moment: a click that reports success must have clicked it."""

BROWSER = "shared"
COUNT = ("evaluate", {"expression": "hits.brief || 0"})


def run(ctx):
    ways = [f"appear({ms})" for ms in (20, 40, 60, 80, 100, 120, 150)] + ["appearUntilSeen()"]
    steps = [("start", {"url": ctx.origin + "/traps/vanishing.html"})]
    for way in ways:
        steps += [("evaluate", {"expression": way}), ("click", {"selector": "#brief", "timeout": 400}),
                  ("wait", {"ms": 200}), COUNT]
    result = ctx.run_batch(steps, "--screenshots", "none")
    before = 0
    for i, way in enumerate(ways):
        click, count = result.response(4 * i + 3), result.response(4 * i + 5)["result"]
        ctx.expect(count - before == int(click["success"]),
                   f"{way}: the click succeeded is {click['success']}, clicks that arrived {count - before}")
        ctx.expect(click["success"] or click["errorCode"].startswith(("TARGET_", "STALE_", "TIMEOUT")),
                   f"{way}: a click on what is gone ended with {click.get('errorCode')}: {click.get('error')}")
        before = count
