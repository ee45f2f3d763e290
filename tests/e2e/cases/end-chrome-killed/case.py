"""Chrome is killed under a session: the answer says so, or it is started again; nothing is left."""
import processes


def run(ctx):
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", "--timeout", "8000",
                      *ctx.browser_args()])
    talk.send("<batch><browser_action><type>start</type><url>http://127.0.0.1:8765/shop/</url></browser_action>")
    ctx.match(talk.line(30), {"id": 1, "success": True}, "start")
    chrome = [pid for pid in ctx.stray() if pid != talk.pid
              and b"--type=" not in processes.read(pid, "cmdline")
              and b"remote-debugging-pipe" in processes.read(pid, "cmdline")]
    ctx.expect(len(chrome) >= 1, "Chrome was not found")
    processes.kill(chrome)
    talk.send("<browser_action><type>evaluate</type><expression>location.pathname</expression></browser_action>")
    answer = talk.line()
    if answer["success"]:
        ctx.match(answer, {"result": "/shop/", "recovered": True}, "after the crash")
    else:
        ctx.match(answer, {"errorCode": {"$in": ["BROWSER_CRASHED", "DISCONNECTED"]}}, "after the crash")
    talk.send("<browser_action><type>start</type><url>http://127.0.0.1:8765/spa/</url></browser_action></batch>")
    ctx.match(talk.line(30), {"success": True, "title": "Coast marks"}, "start again")
    talk.close_stdin()
    talk.wait()
