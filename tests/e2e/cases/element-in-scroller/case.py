"""A picture of an element that its scrolling box hides: it shows the element, and scroll positions are restored."""
from png_files import Pixels

BROWSER = "shared"
WANTED = {"#in-plain": (200, 30, 40), "#in-smooth": (20, 130, 40), "#in-nested": (30, 60, 180),
          "#in-part": (150, 90, 10), "#in-low": (90, 20, 150), "#in-shadow": (10, 120, 130)}


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/boxes.html", "timeout": 30000}), ("evaluate", {"expression": "moveAll()"})]
    for selector in WANTED:
        steps += [("screenshot", {"selector": selector, "format": "png"}),
                  ("evaluate", {"expression": "places()"})]
    result = ctx.run_batch(steps, "--screenshots", "none", "--timeout", "6000")
    ctx.expect(result.exit == 0, f"exit {result.exit}")
    before = result.response(2)["result"]
    ctx.expect(before[1] == 37 and before[2] == 11, f"the page did not scroll: {before}")
    for i, (selector, colour) in enumerate(WANTED.items()):
        shot, after = result.response(2 * i + 3), result.response(2 * i + 4)
        if ctx.expect(shot["success"], f"{selector}: {shot.get('error')}"):
            found = Pixels(result.picture(2 * i + 3)).colours()
            ctx.expect(found == {colour: 120 * 60}, f"{selector}: {colour} is due alone, there are {found}")
        ctx.expect(after.get("result") == before,
                   f"{selector}: scrolled before {before}, afterwards {after.get('result')}")
