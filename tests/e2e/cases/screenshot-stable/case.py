"""Pictures of a page at rest: identical bytes each time, and the page continues as before."""
from png_files import Pixels

BROWSER = "any"


RED, BLUE, GREEN, WHITE, MASK = (255, 0, 0), (0, 0, 255), (0, 128, 0), (255, 255, 255), (255, 0, 255)
ORANGE, PURPLE, CYAN = (255, 165, 0), (128, 0, 128), (0, 255, 255)
STILL = {"stable": True, "shots": 2}


def shot(**parameters):
    return ("screenshot", {"format": "png", "stable": True, **parameters})


def run(ctx):
    moving(ctx)
    never_still(ctx)
    tall(ctx)
    late(ctx)
    covers(ctx)
    frames(ctx)


def run_steps(ctx, page, steps, *args):
    start = ("start", {"url": f"{ctx.origin}/case/{page}"})
    return ctx.run_batch([start, *steps], "--screenshots", "explicit", "--max-edge", "0", "--max-pixels", "0", *args)


def expect_colours(ctx, data, wanted, what):
    pixels = Pixels(data)
    for place, colour in wanted.items():
        found = pixels.at(*place)
        ctx.expect(found == colour, f"{what}: {found} at {place}, not {colour}")


def moving(ctx):
    state = ("evaluate", {"expression": "state()"})
    # A video stays at its position: that shows in the result, not in the bytes.
    steps = [shot(), state, ("wait", {"ms": 350}), shot(mask="#player"), ("reload", {}), ("wait", {"ms": 120}),
             shot(mask="#player")]
    pictures = []
    for _ in range(2):
        ran = run_steps(ctx, "moving.html", steps)
        for number in (2, 5, 8):
            ctx.match(ran.response(number).get("result"), STILL, f"moving, answer {number}")
            pictures += [ran.picture(number)] if number > 2 else []
    ctx.expect(len(set(pictures)) == 1, f"{len(set(pictures))} pictures of one page: {[len(one) for one in pictures]} bytes")
    # Positions without an infinite animation, and at the end of a finite one.
    expect_colours(ctx, pictures[0], {(21, 61): RED, (69, 109): RED, (71, 85): WHITE, (301, 161): BLUE, (10, 161): WHITE,
                                      (399, 240): GREEN, (405, 240): WHITE, (1, 301): ORANGE, (55, 301): WHITE,
                                      (430, 90): PURPLE, (430, 100): WHITE, (21, 401): CYAN}, "moving")
    ctx.match(ran.response(3).get("result"), {
        "running": {"endless": "running", "once": "finished", "decorated::after": "running", "paused": "paused"},
        "inShadow": ["running"], "ended": ["once"], "focused": "field", "caret": "rgb(0, 0, 0)", "isPlaying": True, "pauses": 1,
        "isDrawn": True, "sheets": 0, "scrolling": "smooth", "styles": ["changing"]}, "after the picture")


def never_still(ctx):
    ran = run_steps(ctx, "never.html", [
        shot(shots=3), shot(mask="#noise"), shot(shots=1), shot(remove=["#noise"]),
        ("evaluate", {"expression": "noise.remove(); blink()"}), shot(shots=4), shot(hide="img")])
    changing = {"pixels": {"$ge": 1, "$le": 600}, "x": 120, "y": 60, "width": 30, "height": 20,
                "element": "<canvas#noise.loud.busy>"}
    ctx.match(ran.response(2)["result"], {"stable": False, "shots": 3, "changing": changing}, "a canvas")
    logged = [log["message"] for log in ran.response(2)["logs"] if log["type"] == "warning"]
    ctx.expect(any("not stable" in text and "120,60" in text and "canvas#noise" in text for text in logged),
               f"no warning names the canvas: {logged}")
    ctx.match(ran.response(3)["result"], STILL, "the canvas below a mask")
    expect_colours(ctx, ran.picture(3), {(100, 50): MASK, (179, 89): MASK, (99, 50): WHITE, (180, 50): WHITE}, "mask")
    ctx.expect(ran.response(4)["result"] == {"shots": 1}, f"one shot: {ran.response(4)['result']}")
    ctx.match(ran.response(5)["result"], STILL, "without the canvas")
    ctx.match(ran.response(7)["result"], {"stable": False, "changing": {"element": "<img#blink>"}}, "a GIF")
    ctx.match(ran.response(8)["result"], STILL, "a GIF that is hidden")


