"""Elements with data-no-ai are painted over in every picture in answers, in frames and shadow roots and while they move."""
import collections
import json
import pathlib

from faults import BLOCKS
from png_files import Pixels

RED, GREY, BLUE = (255, 0, 0), (128, 128, 128), (0, 0, 255)


def run(ctx):
    page = ctx.origin + "/case/marked.html"
    low = json.dumps({"x": 0, "y": 1480, "width": 240, "height": 400})
    png = {"format": "png"}
    frame_is_there = ("wait", {"selector": "p", "frame": "/inner.html"})
    left = ("evaluate", {"expression": "parseFloat(hop.style.left)"})
    steps = [
        ("start", {"url": page}),
        frame_is_there,
        ("screenshot", png),
        ("screenshot", {**png, "fullPage": True, "stable": True, "maxEdge": 0, "maxPixels": 0}),
        ("screenshot", {**png, "clip": low}),
        ("screenshot", {**png, "selector": "#low"}),
        ("screenshot", {**png, "tiles": True, "clip": low}),
        ("screenshot", {**png, "ignoreNoAi": True}),
        ("navigate", {"url": page + "#moving"}), ("reload", {}), frame_is_there,
        left, *[("screenshot", png)] * 3, left,
        ("navigate", {"url": ctx.origin + "/case/parts.html"}),
        *[("wait", {"selector": "div", "frame": name, "state": "attached"}) for name in ("low", "turned", "skewed", "wide")],
        ("screenshot", png),
        ("evaluate", {"expression": "rush(); 0"}), ("screenshot", png),
        ("navigate", {"url": page}), frame_is_there,
        ("evaluate", {"expression": f"setTimeout(() => {BLOCKS}, 50); 0", "frame": "/inner.html"}),
        ("wait", {"ms": 100}), ("screenshot", png),
    ]
    result = ctx.run_batch(steps, "--screenshots", "explicit", "--save-dir", ctx.base / "pictures")
    for number, step in enumerate(steps, 1):
        ctx.match(result.response(number), {"success": True}, f"{number}: {step}")
    ctx.expect(result.response(12)["result"] < result.response(16)["result"], "nothing has moved")
    files = sorted(pathlib.Path(ctx.base / "pictures").rglob("*.png"))

    def seen(number):
        found = collections.Counter()
        for path in files:
            if path.name.lstrip("0").startswith(f"{number}-") or path.name.lstrip("0").startswith(f"{number}."):
                found += Pixels(path.read_bytes()).colours()
        return found

    ctx.expect(files, "nothing was saved")
    for number, what, least in ((3, "viewport", 15000), (4, "whole page", 35000), (5, "part", 20000), (6, "element", 20000),
                                (7, "tiles", 20000), *((number, "moving", 15000) for number in range(13, 16))):
        found = seen(number)
        ctx.expect(found[RED] == 0 and found[GREY] >= least,
                   f"{what}, picture {number}: {found[RED]} pixels of what is marked, {found[GREY]} are painted over: {found.most_common(3)}")
    parts, rushing = seen(22), seen(24)
    ctx.expect(parts[RED] == 0 and parts[BLUE] == 3200,
               f"parts that stick out: {parts[RED]} pixels of what is marked, {parts[BLUE]} of what is not, {parts.most_common(4)}")
    ctx.expect(rushing[RED] == 0, f"what rushes by: {rushing[RED]} pixels of it")
    stuck = seen(29)
    ctx.expect(stuck[RED] == 0 and stuck[GREY] >= 70000,
               f"a frame that does not answer: {stuck[RED]} pixels of what is marked, {stuck[GREY]} are painted over")
    ctx.match(result.response(29), {"logs": {"$contains": {"message": {"$contains": "it is painted over"}}}}, "a frame that does not answer")
    ctx.expect(seen(5)[BLUE] == 10000, f"what is not marked is not there: {seen(5)[BLUE]}")
    ctx.expect(seen(8)[RED] > 10000, "ignoreNoAi: it is not shown")
    webp = {"format": "webp"}
    result = ctx.run_batch(
        [("start", {"url": page}), ("screenshot", webp), ("screenshot", {**webp, "ignoreNoAi": True}),
         ("screenshot", {**webp, "selector": "#blue"})], "--screenshots", "explicit")
    codes = [response.get("errorCode") or "ok" for response in result.responses[1:4]]
    ctx.expect(codes == ["INVALID_ACTION", "ok", "ok"], f"webp: {codes}")

    out = ctx.work / "shot.png"
    for more, is_shown in (([], False), (["--ignore-no-ai"], True)):
        ctx.run(["shot", page, "-o", out, "--temp-profile", *more, *ctx.browser_args()])
        pixels = Pixels(out.read_bytes())
        ctx.expect((pixels.at(60, 60) == RED) == is_shown, f"shot {more}: {pixels.at(60, 60)}")
