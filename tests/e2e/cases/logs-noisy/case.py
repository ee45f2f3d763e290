"""Ten thousand messages: all of them, or as many as allowed and an entry about the rest."""

BROWSER = "shared"


def run(ctx):
    result = ctx.run_batch([
        ("start", {"url": ctx.origin + "/traps/noisy.html"}),
        ("click", {"selector": "#more"}),
        ("wait", {"ms": 300}),
        ("evaluate", {"expression": "1 + 1"})], "--screenshots", "none")
    lines = [log for response in result.responses for log in response["logs"]]
    numbers = [int(log["message"].split()[1]) for log in lines if log["message"].startswith("line ")]
    ctx.expect(numbers[:1] == [1], f"the first message is {numbers[:1]}")
    ctx.expect(numbers == sorted(set(numbers)), "messages are out of order or came twice")
    if len(numbers) < 10000:
        ctx.expect(any(log["source"] == "tool" and log["type"] == "warning" for log in lines),
                   f"{10000 - len(numbers)} messages are missing, and nothing says so")
    ctx.match(result.response(4), {"success": True, "result": 2}, "evaluate")
    ctx.expect(result.exit == 0, f"exit {result.exit}")
