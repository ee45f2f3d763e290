"""act: plain words, a short answer, files, JSON and exit codes; session: start, list, info, stop."""
import json

from pictures import Picture
from warm import warm_sessions

BROWSER = "any"


def run(ctx):
    with warm_sessions(ctx) as warm:
        none = warm.call("session", "list")
        ctx.expect(none.exit == 0 and "no session is open" in none.text, f"list without a daemon: {none.text}")
        refused = warm.act("evaluate", "1", "--no-autostart")
        ctx.expect(refused.exit == 2 and "no daemon" in refused.err, f"--no-autostart: {refused.text}")

        # The first act starts everything.
        opened = warm.act("open", ctx.origin + "/shop/", *ctx.browser_args())
        ctx.expect(opened.exit == 0 and "HTTP 200" in opened.out, f"open: {opened.text}")
        ctx.expect(f"{ctx.origin}/shop/" in opened.out, f"open says where the page is: {opened.out}")
        ctx.expect("no stock figure" in opened.out, f"what the page logged as an error: {opened.out}")
        ctx.expect(warm.fine("evaluate", "6 * 7") == "42\n", "evaluate prints its value")
        ctx.expect(warm.fine("evaluate", "document.title").startswith("Goods"), "a text is printed as it is")

        outline = warm.fine("snapshot")
        button = next(line for line in outline.splitlines() if 'button "Add' in line and " e" in line)
        node = next(word for word in button.split() if word[0] == "e" and word[1:].isdigit())
        clicked = warm.fine("click", node)
        ctx.expect(clicked.startswith("clicked"), f"click by id: {clicked}")

        picture = warm.fine("shot", "-o", "page.jpg")
        shape = Picture((ctx.work / "page.jpg").read_bytes())
        ctx.expect((shape.width, shape.height) == (1280, 720) and "page.jpg 1280x720" in picture, picture)
        unnamed = warm.fine("shot")
        path = unnamed.split("picture: ")[1].split()[0]
        ctx.expect(path.startswith(str(ctx.tmp)), f"a picture without -o is in TMPDIR: {unnamed}")
        Picture((ctx.tmp / path).read_bytes())
        (ctx.tmp / path).unlink()
        block = json.loads(warm.fine("shot", "--image-block"))
        ctx.match(block, {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg",
                                                      "data": {"$regex": "^/9j/"}}}, "the block")

        ctx.expect("no stock figure" in warm.fine("logs", "--types", "error"), "logs by type")
        ctx.expect("summer-sale.jpg" in warm.fine("network", "--failed"), "requests that failed")
        response = json.loads(warm.fine("evaluate", "[1, 2]", "--json"))
        ctx.match(response, {"kind": "response", "type": "evaluate", "success": True, "result": [1, 2],
                             "sessionId": "default"}, "--json")

        batch = ctx.batch([("evaluate", {"expression": "1"}), ("click", {"selector": "#none", "timeout": 300})])
        ran = warm.act("--batch", batch)
        lines = [json.loads(line) for line in ran.out.splitlines()]
        ctx.expect(ran.exit == 1 and [line["kind"] for line in lines] == ["response", "response", "summary"],
                   f"--batch: exit {ran.exit}: {lines}")
        ctx.match(lines[2], {"actions": 2, "failed": 1}, "the summary of the batch alone")
        ctx.expect(warm.act("--batch", "-", stdin='{"type":"evaluate","expression":"2"}').exit == 0, "a batch by stdin")
        saved = warm.act("--batch", "-", stdin='{"type":"cookies","op":"save","file":"cookies.json"}')
        ctx.expect(saved.exit == 0 and (ctx.work / "cookies.json").exists(), f"paths of a batch are the caller's: {saved.text}")
        # An open session needs no place for profiles, unlike a new one.
        homeless = {"HOME": "", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": str(ctx.tmp)}
        ctx.expect(warm.fine("title", **homeless).startswith("Goods"), "no home")
        refused = warm.act("title", session="another", **homeless)
        ctx.expect(refused.exit == 1 and "HOME is not set" in refused.err, f"no home: {refused.exit}: {refused.text}")

        for words, exit_code, said in ((("click", "#none", "--timeout", "300"), 1, "TARGET_NOT_FOUND"),
                                       (("clack", "#none"), 2, "unknown action type"),
                                       (("click", "#a", "--nothing", "1"), 2, "nothing"),
                                       (("click",), 2, "click"),
                                       (("evaluate", "1", "--session", "a/b"), 2, "not a valid session name"),
                                       (("evaluate", "1", "--session", "other", "--no-autostart"), 2, "other")):
            answer = warm.act(*words)
            ctx.expect(answer.exit == exit_code and said in answer.err,
                       f"act {words}: exit {answer.exit}: {answer.text}")

        session = warm.list()["default"]
        ctx.match(session, {"state": "idle", "url": {"$regex": "/shop/"}, "failed": 2,
                            "lastError": {"$regex": "^TARGET_NOT_FOUND"}}, "list")
        ctx.expect(session["memoryBytes"] > 20e6 and session["browserPid"] > 1, f"memory: {session}")
        info = warm.call("session", "info")
        ctx.expect(info.exit == 0 and info.out.startswith("default: idle") and "MB" in info.out, info.text)
        ctx.expect(warm.call("session", "info", "nobody").exit == 2, "info of a session that is not there")
        nobody = warm.call("session", "stop", "nobody")
        ctx.expect(nobody.exit == 0 and nobody.out == "nobody: was not open\n", f"stop of a session that is not there: {nobody.text}")
        ctx.expect(warm.call("session", "dance").exit == 2, "a verb that is none")

        warm.start("second")
        # An address as people write it, as act accepts it; failures are reported on a separate line.
        started = warm.call("session", "start", "second", ctx.origin[7:] + "/shop/", *ctx.browser_args())
        ctx.expect(started.exit == 0 and f"{ctx.origin}/shop/ Goods" in started.out, f"no scheme: {started.text}")
        failed = warm.call("session", "start", "third", ctx.closed_origin, *ctx.browser_args())
        ctx.expect(failed.exit == 1 and failed.out == "third: open\n" and "was not reached" in failed.err,
                   f"nobody listens: exit {failed.exit}: {failed.text}")
        warm.call("session", "stop", "third")
        names = warm.call("session", "list", "--names").out.split()
        ctx.expect(names == ["default", "second"], f"names: {names}")
        stopped = warm.call("session", "stop", "second")
        ctx.expect(stopped.exit == 0 and "second: stopped" in stopped.out, stopped.text)
        ctx.expect(list(warm.list()) == ["default"], "the other goes on")
    ctx.expect("session default opened" in warm.log.read_text(), f"the log: {warm.log.read_text()}")
