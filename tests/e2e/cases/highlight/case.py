"""Marks of highlight: which pictures show them, that they disappear by themselves, and that the page is not changed."""
import base64

from harness import case
from pictures import pixels_of
from processes import SLOWNESS

WHITE = (255, 255, 255)
AT = {"mark": (70, 50), "empty": (70, 150), "inside": (240, 50)}


def run(ctx):
    steps, wanted, shots = [("start", {"url": ctx.origin + "/case/index.html", "waitUntil": "networkidle0",
                                       "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})], {}, {}

    def step(kind, pattern, **parameters):
        steps.append((kind, {"timeout": int(3000 * SLOWNESS), **parameters}))
        wanted[len(steps)] = pattern

    def mark(pattern=None, **parameters):
        step("highlight", {"success": True, "result": pattern or {}}, **{"ms": 600000, "color": "black", **parameters})

    def shot(*marked):
        step("screenshot", {"success": True}, format="png", timeout=int(15000 * SLOWNESS))
        shots[len(steps)] = marked

    def refused(code, **parameters):
        step("highlight", {"errorCode": code, "hint": {"$absent": False}}, **{"timeout": 400, **parameters})

    step("evaluate", {"result": True}, expression="Boolean(seen.splice(0))")
    mark({"element": "<div#mark>", "x": 20, "y": 20, "width": 100, "height": 60, "ms": 600000}, selector="#mark")
    shot()
    mark(selector="#mark", captured=True)
    shot("mark")
    # The next mark replaces it; a box is relative to the viewport.
    mark({"x": 20, "y": 120, "width": 100, "height": 60, "element": {"$absent": True}},
         box={"x": 20, "y": 120, "width": 100, "height": 60}, captured=True)
    shot("empty")
    step("screenshot", {"success": True}, format="png", stable=True, timeout=int(15000 * SLOWNESS))
    shots[len(steps)] = ()
    mark({"element": "<div#inside>", "x": 200, "y": 20, "width": 80, "height": 60}, selector="#inside", frame="far", captured=True)
    shot("inside")
    step("evaluate", {"result": []}, expression="seen")
    # It follows the element, and ends with it.
    mark(selector="#mark", captured=True)
    step("evaluate", {"result": 100}, expression="mark.style.top = '120px'")
    wanted[len(steps)] = {"success": True}
    shot("empty")
    step("evaluate", {"success": True}, expression="mark.style.top = ''; seen.splice(0)")
    # An invisible element is neither marked nor scrolled to.
    refused("TARGET_NOT_VISIBLE", selector="#below")
    refused("TARGET_NOT_VISIBLE", box={"x": 5000, "y": 0, "width": 10, "height": 10})
    step("highlight", {"errorCode": "TARGET_NOT_VISIBLE"}, selector="#hidden", timeout=400)
    step("evaluate", {"result": 0}, expression="scrollY")
    # By itself, after its time.
    mark(selector="#mark", captured=True, ms=300)
    step("wait", {"success": True}, ms=int(1500 * SLOWNESS), timeout=int(9000 * SLOWNESS))
    shot()
    # And with its document.
    mark(selector="#mark", captured=True)
    step("reload", {"success": True}, timeout=int(15000 * SLOWNESS))
    shot()
    marks = add_scaled(ctx, steps)
    result = ctx.run_batch(steps, "--screenshots", "none", "--max-edge", "0", "--viewport", "800x600")
    for number, pattern in wanted.items():
        ctx.match(result.response(number), pattern, f"{number}: {steps[number - 1]}")
    for number in marks:
        x, y = result.response(number)["result"]
        ctx.match(result.response(number + 1), {"success": True, "result": {"x": round(x), "y": round(y), "width": 120}},
                  f"{number}: {steps[number]}")
    for number, marked in shots.items():
        data = result.response(number)["screenshots"]["post"]["source"]["data"]
        _, _, pixel = pixels_of(base64.b64decode(data))
        shown = tuple(name for name, (x, y) in AT.items() if pixel(x, y) != WHITE)
        ctx.expect(shown == marked, f"{number}: marked in the picture: {shown}, expected {marked}")
    for bad in ({}, {"selector": "#mark", "box": {"x": 0, "y": 0, "width": 1, "height": 1}}, {"selector": "#mark", "color": "plaid"},
                {"selector": "#mark", "ms": 0}):
        refused_run = ctx.run_batch([("highlight", bad)])
        ctx.expect(refused_run.exit == 2 and "highlight" in refused_run.stderr, f"{bad}: exit {refused_run.exit}: {refused_run.stderr}")


def add_scaled(ctx, steps):
    """Adds marks on pages that are drawn smaller than their viewport, or begin at the right. Returns the numbers of the
    actions that report where the element is; the next action marks it."""
    scaled, marks = case("places-scaled"), []
    for name, is_phone, *_ in scaled.PAGES:
        steps += [("emulate", scaled.emulation(is_phone)), ("navigate", {"url": f"{ctx.origin}/e2e/scaled/{name}.html"})]
        for button in scaled.COLOURS:
            selector = {"selector": "#" + button}
            steps += [("click", selector), ("evaluate", {"expression": f"(({{ x, y }}) => [x, y])({button}.getBoundingClientRect())"}),
                      ("highlight", selector)]
            marks.append(len(steps) - 1)
    return marks
