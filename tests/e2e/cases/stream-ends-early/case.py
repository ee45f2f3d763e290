"""Standard input ends without a closing tag, in the middle of an instruction, or with nothing."""

START = "<browser_action><type>start</type><url>about:blank</url></browser_action>"


def run(ctx):
    args = ["run", "-", "--temp-profile", "--screenshots", "none", *ctx.browser_args()]
    bare = ctx.run(args, stdin=START)
    ctx.expect(bare.exit == 0, f"without <batch>: exit {bare.exit}")
    ctx.match(bare.response(1), {"success": True}, "without <batch>")

    cut = ctx.run(args, stdin="<batch>" + START + "<browser_action><type>evalu")
    ctx.match(cut.response(1), {"success": True}, "what came before the cut")
    ctx.expect(cut.exit in (1, 2), f"cut in an instruction: exit {cut.exit}")
    ctx.match(cut.stderr, {"$regex": r"(?i)line 1|:1:"}, "cut: stderr")

    empty = ctx.run(args, stdin="")
    ctx.expect(empty.exit == 2, f"nothing at all: exit {empty.exit}")
    ctx.expect(not empty.responses, "nothing at all: something was run")
