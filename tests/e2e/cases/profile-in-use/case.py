"""Two runs on one profile: the second fails at once, and the first is not disturbed."""

BROWSER = "any"


def run(ctx):
    args = ["--project", "shared", "--screenshots", "none", *ctx.browser_args()]
    first = ctx.start(["run", "-", *args])
    first.send("<batch><browser_action><type>start</type><url>about:blank</url></browser_action>")
    ctx.match(first.line(), {"success": True}, "first start")
    second = ctx.run_batch([("start", {"url": "about:blank"})], *args[2:], profile=args[:2])
    ctx.expect(second.exit == 3, f"the second run: exit {second.exit}")
    ctx.match(second.text, {"$regex": "(?i)in use|PROFILE_IN_USE"}, "the second run says")
    first.send("<browser_action><type>evaluate</type><expression>1 + 1</expression></browser_action></batch>")
    first.close_stdin()
    done = first.wait()
    ctx.match(done.response(2), {"success": True, "result": 2}, "the first run afterwards")
