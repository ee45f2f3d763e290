"""Standard input ends without a closing tag, during an instruction, or empty."""

BROWSER = "shared"
START = "<browser_action><type>start</type><url>about:blank</url></browser_action>"


def run(ctx):
    args = ["run", "-", *ctx.usual_args(), "--screenshots", "none"]
    bare = ctx.run(args, stdin=START)
    ctx.expect(bare.exit == 0, f"without <batch>: exit {bare.exit}")
    ctx.match(bare.response(1), {"success": True}, "without <batch>")

    cut = ctx.run(args, stdin="<batch>" + START + "<browser_action><type>evalu")
    ctx.match(cut.response(1), {"success": True}, "what came before the cut")
    ctx.expect(cut.exit == 1, f"cut in an instruction: exit {cut.exit}")
    ctx.match(cut.response(2), {"errorCode": "INVALID_ACTION", "error": {"$regex": "^line 1, column 108: the input ends"}},
              "the cut")

    empty = ctx.run(args, stdin="")
    ctx.expect(empty.exit == 2, f"nothing at all: exit {empty.exit}")
    ctx.expect(not empty.responses, "nothing at all: something was run")
    ctx.match(empty.summary, {"aborted": True, "stoppedBy": "input", "error": "no instruction found"}, "nothing at all")

    gone = ctx.run(["run", "-", "--temp-profile", "--chrome", ctx.file("no-chrome", "")], stdin=START)
    ctx.match(gone.summary, {"aborted": True, "stoppedBy": "browser", "error": {"$contains": "no-chrome"}}, "no browser")

    wrong = "<browser_action><type>evaluate</type><expression>x.y</expression></browser_action>"
    limit = ctx.run(args, stdin=START + wrong * 4)
    ctx.match(limit.summary, {"aborted": True, "stoppedBy": "errorLimit", "error": {"$contains": "in a row"}}, "failures")
