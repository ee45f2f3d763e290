"""A bare instruction in an open stream runs when its line has ended and nothing more arrives."""
import time

BROWSER = "shared"


def run(ctx):
    talk = ctx.start(["run", "-", *ctx.usual_args(), "--screenshots", "none"])
    talk.send(f"<type>start</type><url>{ctx.origin}/shop/</url>\n")
    ctx.match(talk.line(30), {"id": 1, "type": "start", "success": True}, "one line")

    talk.send("<type>evaluate</type><expression>6 * 7</expression>\n")
    ctx.match(talk.line(10), {"id": 2, "success": True, "result": 42}, "one that is waited for")

    talk.send("<type>evaluate</type>\n")
    time.sleep(0.02)
    talk.send("<expression>5 * 7</expression>\n")
    ctx.match(talk.line(10), {"id": 3, "type": "evaluate", "success": True, "result": 35}, "one in two writes")

    # The line has not ended: nothing runs, however long it takes.
    talk.send("<type>evaluate</type><expression>4 * 7</expression>")
    time.sleep(0.5)
    ctx.expect(talk.lines.empty(), "an instruction was run in the middle of its line")
    talk.send("<label>later</label>\n")
    ctx.match(talk.line(10), {"id": 4, "success": True, "result": 28}, "one whose line goes on")

    talk.send("<type>evaluate</type><expression>1</expression>\n<type>evaluate</type><expression>2</expression>\n")
    ctx.match(talk.line(10), {"id": 5, "result": 1}, "the first of two")
    ctx.match(talk.line(10), {"id": 6, "result": 2}, "the second of two")

    talk.send("<type>evaluate</type>\n")
    ctx.match(talk.line(10), {"id": 7, "success": False, "errorCode": "INVALID_ACTION"}, "without what it needs")
    talk.send("<expression>3</expression>\n")
    ctx.match(talk.line(10), {"id": 8, "errorCode": "INVALID_ACTION", "hint": {"$regex": "in one piece"}}, "too late")
    talk.close_stdin()
    ended = talk.wait()
    ctx.expect(ended.exit == 1, f"exit {ended.exit}")
