"""The id of a snapshot's node is a target for each action that takes one."""
from snapshots import nodes_of

BROWSER = "any"


def run(ctx):
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "explicit", *ctx.browser_args()])
    talk.send("<batch>\n")

    def ask(kind, params):
        answer = talk.ask(kind, params)
        ctx.expect(answer["success"], f"{kind} {params}: {answer.get('errorCode')}: {answer.get('error')}")
        return answer

    ask("start", {"url": ctx.origin + "/case/index.html"})
    body = ask("snapshot", {"format": "json"})["result"]["page"]["body"]
    named = [(node["name"], node["id"]) for node in nodes_of(body) if node.get("name") and "id" in node]
    ids = dict(reversed(named))
    wanted = ["Click me", "Hover me", "Name", "Colour", "Agree", "File", "Parcel", "Shelf", "Box", "Gone soon", "Far away", "Large"]
    missing = [name for name in wanted if name not in ids]
    ctx.expect(not missing, f"not in the snapshot: {missing} of {named}")

    ctx.file("letter.txt", "words")
    ask("click", {"node": ids["Click me"]})
    ask("hover", {"node": ids["Hover me"]})
    ask("focus", {"node": ids["Name"]})
    ask("type", {"node": ids["Name"], "text": "Zoë"})
    ask("press", {"node": ids["Name"], "key": "!"})
    ask("select", {"node": ids["Colour"], "value": "Blue"})
    ask("select", {"node": ids["Large"]})
    ask("check", {"node": ids["Agree"]})
    ask("upload", {"node": ids["File"], "files": ["letter.txt"]})
    ask("drag", {"node": ids["Parcel"], "to": {"node": ids["Shelf"]}})
    notes = ask("evaluate", {"expression": "notes"})["result"]
    for note in ("click", "hover", "focus", "input Zoë", "input Zoë!", "colour Blue", "size Large", "agree true", "file letter.txt",
                 "drop parcel"):
        ctx.expect(note in notes, f"no {note!r} in {notes}")

    ask("scroll", {"node": ids["Box"], "y": 100})
    ctx.match(ask("evaluate", {"expression": "box.scrollTop"}), {"result": 100}, "what was scrolled")
    ask("wait", {"node": ids["Far away"], "state": "visible"})
    ask("click", {"node": ids["Gone soon"]})
    ask("wait", {"node": ids["Gone soon"], "state": "detached"})
    picture = ask("screenshot", {"node": ids["Shelf"], "format": "png"})["captures"]["post"]
    ctx.expect((picture["width"], picture["height"]) == (120, 60), f"a picture of {picture['width']}x{picture['height']}")
    part = ask("snapshot", {"node": ids["Box"]})["result"]["text"]
    ctx.expect("Long" in part and "Click me" not in part, f"the snapshot of a part: {part}")
    late = talk.ask("wait", {"node": ids["Gone soon"], "state": "visible"})
    ctx.expect(late.get("errorCode") == "STALE_NODE", f"waiting for what does not come back: {late.get('errorCode')}")
    talk.send("</batch>\n")
    talk.close_stdin()
    talk.wait()
