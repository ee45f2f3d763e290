"""Ids on a picture: whose they are, where they are drawn, that actions accept them; and the page notices nothing."""
import json

from pictures import Picture
from png_files import Pixels

BROWSER = "any"
COLOURS = {(0xC8, 0x10, 0x2E), (0x1D, 0x56, 0xD8), (0x0B, 0x78, 0x3A), (0x8A, 0x2B, 0xC2), (0xB4, 0x4A, 0x00),
           (0x00, 0x74, 0x86), (0xC2, 0x18, 0x7A)}
IN_VIEW = ["Overview", "Save", "User", "Secret", "Later", "In the box", "all of them to be read on", "Inner", "Fixed"]
PNG = {"labels": True, "format": "png"}


class Talk:
    def __init__(self, ctx, *args):
        self.ctx = ctx
        self.process = ctx.start(["run", "-", "--temp-profile", "--screenshots", "explicit", *args, *ctx.browser_args()])
        self.process.send("<batch>\n")
        self.count = 0

    def ask(self, kind, parameters=None, **expected):
        answer = self.process.ask(kind, parameters or {})
        self.count += 1
        self.ctx.match(answer, expected or {"success": True}, f"{self.count}: {kind} {parameters}")
        return answer

    def labels(self, **parameters):
        answer = self.ask("screenshot", {**PNG, **parameters})
        return {label["name"]: label for label in (answer.get("result") or {}).get("labels", [])}

    def end(self):
        self.process.send("</batch>\n")
        self.process.close_stdin()
        return self.process.wait()


def expect_names(ctx, labels, wanted, what):
    ctx.expect(sorted(labels) == sorted(wanted), f"{what}: labels of {sorted(labels)}, not {sorted(wanted)}")


def expect_drawn(ctx, run, number, labels, what, key="post", left=0, top=0):
    """Each outline is at the right side of its box, in one of our colours."""
    pixels = Pixels(run.picture(number, key))
    captures = run.response(number)["captures"]
    scale = (captures["tiles"][int(key[5:]) - 1] if key.startswith("tile-") else captures[key])["scale"]
    for name, label in labels.items():
        x, y, width, height = label["box"]
        column, row = round((x - left + width) * scale), round((y - top + height / 2) * scale)
        colour = pixels.at(column, row)
        ctx.expect(colour in COLOURS, f"{what}: {name} has no outline at {column},{row}: {colour}")


def board(ctx):
    talk = Talk(ctx)
    talk.ask("start", {"url": ctx.origin + "/case/board.html"})
    talk.ask("wait", {"selector": "button", "frame": "/inner.html"})
    talk.ask("evaluate", {"expression": "watch()"})
    seen = talk.labels()
    expect_names(ctx, seen, IN_VIEW, "the viewport, before any snapshot")
    ctx.match(seen["Save"], {"id": {"$regex": "^e[0-9]+$"}, "role": "button", "box": [40, 100, 120, 40]}, "Save")
    ctx.match(seen["Later"], {"disabled": True}, "Later")
    ctx.match(seen["Inner"], {"role": "button", "box": [{"$gt": 700}, {"$gt": 300}, {"$gt": 20}, {"$gt": 15}]}, "Inner")
    ctx.match(talk.ask("evaluate", {"expression": "[notes, scrollY]"}), {"result": [[], 0]}, "what the page noticed")

    talk.ask("click", {"node": seen["Save"]["id"]})
    talk.ask("click", {"node": seen["Inner"]["id"]})
    talk.ask("wait", {"expression": "hits.length == 2"})
    ctx.match(talk.ask("evaluate", {"expression": "hits.splice(0)"}), {"result": ["save", "inner"]}, "clicks by id")
    text = talk.ask("snapshot")["result"]["text"]
    for name in IN_VIEW:
        line = next((line for line in text.splitlines() if f'"{name}"' in line), "")
        ctx.expect(f" {seen[name]['id']}" in line, f"a snapshot has another id than {seen[name]['id']}: {line!r}")

    whole = talk.labels(fullPage=True)
    expect_names(ctx, whole, [*IN_VIEW, "Low"], "the whole page")
    ctx.expect(all(whole[name]["id"] == seen[name]["id"] for name in IN_VIEW), "the whole page has other ids")
    ctx.match(whole["Low"], {"box": [40, 2500, 120, 40]}, "Low")
    part = talk.labels(selector="#box")
    expect_names(ctx, part, ["In the box"], "an element")
    tiles = talk.labels(tiles=True)
    expect_names(ctx, tiles, [*IN_VIEW, "Low"], "tiles")
    ctx.match({name: tiles[name]["tiles"] for name in ("Save", "Low")}, {"Save": [1], "Low": [4]}, "tiles")
    talk.ask("click", {"node": whole["Low"]["id"]})
    ctx.match(talk.ask("evaluate", {"expression": "hits.splice(0)"}), {"result": ["low"]}, "a click below the fold")
    scrolled = talk.ask("evaluate", {"expression": "scrollY"})["result"]
    expect_names(ctx, talk.labels(), ["Fixed", "Low"], "scrolled")
    stable = talk.ask("screenshot", {**PNG, "stable": True, "hide": ["#other"], "ignoreNoAi": True, "fullPage": True})["result"]
    names = [label["name"] for label in stable["labels"]]
    ctx.expect(stable["stable"] is True and "Withheld" in names and "Inner" not in names, f"stable, hidden: {stable}")
    talk.ask("screenshot", {"labels": True, "format": "webp"}, success=False, errorCode="INVALID_ACTION")
    run = talk.end()
    expect_drawn(ctx, run, 4, {name: label for name, label in seen.items() if label["role"] == "button"}, "viewport")
    expect_drawn(ctx, run, 11, {"Low": whole["Low"], "Save": whole["Save"], "Fixed": whole["Fixed"]}, "whole page")
    expect_drawn(ctx, run, 12, part, "element", left=40, top=300)
    expect_drawn(ctx, run, 13, {"Low": tiles["Low"]}, "tile", key="tile-04", top=3 * 684)
    labels = {label["name"]: label for label in stable["labels"] if label["name"] in ("Save", "Low", "Fixed")}
    expect_drawn(ctx, run, 18, labels, "whole page, scrolled", top=-scrolled)
    ctx.expect("hunter2" not in run.text, "the password is told")


