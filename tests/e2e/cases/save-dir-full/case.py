"""The directory of --save-dir is removed: completed actions are answered, and the loss is an error."""
import shutil

from faults import until

BROWSER = "any"


def counting(name):
    return ("<browser_action><type>evaluate</type><expression>"
            f"fetch('/count?name={name}').then((answer) =&gt; answer.json())</expression></browser_action>\n")


def run(ctx):
    folder = ctx.base / "pictures"
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "post", "--save-dir", folder,
                      *ctx.browser_args()])
    talk.send("<batch><browser_action><type>start</type><url>http://127.0.0.1:8765/shop/</url></browser_action>\n")
    ctx.match(talk.line(30), {"id": 1, "success": True}, "start")
    talk.send(counting("before"))
    ctx.match(talk.line(), {"id": 2, "success": True}, "while the directory is there")
    # A picture is saved after its answer; it is complete when the next answer comes.
    talk.send(counting("before"))
    ctx.match(talk.line(), {"id": 3, "success": True}, "once more")
    ctx.expect((folder / "0002-evaluate-post.jpg").exists(), "the picture was not saved")
    path = folder / "0003-evaluate-post.jpg"
    until(lambda: path.exists() and path.read_bytes().endswith(b"\xff\xd9"), "the next picture is saved whole")
    shutil.rmtree(folder)
    try:
        talk.send("".join(counting("after") for _ in range(4)) + "</batch>\n")
        talk.close_stdin()
    except BrokenPipeError:
        pass
    done = talk.wait(20, complete=False)
    ctx.expect(done.exit == 1, f"exit {done.exit}")
    ctx.match(done.stderr, {"$regex": "pictures"}, "stderr")
    ctx.match(done.response(4), {"id": 4, "success": True}, "the action whose picture was not saved")
    answered = sum(response["type"] == "evaluate" for response in done.responses) - 2
    ran = ctx.counts().get("after", 0)
    ctx.expect(ran >= 1, "no action ran after the directory was gone")
    ctx.expect(ran == answered, f"{ran} actions ran, {answered} were answered")
    ctx.expect(all(response["id"] == i for i, response in enumerate(done.responses, 1)), "ids")
    ctx.match(done.summary, {"actions": len(done.responses)}, "summary")
