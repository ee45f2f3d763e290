"""Answers of a stream are numbered without a gap, and failures name their cause."""
import faults

BROWSER = "any"


def evaluate(expression):
    return f"<browser_action><type>evaluate</type><expression>{expression}</expression></browser_action>\n"


def begin(ctx):
    return ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", "--timeout", "20000",
                      *ctx.browser_args()])


def nothing_open(ctx):
    talk = begin(ctx)
    talk.send("<batch><browser_action><type>stop</type></browser_action></batch>")
    talk.close_stdin()
    done = talk.wait()
    ctx.expect(done.exit == 0, f"stop alone: exit {done.exit}")
    ctx.match(done.response(1), {"id": 1, "type": "stop", "success": True}, "stop alone")


def numbers(ctx):
    talk = begin(ctx)
    talk.send("<batch>" + evaluate("1"))
    ctx.match(talk.line(30), {"id": 1, "success": False, "errorCode": "INVALID_ACTION"}, "nothing was opened yet")
    talk.send("<browser_action><type>start</type><url>http://127.0.0.1:8765/shop/</url></browser_action>\n")
    ctx.match(talk.line(30), {"id": 2, "type": "start", "success": True}, "valid")
    talk.send("<browser_action><type>hoover</type><selector>#a</selector></browser_action>\n")
    ctx.match(talk.line(), {"id": 3, "success": False, "errorCode": "INVALID_ACTION",
                            "error": {"$regex": "hoover"}}, "unknown type")
    talk.send(evaluate("6 * 7"))
    ctx.match(talk.line(), {"id": 4, "success": True, "result": 42}, "valid again")
    talk.send("<browser_action><type>click</type></browser_action>\n" + evaluate("8"))
    ctx.match(talk.line(), {"id": 5, "success": False, "errorCode": "INVALID_ACTION"}, "no target")
    ctx.match(talk.line(), {"id": 6, "success": True, "result": 8}, "valid after that")

    faults.kill(ctx)
    talk.send(evaluate("location.pathname"))
    ctx.match(talk.line(), {"id": 7, "success": True, "recovered": True, "result": "/shop/"},
              "after the end of Chrome")
    faults.kill(ctx)
    talk.send("<browser_action><type>start</type><url>http://127.0.0.1:8765/spa/</url></browser_action>")
    ctx.match(talk.line(30), {"id": 8, "success": True, "title": "Coast marks"}, "start again")
    talk.send(evaluate("1 + 1"))
    ctx.match(talk.line(), {"id": 9, "success": True, "result": 2}, "after it")
    talk.send("<browser_action><type>stop</type></browser_action>" + evaluate("1"))
    ctx.match(talk.line(), {"id": 10, "success": True}, "stop")
    ctx.match(talk.line(), {"id": 11, "success": False, "errorCode": "INVALID_ACTION"}, "after stop")
    talk.send("</batch>")
    talk.close_stdin()
    done = talk.wait()
    ctx.expect(done.exit == 1, f"exit {done.exit}")
    ctx.match(done.summary, {"actions": 11, "failed": 4}, "summary")


def run(ctx):
    nothing_open(ctx)
    numbers(ctx)
