"""A click succeeds if the first event of its press arrives, and the answer says which events arrived where."""

BROWSER = "shared"
PRESS = ["pointerdown", "mousedown"]
WHOLE = PRESS + ["mouseup", "click"]
NONE, SOME = {"$absent": True}, {"$absent": False}
ANY = {"$in": [NONE, SOME]}


def run(ctx):
    ctx.requires_widgets("jquery", "select2", "flatpickr", "tom-select", "choices.js", "monaco-editor")
    steps, wanted = [("start", {"url": ctx.origin + "/case/press.html", "totalErrorThreshold": 0,
                                "maxConsecutiveErrors": 0})], {}

    def step(kind, pattern=None, **parameters):
        steps.append((kind, {"timeout": 4000, **parameters}))
        wanted[len(steps)] = pattern or {"success": True}

    def value(expression, expected):
        step("evaluate", {"result": expected}, expression=expression)

    def click(selector, events, elsewhere=NONE, seen=None, element=None, **parameters):
        where = {"selector": selector} if selector else {}
        delivered = {"events": events, "x": {"$type": "number"}, "y": {"$type": "number"},
                     "element": element or {"$regex": (selector or "").replace("#", "button#")},
                     "elsewhere": elsewhere}
        step("click", {"success": True, "delivered": delivered}, **where, **parameters)
        if seen:
            value("seen.splice(0)", seen)

    def away(events, element):
        return {"events": events, "element": {"$regex": element}}

    def whole(name):
        return [f"mousedown {name}", f"mouseup {name}", f"click {name}"]

    # Removed, hidden, moved, covered or replaced by the press.
    value("seen.splice(0)", [])
    click("#pointer", ["pointerdown"], {"$type": "object"})
    value("[!document.getElementById('pointer'), seen.splice(0)]", [True, ["mousedown div", "mouseup div"]])
    for name, events in (("down", ["mouseup"]), ("hidden", ["mouseup", "click"])):
        click(f"#{name}", PRESS, away(events, "<div>"))
        value("seen.splice(0)[0]", f"mousedown {name}")
    click("#up", PRESS + ["mouseup"], ANY)
    click("#moved", PRESS, away(["mouseup", "click"], "<div>"))
    click("#covered", PRESS, away(["mouseup", "click"], "<(div#shade|body)"))
    step("evaluate", expression="document.getElementById('shade').remove(); seen.splice(0)")
    click("#redrawn", PRESS + ["mouseup"], ANY)
    step("evaluate", expression="seen.splice(0)")
    # The page stops the propagation of the events.
    click("#stopped", WHOLE, seen=whole("stopped"))
    # Each button, twice, at a position of the element, by a label, by coordinates, verified.
    click("#twice", PRESS, ANY, clickCount=2)
    click("#middle", PRESS, ANY, button="middle")
    click("#right", PRESS, ANY, button="right")
    step("evaluate", expression="seen.splice(0)")
    click("#plain", WHOLE * 2 + ["dblclick"], element="<b#inner>", clickCount=2, modifiers=["Shift"])
    click("#plain", PRESS + ["mouseup", "auxclick"], element="<b#inner>", button="middle")
    click("#plain", PRESS + ["contextmenu", "mouseup", "auxclick"], button="right", position={"x": 3, "y": 3})
    step("evaluate", expression="seen.splice(0)")
    step("click", {"success": True, "delivered": {"events": WHOLE, "element": {"$regex": "^<label#label"}}}, selector="#box")
    value("document.getElementById('box').checked", True)
    step("check", {"success": True, "delivered": {"events": WHOLE}}, selector="#box", checked=False)
    step("click", {"success": True, "delivered": {"events": WHOLE, "x": 400, "y": 60, "element": "<div>"}}, x=400, y=60)
    click("#verified", PRESS, ANY, visualVerify=True)
    step("click", {"success": False, "errorCode": "TARGET_DISABLED", "delivered": NONE}, selector="#dimmed", timeout=300)
    step("hover", {"success": True, "delivered": NONE}, selector="#plain")
    # In frames of this and of another process.
    step("wait", selector="#inside", frame="far")
    for frame in ("near", "far"):
        click("#inside", PRESS, ANY, frame=frame)
    click("#gone", PRESS, ANY, frame="near")
    value("document.querySelector('[name=near]')", None)
    # Another element covers it from time to time: the answer names the actual receiver.
    for _ in range(8):
        step("evaluate", expression="seen.splice(0)")
        step("click", {"delivered": ANY}, selector="#blinking", timeout=300)
        step("evaluate", expression="seen.splice(0).slice(0, 4)")
    blinking = range(len(steps) - 22, len(steps) + 1, 3)
    # The tab, or the page, ends with the press.
    click("#opens", WHOLE)
    step("wait", ms=200)
    step("tab", op="activate", id=2)
    step("click", {"success": True, "delivered": {"events": SOME}}, selector="#close")
    value("document.title", "Press")
    step("click", {"success": True, "delivered": {"events": SOME}}, selector="#leaves")
    value("location.search", "?left")
    # Widgets that react to events before the click.
    step("navigate", url=ctx.origin + "/case/widgets.html", timeout=15000)
    for choice in ("quince", "pear"):
        step("click", selector=".select2-selection")
        step("click", selector=".select2-results__option", nth=["apple", "pear", "quince"].index(choice))
        value("document.getElementById('fruit').value", choice)
    step("click", selector="#date")
    step("click", selector=".flatpickr-day[aria-label='May 20, 2024']")
    value("document.getElementById('date').value", "2024-05-20")
    step("click", selector=".ts-control")
    step("click", selector=".ts-dropdown .option[data-value=bee]")
    value("document.getElementById('tom').value", "bee")
    step("click", selector=".choices")
    step("click", selector=".choices__list--dropdown .choices__item[data-value=green]")
    value("document.getElementById('choices').value", "green")
    step("wait", expression="window.editor && document.querySelectorAll('.view-line').length > 2", timeout=15000)
    step("click", {"success": True, "delivered": {"events": SOME}}, text="second line")
    value("editor.getPosition().lineNumber", 2)

    result = ctx.run_batch(steps, "--screenshots", "none")
    for number, pattern in wanted.items():
        ctx.match(result.response(number), pattern, f"{number}: {steps[number - 1]}")
    for number in blinking:
        clicked, seen = result.response(number), result.response(number + 1).get("result")
        delivered = clicked.get("delivered") or {}
        if seen and seen[0] == "mousedown blinking":
            ctx.expect(clicked["success"] and delivered.get("events", [])[:2] == PRESS, f"{number}: {clicked}")
        elif seen:
            ctx.match(clicked, {"success": False, "errorCode": "TARGET_OBSCURED", "error": {"$regex": "restless"},
                                "delivered": {"events": {"$in": [[], ["mouseup"]]}, "elsewhere": {"element": {"$regex": "restless"}}}}, f"{number}")
        else:
            ctx.match(clicked, {"success": False, "delivered": NONE}, f"{number}")
