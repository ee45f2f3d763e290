"""A hundred thousand elements inside each other: refused, without a crash."""


def run(ctx):
    depth = 100000
    path = ctx.file("deep.xml", "<batch>" + "<a>" * depth + "</a>" * depth + "</batch>")
    result = ctx.run(["run", path, "--chrome", ctx.mark_chrome()])
    ctx.expect(result.exit == 2, f"exit {result.exit}")
    ctx.match(result.stderr, {"$regex": "(?i)line 1"}, "stderr")
    ctx.expect(len(result.stderr) < 4000, f"{len(result.stderr)} characters on stderr")
    ctx.expect(not ctx.marked(), "Chrome was started")
