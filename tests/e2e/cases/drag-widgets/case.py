"""Drags in lists and sliders of libraries: they end where a person's drag would, and report where."""

from processes import SLOWNESS

BROWSER = "shared"
NAMES = ("a", "b", "c", "d", "dra", "jq", "e", "f")


def run(ctx):
    ctx.requires_widgets("sortablejs", "jquery", "jquery-ui-dist", "dragula", "nouislider")
    steps, wanted = [("start", {"url": ctx.origin + f"/case/lists.html?slowness={SLOWNESS}", "totalErrorThreshold": 0,
                                "maxConsecutiveErrors": 0})], {}

    def order(**changed):
        return " | ".join(changed.get(name, " ".join(f"{name}{i}" for i in range(1, 7))) for name in NAMES)

    def drag(source, target, result=None, **parameters):
        steps.append(("drag", {"selector": source, "to": {"selector": target}, "timeout": 10000, **parameters}))
        wanted[len(steps)] = {"success": True, "result": result or {"source": {"x": {"$type": "number"}}}}

    def value(expression, expected):
        steps.append(("evaluate", {"expression": expression}))
        wanted[len(steps)] = {"success": True, "result": expected}

    def lists(**changed):
        value("(() => { const is = order(); fill(); return is; })()", order(**changed))

    for name in ("a", "b", "c", "d"):
        for count in (3, 10, 50) if name == "a" else (3, 10):
            down = " ".join(f"{name}{i}" for i in (2, 3, 4, 5, 1, 6))
            drag(f"#{name}1", f"#{name}5", {"source": {"parent": f"<ul#{name}>", "index": 4}}, steps=count)
            lists(**{name: down})
        up = " ".join(f"{name}{i}" for i in (1, 6, 2, 3, 4, 5))
        drag(f"#{name}6", f"#{name}2", {"source": {"parent": f"<ul#{name}>", "index": 1}})
        lists(**{name: up})
    for one, other in ("ab", "ba", "cd", "dc"):
        drag(f"#{one}2", f"#{other}3", {"source": {"parent": f"<ul#{other}>", "index": 2}},
             to={"selector": f"#{other}3", "position": {"x": 60, "y": 6}})
        lists(**{one: " ".join(f"{one}{i}" for i in (1, 3, 4, 5, 6)),
                 other: f"{other}1 {other}2 {one}2 " + " ".join(f"{other}{i}" for i in (3, 4, 5, 6))})
    drag("#dra1", "#dra4", {"source": {"parent": "<ul#dra>"}}, to={"selector": "#dra4", "position": {"x": 60, "y": 26}})
    lists(dra="dra2 dra3 dra4 dra1 dra5 dra6")
    drag("#jq1", "#jq4")
    lists(jq="jq2 jq3 jq4 jq1 jq5 jq6")
    # Lists that wait for a long press: without it, the hint or the warning names `hold`.
    for name in ("e", "f"):
        drag(f"#{name}1", f"#{name}4")
        wanted[len(steps)] = {"$in": [{"errorCode": "TARGET_DISABLED", "hint": {"$contains": "hold"}},
                                      {"success": True, "logs": {"$contains": {"message": {"$contains": "hold"}}}}]}
        lists()
        drag(f"#{name}1", f"#{name}4", {"source": {"parent": f"<ul#{name}>", "index": 3}}, hold=int(2600 * SLOWNESS))
        lists(**{name: " ".join(f"{name}{i}" for i in (2, 3, 4, 1, 5, 6))})
    drag("#ui .ui-slider-handle", "#ui", to={"selector": "#ui", "position": {"x": 150, "y": 5}})
    value("Math.abs($('#ui').slider('value') - 50) < 2", True)
    drag("#no .noUi-touch-area", "#no", to={"selector": "#no", "position": {"x": 75, "y": 5}})
    value("Math.abs(no.noUiSlider.get() - 25) < 2", True)
    steps.append(("evaluate", {"expression": "scrollTo(0, 0)"}))
    drag("#box", "#no", to={"x": 600, "y": 400})
    value("(() => { const at = box.getBoundingClientRect(); return [at.x, at.y].map(Math.round); })()", [580, 380])
    steps.append(("drag", {"selector": "#dead", "to": {"x": 600, "y": 300}}))
    wanted[len(steps)] = {"success": False, "errorCode": "TARGET_DISABLED", "error": {"$regex": "nothing has changed"}}

    result = ctx.run_batch(steps, "--screenshots", "none", "--viewport", "1000x800", seconds=110)
    for number, pattern in wanted.items():
        ctx.match(result.response(number), pattern, f"{number}: {steps[number - 1]}")
