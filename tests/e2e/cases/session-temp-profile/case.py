"""A temporary profile leaves nothing in the configuration directory, nor in the working one."""

BROWSER = "any"


def run(ctx):
    result = ctx.run_batch([("start", {"url": ctx.origin + "/shop/"})])
    ctx.expect(result.exit == 0, f"exit {result.exit}")
    left = [str(path.relative_to(ctx.config)) for path in ctx.config.rglob("*")
            if "browser-runner" in str(path.relative_to(ctx.config))]
    ctx.expect(not left, f"in the configuration directory: {left[:8]}")
    ctx.expect(sorted(path.name for path in ctx.work.iterdir()) == ["batch.xml"], "files in the working directory")
