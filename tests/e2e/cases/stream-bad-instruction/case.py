"""An error in the stream: earlier instructions have run, the error is named, nothing is left."""

BROWSER = "shared"


def run(ctx):
    talk = ctx.start(["run", "-", *ctx.usual_args(), "--screenshots", "none"])
    talk.send("<batch>\n<browser_action><type>start</type><url>about:blank</url></browser_action>\n")
    ctx.match(talk.line(30), {"success": True}, "start")
    talk.send("<browser_action><type>clik</type><selector>#a</selector></browser_action>\n</batch>\n")
    talk.close_stdin()
    done = talk.wait()
    ctx.expect(done.exit in (1, 2), f"exit {done.exit}")
    ctx.match(done.text, {"$regex": r"clik"}, "stdout and stderr")
    ctx.match(done.text, {"$regex": r"(?i)line 3|:3:"}, "stdout and stderr")
