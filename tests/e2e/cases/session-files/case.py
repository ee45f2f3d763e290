"""Several files are one session, one after the other."""

BROWSER = "shared"


def run(ctx):
    one = ctx.batch([("start", {"url": ctx.origin + "/shop/"}),
                     ("evaluate", {"expression": "window.kept = 41"})], "one.xml")
    two = ctx.batch([("evaluate", {"expression": "window.kept + 1"}), ("stop", {})], "two.xml")
    result = ctx.run(["run", one, two, *ctx.usual_args()])
    ctx.expect(result.exit == 0, f"exit {result.exit}")
    ctx.match(result.response(3), {"success": True, "result": 42}, "the second file")
    ctx.match(result.summary, {"actions": 4, "failed": 0}, "summary")
