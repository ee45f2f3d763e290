"""The wheel scrolls lists, zooms maps and drawings, and is an error if it has no effect."""

BROWSER = "shared"


def run(ctx):
    ctx.requires_widgets("leaflet", "three", "ag-grid-community")
    steps, wanted = [("start", {"url": ctx.origin + "/case/wheel.html", "totalErrorThreshold": 0,
                                "maxConsecutiveErrors": 0})], {}

    def step(kind, pattern, **parameters):
        steps.append((kind, {"timeout": 8000, **parameters}))
        wanted[len(steps)] = {"success": True, **pattern}

    def value(expression, expected):
        step("evaluate", {"result": expected}, expression=expression)

    step("wait", {}, expression="window.controls && document.querySelector('.ag-row')")
    step("wheel", {"result": {"handled": True, "scrolled": []}}, selector="#map", deltaY=-240)
    step("wait", {}, expression="map_.getZoom() > 5")
    step("wheel", {"result": {"handled": True}}, selector="#view", deltaY=100)
    value("controls.update(), controls.object.position.length() > 10", True)
    step("wheel", {"result": {"scrolled": [{"element": {"$regex": "ag-grid|ag-body"}, "from": {"x": 0, "y": 0}, "to": {"y": 2000}}]}},
         selector=".ag-row", nth=1, deltaY=2000)
    step("wait", {}, expression="[...document.querySelectorAll('.ag-row')].some((row) => Number(row.getAttribute('row-index')) > 40)")
    step("wheel", {"result": {"handled": False, "scrolled": [{"element": "<div#shelf>", "to": {"x": 70, "y": 130}}]}},
         selector="#shelf", deltaX=70, deltaY=130, position={"x": 20, "y": 20})
    value("document.getElementById('shelf').scrollTop", 130)
    step("wheel", {"result": {"scrolled": [{"to": {"x": {"$gt": 70}}}]}}, x=50, y=190, deltaY=100, modifiers=["Shift"])
    value("keys.splice(0).map((one) => one.slice(2))", [[False, False, True], [True, False, True]])
    step("wheel", {"success": False, "errorCode": "TARGET_DISABLED", "error": {"$regex": "div#dead"}}, selector="#dead", deltaY=100)
    step("wheel", {"result": {"scrolled": [{"element": "<html>", "to": {"y": 50}}]}}, selector="#top", frame="far", deltaY=50)
    value("document.scrollingElement.scrollTop", 0)
    # The inner element is at its end: the page around it scrolls.
    step("wheel", {"result": {"scrolled": [{"to": {"y": 0}}]}}, selector="#top", frame="far", deltaY=-2000)
    step("wheel", {"result": {"scrolled": [{"element": "<div#around>", "from": {"y": 0}, "to": {"y": 60}}]}},
         selector="#short", frame="still", deltaY=60)
    value("around.scrollTop", 60)
    step("wheel", {"result": {"handled": True}}, selector="#dial", deltaY=50)
    step("wheel", {"result": {"handled": False, "scrolled": []}, "logs": [{"type": "warning", "message": {"$regex": "canvas#deaf.*does not tell"}}]},
         selector="#deaf", deltaY=50)
    result = ctx.run_batch(steps, "--screenshots", "none", "--viewport", "1000x800")
    for number, pattern in wanted.items():
        ctx.match(result.response(number), pattern, f"{number}: {steps[number - 1]}")
    for bad, said in (({}, "needs a deltaX"), ({"deltaY": 0}, "needs a deltaX"), ({"deltaY": "down"}, "deltaY")):
        refused = ctx.run_batch([("wheel", {"selector": "#map", **bad})])
        ctx.expect(refused.exit == 2 and said in refused.stderr, f"{bad}: exit {refused.exit}: {refused.stderr}")