def scales(ctx):
    """More pixels for each of the page, and fewer: tags keep a readable size."""
    names = [name for name in IN_VIEW if name not in ("Later", "Inner", "Fixed")]
    talk = Talk(ctx, "--viewport", "640x440@2")
    talk.ask("start", {"url": ctx.origin + "/case/board.html"})
    large, small = talk.labels(), talk.labels(maxEdge=320)
    fitting = talk.ask("screenshot", {"labels": True, "maxBytes": 12000})
    expect_names(ctx, large, names, "two pixels to one")
    expect_names(ctx, small, names, "half a pixel to one")
    ctx.match(fitting, {"captures": {"post": {"bytes": {"$le": 12000}, "width": {"$lt": 1280}}},
                        "result": {"labels": {"$length": len(names)}}}, "maxBytes")
    run = talk.end()
    for number, labels in ((2, large), (3, small)):
        expect_drawn(ctx, run, number, {name: labels[name] for name in ("Save", "In the box")}, f"scaled picture {number}")


def elsewhere(ctx):
    """A page without a snapshot, one that has navigated since, and removed elements."""
    talk = Talk(ctx)
    talk.ask("start", {"url": ctx.origin + "/case/board.html"})
    talk.ask("snapshot")
    before = talk.labels()
    talk.ask("navigate", {"url": ctx.origin + "/case/dark.html"})
    dark = talk.ask("screenshot", {"labels": True})["result"]["labels"]
    ctx.match([[label["role"], label["name"]] for label in dark], [["button", "Deploy"], ["button", "Stop"]], "the dark page")
    ids = [label["id"] for label in dark]
    ctx.expect(not {label["id"] for label in before.values()} & set(ids), "ids of another document")
    talk.ask("click", {"node": before["Save"]["id"]}, success=False, errorCode="STALE_NODE")
    ctx.match(talk.ask("click", {"node": ids[0]}), {"title": "Deployed"}, "a click on the dark page")
    talk.ask("evaluate", {"expression": "document.querySelectorAll('button')[1].remove()"})
    ctx.match(list(talk.labels()), ["Deploy"], "what is gone")
    talk.ask("evaluate", {"expression": "location.reload()"})
    talk.ask("wait", {"expression": "document.title == 'Dark' && document.readyState == 'complete'"})
    again = talk.labels()
    ctx.expect(again["Deploy"]["id"] not in ids, f"a new document has the ids of the one before: {again}")
    ctx.match(talk.ask("click", {"node": again["Deploy"]["id"]}), {"title": "Deployed"}, "a click after the page went")
    run = talk.end()
    expect_drawn(ctx, run, 12, again, "the dark page")
    ctx.expect(not Picture(run.picture(5)).is_blank(), "the JPEG is blank")


def shop(ctx):
    talk = Talk(ctx)
    talk.ask("start", {"url": ctx.origin + "/shop/"})
    labels = talk.ask("screenshot", {"labels": True})["result"]["labels"]
    cart = [label["id"] for label in labels if label["name"] == "Add to cart"]
    ctx.expect(len(cart) == 3, f"buttons of the shop: {json.dumps(labels)}")
    talk.ask("click", {"node": cart[1]})
    ctx.match(talk.ask("snapshot", {"find": "Storm lantern"}), {"success": True}, "the shop")
    talk.end()


def run(ctx):
    board(ctx)
    scales(ctx)
    elsewhere(ctx)
    shop(ctx)
