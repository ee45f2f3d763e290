"""A moving button: waits until it rests; never reports a click beside it as a success."""

BROWSER = "shared"


def run(ctx):
    result = ctx.run_batch([
        ("start", {"url": ctx.origin + "/traps/moving.html"}),
        ("click", {"selector": "#settles", "timeout": 5000}),
        ("click", {"selector": "#endless", "timeout": 2000}),
        ("wait", {"ms": 200}),
        ("evaluate", {"expression": "hits"})], "--screenshots", "none")
    counts = ctx.counts()
    ctx.match(result.response(2), {"success": True}, "click on what comes to rest")
    ctx.expect(counts.get("settles") == 1, f"counts: {counts}")
    ctx.expect(counts.get("endless", 0) == int(result.response(3)["success"]),
               f"success {result.response(3)['success']}, but counts are {counts}")
    ctx.expect("missed" not in counts, f"clicked beside a moving button: {counts}")
