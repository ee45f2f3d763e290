"""A conversation: each answer comes before the next instruction is sent."""
import time

BROWSER = "shared"


def run(ctx):
    talk = ctx.start(["run", "-", *ctx.usual_args(), "--screenshots", "none"])
    talk.send("<batch>\n")
    talk.send("<browser_action><type>start</type><url>http://127.0.0.1:8765/shop/</url></browser_action>")
    ctx.match(talk.line(30), {"kind": "response", "id": 1, "success": True}, "first answer")
    # In pieces, like a slow backend: no answer before the element closes.
    talk.send("<browser_action><type>evaluate</type><expr")
    time.sleep(0.3)
    ctx.expect(talk.lines.empty(), "an answer before the instruction was complete")
    talk.send("ession>6 * 7</expression></browser_action>")
    ctx.match(talk.line(), {"id": 2, "success": True, "result": 42}, "second answer")
    for i in range(5):
        talk.send(f"<browser_action><type>evaluate</type><expression>{i} + 1</expression></browser_action>\n")
        ctx.match(talk.line(), {"success": True, "result": i + 1}, f"answer {i + 3}")
    # Two at once are both answered.
    talk.send("<browser_action><type>evaluate</type><expression>'a'</expression></browser_action>"
              "<browser_action><type>evaluate</type><expression>'b'</expression></browser_action>")
    ctx.match(talk.line(), {"result": "a"}, "one of two")
    ctx.match(talk.line(), {"result": "b"}, "two of two")
    talk.send("</batch>\n")
    talk.close_stdin()
    done = talk.wait()
    ctx.expect(done.exit == 0, f"exit {done.exit}")
    ctx.match(done.summary, {"actions": 9, "failed": 0, "aborted": False}, "summary")