def tall(ctx):
    ran = run_steps(ctx, "tall.html", [
        ("evaluate", {"expression": "scrollTo({top: 700, behavior: 'instant'}), new Promise((done) => setTimeout(done, 100))"}),
        shot(), ("evaluate", {"expression": "[seen.style.background, lazy.loading, lazy.complete]"}),
        shot(fullPage=True, mask=["header", "footer"]),
        ("evaluate", {"expression": "({y: scrollY, loading: lazy.loading, deepest: Math.max(...looked)})"}),
        shot(fullPage=True), ("screenshot", {"fullPage": True, "format": "png", "mask": "#seen"})], "--viewport", "800x600")
    ctx.match(ran.response(4)["result"], ["", "lazy", False], "nothing far down is loaded for the viewport alone")
    ctx.match(ran.response(5)["result"], STILL, "tall")
    ctx.match(ran.response(6)["result"], {"y": 700, "loading": "lazy", "deepest": {"$ge": 4000}}, "scrolled back")
    # Sticky and fixed parts are where they were seen, and so are their masks.
    expect_colours(ctx, ran.picture(5), {(10, 4050): ORANGE, (10, 4650): PURPLE, (790, 701): MASK, (790, 729): MASK,
                                         (790, 731): WHITE, (10, 1281): MASK, (10, 1279): WHITE}, "tall")
    expect_colours(ctx, ran.picture(7), {(790, 701): BLUE, (10, 1281): GREEN}, "tall without masks")
    expect_colours(ctx, ran.picture(8), {(10, 4001): MASK, (99, 4099): MASK, (101, 4050): WHITE, (10, 4650): PURPLE},
                   "a mask alone")
    ctx.expect("result" not in ran.response(8) or ran.response(8)["result"] is None, "a result without stable")


def late(ctx):
    ran = run_steps(ctx, "font.html", [
        ("evaluate", {"expression": "waitForever()"}), shot(), ("reload", {}),
        ("evaluate", {"expression": "waitForPicture()"}), shot(), shot(selector="#text", timeout=2000)])
    reasons = ran.response(3)["result"]["reasons"]
    ctx.expect(reasons == ["fonts did not finish loading within 3 s: Late Sans"], f"a font that hangs: {reasons}")
    ctx.match(ran.response(3), {"result": STILL, "durationMs": {"$ge": 2900}}, "a font that hangs")
    reasons = ran.response(6)["result"]["reasons"]
    ctx.expect(len(reasons) == 1 and reasons[0].startswith("an image did not load within 3 s: ") and "/hang?picture" in reasons[0],
               f"an image that hangs: {reasons}")
    ctx.match(ran.response(7), {"success": True}, "as much as the time allows")


def covers(ctx):
    ran = run_steps(ctx, "covers.html", [
        shot(hide=["#hidden", "#fading", "#a"], remove="#removed", mask=[".masked", ".nothing"]),
        ("evaluate", {"expression": "state()"}), shot(),
        shot(selector="#host", mask=".masked"), shot(mask="]["), ("screenshot", {"hide": "#a", "format": "png"})],
        "--viewport", "400x300@2")
    # Two pixels of the picture for each of the page.
    expect_colours(ctx, ran.picture(2), {(10, 10): BLUE, (10, 90): WHITE, (10, 170): WHITE, (10, 250): GREEN, (10, 330): WHITE,
                                         (10, 399): WHITE, (0, 400): MASK, (399, 479): MASK, (400, 440): WHITE, (10, 481): WHITE},
                   "covered")
    ctx.match(ran.response(3)["result"], [["visible", "block", None], ["visible", "block", "display: block !important;"],
                                          ["visible", "block", None], ["visible", "block", None]], "uncovered")
    expect_colours(ctx, ran.picture(4), {(10, 90): RED, (100, 90): BLUE, (10, 170): BLUE, (10, 250): RED, (10, 330): GREEN,
                                         (10, 410): CYAN, (10, 490): CYAN, (10, 570): WHITE}, "uncovered")
    expect_colours(ctx, ran.picture(5), {(10, 10): CYAN, (10, 81): MASK}, "the element alone")
    ctx.match(ran.response(6), {"success": False, "errorCode": "INVALID_ACTION"}, "what is no selector")
    ctx.expect('screenshot.mask: "][" is not a CSS selector' in ran.response(6)["error"]
               and ran.response(6)["error"].startswith("line 7, column "), ran.response(6)["error"])
    expect_colours(ctx, ran.picture(7), {(10, 410): WHITE, (10, 490): CYAN}, "hidden without more")
    debug = [log["message"] for log in ran.response(2)["logs"] if log["type"] == "debug"]
    ctx.expect(any("nothing matches .nothing of mask" in text for text in debug), f"nothing said of .nothing: {debug}")


def frames(ctx):
    ran = run_steps(ctx, "frames.html", [("wait", {"networkIdle": True}), shot(), ("wait", {"ms": 130}), shot()])
    ctx.match(ran.response(3)["result"], STILL, "frames")
    ctx.expect(ran.picture(3) == ran.picture(5), "frames look different from one picture to the next")
    for top in (50, 170):
        expect_colours(ctx, ran.picture(3), {(10, top + 5): RED, (66, top + 55): RED}, "a frame")
