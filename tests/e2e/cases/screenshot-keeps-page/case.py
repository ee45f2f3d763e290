"""A full-page picture does not change size and scroll position."""
from faults import NO_LIMITS, Talk

BROWSER = "any"
PLACE = "[innerWidth, innerHeight, scrollX, Math.round(scrollY)]"
HEIGHT = "matchMedia('(min-height: 720px) and (max-height: 720px)').matches"
TRIES = 3


def shoot(ctx, talk, picture, **parameters):
    """If no capture arrives, the page is reopened, which is reported: its scroll position is then lost."""
    for _ in range(TRIES):
        talk.do("ok", "scroll", y=3000, mode="absolute")
        talk.do({"result": [1280, 720, 0, 3000]}, "evaluate", "before", expression=PLACE)
        taken = talk.do({"success": True, "captures": {"post": picture}}, "screenshot", fullPage=True, **parameters)
        if not taken["recovered"]:
            talk.do({"result": [1280, 720, 0, 3000]}, "evaluate", "after", expression=PLACE)
            talk.do({"result": True}, "evaluate", "after", expression=HEIGHT)
            return
    ctx.problem(f"{TRIES} captures did not come: {taken['logs']}")


def run(ctx):
    talk = Talk(ctx, "--max-edge", "0", timeout=45000, screenshots="explicit")
    talk.do("ok", "start", url=ctx.origin + "/long/", **NO_LIMITS)
    shoot(ctx, talk, {"height": {"$le": 1568}}, maxEdge=1568)
    shoot(ctx, talk, {"width": 1280, "height": 12064}, maxPixels=0)
    talk.end()
