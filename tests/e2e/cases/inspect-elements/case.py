"""`inspect`: an element with all details for programs, or all that match, in frames and shadow roots; nothing private."""

BROWSER = "shared"


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/index.html", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0}),
             *[("inspect", {"selector": name}) for name in ("#go", "#size", "#mail", "#pin", "#box", "#form", "#part", "#long")],
             ("inspect", {"selector": "#go", "properties": ["background-color", "zIndex", "--accent"]}),
             ("inspect", {"selector": "#go", "properties": ["colour"]}), ("inspect", {"selector": ".item", "multiple": True}),
             ("inspect", {"selector": ".none", "multiple": True}), ("inspect", {"role": "button", "multiple": True}),
             ("inspect", {"selector": ".item", "timeout": 700}), ("inspect", {"selector": "li[data-no-ai]"}),
             ("inspect", {"selector": ".item", "multiple": True, "ignoreNoAi": True}), ("inspect", {"selector": ".none", "timeout": 700})]
    ran = ctx.run_batch(steps, "--screenshots", "none", seconds=120)
    (_, go, size, mail, pin, box, form, part, long, styles, unknown, items, none, buttons, ambiguous, denied, ignored, missing) = ran.responses
    ctx.match(go["result"], {"found": 1, "element": {
        "tag": "button", "id": "go", "classes": ["btn", "primary"], "attributes": {"id": "go", "class": "btn primary", "data-kind": "main"},
        "data": {"kind": "main", "track-id": "7"}, "text": "Go now", "html": "<b>Go</b> now", "visible": True, "clickable": True,
        "box": [10, 20, 100, 40], "styles": {"position": "absolute", "zIndex": "3", "backgroundColor": "rgb(1, 2, 3)"}, "parent": "body",
        "children": 1, "role": "button", "name": "Go now", "disabled": False}}, "a button")
    ctx.match(size["result"]["element"], {"value": "l", "options": [{"value": "s", "text": "Small", "selected": False},
              {"value": "l", "text": "Large", "selected": True, "disabled": True}]}, "a list")
    ctx.match(mail["result"]["element"], {"value": "no mail", "required": True, "invalid": {"$regex": "."}, "attributes": {"min": "1"}}, "a field")
    ctx.match(pin["result"]["element"], {"private": True, "value": "***", "attributes": {"value": "***"}}, "a private field")
    ctx.match(box["result"]["element"], {"checked": True, "readOnly": {"$absent": True}}, "a checkbox")
    ctx.match(form["result"]["element"], {"tag": "form", "id": "form", "attributes": {"id": "form"}, "children": 2}, "a form with fields of such names")
    ctx.match(part["result"]["element"], {"text": "open ", "html": "open <!-- left out: data-no-ai -->"}, "a part that is not for models")
    ctx.expect(len(long["result"]["element"]["options"]) == 1000 and long["result"]["element"]["optionsLeftOut"] == 500, "a long list")
    ctx.match(styles["result"]["element"]["styles"], {"background-color": "rgb(1, 2, 3)", "zIndex": "3", "--accent": "teal"}, "styles by name")
    ctx.match(unknown, {"success": False, "errorCode": "INVALID_ACTION", "error": {"$regex": "colour"}, "hint": {"$regex": "background-color"}}, "no property")
    told = [(one["text"], one["visible"]) for one in items["result"]["elements"]]
    ctx.expect(told == [("one", True), ("two", False), ("in a root", True), ("in a frame", True)] and items["result"]["found"] == 4, f"all: {told}")
    ctx.match(items["result"]["elements"][3], {"box": [200, 100, 300, 20], "frame": "about:srcdoc"}, "the box in a frame")
    ctx.expect("secret" not in str(items["result"]) and "omitted: 1" in str(items["logs"]), "one is not for models")
    ctx.match(none, {"success": True, "result": {"found": 0, "elements": []}}, "none of several")
    ctx.match(buttons["result"], {"found": 1, "elements": [{"id": "go"}]}, "by role")
    ctx.match(ambiguous, {"success": False, "errorCode": "TARGET_AMBIGUOUS"}, "several where one is meant")
    ctx.match(denied, {"success": False, "errorCode": "POLICY_DENIED"}, "one that is kept from models")
    ctx.expect(ignored["result"]["found"] == 5, f"ignoreNoAi: {ignored['result']['found']}")
    ctx.match(missing, {"success": False, "errorCode": "TARGET_NOT_FOUND"}, "none")
    ctx.expect("4711-inspected" not in ran.text, "a private value is told")
