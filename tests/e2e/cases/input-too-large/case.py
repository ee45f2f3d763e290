"""Eleven megabytes are more than a batch may have; refused in no time."""


def run(ctx):
    action = "<browser_action><type>wait</type><ms>1</ms></browser_action>\n"
    path = ctx.file("large.xml", "<batch>\n" + action * (11 * 1024 * 1024 // len(action)) + "</batch>\n")
    result = ctx.run(["run", path, "--chrome", ctx.mark_chrome()])
    ctx.expect(result.exit == 2, f"exit {result.exit}")
    ctx.match(result.stderr, {"$regex": r"(?i)large|limit|long|over|more than|MB|MiB"}, "stderr")
    ctx.expect(len(result.stderr) < 4000, f"{len(result.stderr)} characters on stderr")
    ctx.expect(result.seconds < 10, f"took {result.seconds:.1f} s")
    ctx.expect(not ctx.marked(), "Chrome was started")

    # One value alone of that size.
    path = ctx.file("value.xml", "<batch><browser_action><type>type</type><selector>#a</selector><text>"
                    + "x" * (11 * 1024 * 1024) + "</text></browser_action></batch>")
    result = ctx.run(["run", path, "--chrome", ctx.mark_chrome()])
    ctx.expect(result.exit == 2, f"one large value: exit {result.exit}")
    ctx.expect(not ctx.marked(), "one large value: Chrome was started")
