"""A page that logs all the time: each line is in exactly one answer, in order."""

BROWSER = "shared"


def run(ctx):
    result = ctx.run_batch([
        ("start", {"url": ctx.origin + "/traps/timer.html"}),
        ("wait", {"ms": 300}),
        ("click", {"selector": "#go"}),
        ("click", {"selector": "#go"}),
        ("screenshot", {}),
        ("wait", {"ms": 300}),
        ("evaluate", {"expression": "hits.go"})])
    ctx.match(result.response(7), {"success": True, "result": 2}, "clicks that arrived")
    ticks = [int(log["message"].split()[1]) for response in result.responses
             for log in response["logs"] if log["message"].startswith("tick ")]
    ctx.expect(len(ticks) > 20, f"only {len(ticks)} lines of the timer")
    ctx.expect(ticks == list(range(1, len(ticks) + 1)), f"lines are missing or doubled: {ticks}")
    waited = [log for log in result.response(2)["logs"] if log["message"].startswith("tick ")]
    ctx.expect(len(waited) >= 8, f"{len(waited)} lines during a wait of 300 ms at 20 ms each")
