"""An action before start is refused with a hint at start, before or at run time."""

BROWSER = "any"


def run(ctx):
    result = ctx.run_batch([("click", {"selector": "#go", "timeout": 1000})])
    ctx.expect(result.exit in (1, 2), f"exit {result.exit}")
    ctx.match(result.text, {"$regex": r"\bstart\b"}, "stdout and stderr")
