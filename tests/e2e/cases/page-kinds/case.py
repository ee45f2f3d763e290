"""The kinds of pages that agents meet: the action's result agrees with what the page has seen."""

BROWSER = "any"


def run(ctx):
    steps, wanted = [], {}

    def step(kind, parameters, **expected):
        steps.append((kind, {"timeout": 8000, **parameters}))
        wanted[len(steps)] = expected

    def visit(page):
        step("navigate" if steps else "start", {"url": f"{ctx.origin}/case/{page}.html", **(
            {} if steps else {"maxConsecutiveErrors": 0, "totalErrorThreshold": 0})})

    def hits(*expected):
        step("evaluate", {"expression": "hits.splice(0)"}, result=list(expected))

    def either(kind, parameters, hit):
        """A success that the page has seen once, or an error of which it has seen nothing, unless the error is that the
        document was replaced: the new one may have received the event."""
        steps.append((kind, {"timeout": 8000, **parameters}))
        steps.append(("wait", {"ms": 150}))
        steps.append(("evaluate", {"expression": "hits.splice(0)"}))
        wanted[len(steps) - 2] = {"either": hit}

    visit("replaced")
    for way in ({"testId": "hover"}, {"role": "button", "name": "Drawn on hover"}, {"text": "Drawn on hover"}):
        step("evaluate", {"expression": "hovered = 0"})
        step("hover", {"selector": "body", "position": {"x": 5, "y": 5}})
        step("click", way)
        hits("hover")
    step("reload", {})
    step("click", {"role": "button", "name": "Save"})
    hits("late")
    for way in ({"testId": "often"}, {"role": "button", "name": "Drawn all"}, {"text": "Drawn all the time"},
                {"selector": "#often button"}, {"targets": ["#nothing", "Drawn all the time"]}) * 2:
        either("click", way, "often")
    # The page has received the press, and replaced the button before the rest: the answer says so.
    step("click", {"text": "Drawn on press"}, undelivered="click")
    hits()
    # The press alone has changed these, so they are not pressed again.
    for control in ("list", "range"):
        step("click", {"selector": f"#{control} > *"}, undelivered="click")
        hits(control)
    # The press takes the focus from a field, whose listener replaces the button: nothing has heard the press, so it is
    # clicked again, unless that happens each time.
    step("type", {"selector": "#once", "text": "Ada"})
    step("click", {"text": "Drawn on change"})
    hits("change")
    step("click", {"selector": "#always"})
    step("click", {"text": "Drawn on blur"}, errorCode="STALE_NODE")
    hits()
    # Replaced once, between the last check and the press of the button.
    for way in ({"testId": "move"}, {"role": "button", "name": "Drawn on move"}, {"text": "Drawn on move"}):
        for ms in (0, 1, 2, 3, 4, 5, 6, 8, 10, 14):
            step("hover", {"x": 5, "y": 5})
            step("evaluate", {"expression": f"replaceAfter({ms})"})
            either("click", way, "move")

    visit("bars")
    for number in (80, 1, 40, 41, 12, 79, 2):
        step("click", {"testId": f"order-{number}"})
        hits(number)
    step("click", {"role": "button", "name": "Order 37"})
    hits(37)
    step("scroll", {"y": 1000, "mode": "absolute"})
    step("click", {"text": "Accept"})
    step("click", {"text": "Menu"})
    hits("foot", "head")

    visit("overlays")
    step("click", {"text": "Shop now", "timeout": 400}, errorCode="TARGET_OBSCURED")
    step("click", {"text": "Agree to all"})
    step("click", {"text": "Shop now"})
    hits("agree", "shop")
    step("click", {"role": "button", "name": "Ask me"})
    step("click", {"text": "Shop now", "timeout": 400}, errorCode="TARGET_OBSCURED")
    step("click", {"text": "Yes, please"})
    step("click", {"text": "Shop now"})
    hits("ask", "yes", "shop")

    visit("rows")
    step("click", {"text": "Customer 7."})
    step("click", {"text": "Customer 500.", "timeout": 400}, errorCode="TARGET_NOT_FOUND")
    step("scroll", {"selector": "#view", "y": 20000, "mode": "absolute"})
    step("wait", {"text": "Customer 503."})
    step("click", {"text": "Customer 503."})
    step("scroll", {"selector": "#view", "y": 4000})
    step("click", {"text": "Customer 604."})
    step("click", {"text": "Customer 7.", "timeout": 400}, errorCode="TARGET_NOT_FOUND")
    hits(7, 503, 604)

    visit("canvas")
    step("click", {"selector": "#board", "position": {"x": 230, "y": 130}})
    step("click", {"selector": "#board", "position": {"x": 20, "y": 20}})
    hits("square", "empty")
    step("click", {"selector": "#board", "position": {"x": 400, "y": 20}, "timeout": 400}, failed=True)

    visit("editor")
    step("type", {"role": "textbox", "name": "Letter", "text": "Žluťoučký 👩‍👩‍👧 e\u0301 日本\nsecond", "clear": True})
    step("press", {"key": "Enter"})
    step("type", {"text": "third", "delay": 5})
    step("evaluate", {"expression": "rich.innerText.replace(/\\n+/g, '|')"},
         result="Žluťoučký 👩‍👩‍👧 e\u0301 日本|second|third")
    step("type", {"role": "textbox", "name": "Note", "text": "new 🎉", "clear": True})
    step("evaluate", {"expression": "plain.textContent"}, result="new 🎉")

    visit("parts")
    step("click", {"selector": "closed-card button", "timeout": 400}, errorCode="TARGET_NOT_FOUND")
    step("click", {"text": "Sealed off"})
    hits("closed")
    step("click", {"text": "Slotted in"})
    step("click", {"role": "button", "name": "Slotted in"})
    hits("slotted", "slotted")
    step("type", {"role": "textbox", "name": "Nickname", "text": "Ada"})
    step("type", {"testId": "field", "text": "-K"})
    step("focus", {"testId": "field"})
    step("press", {"key": "End"})
    step("type", {"text": "-L"})
    step("evaluate", {"expression": "field.shadowRoot.querySelector('input').value"}, result="Ada-K-L")
    step("click", {"text": "I agree to the terms"})
    step("check", {"selector": "#terms", "checked": True})
    hits("terms true")
    step("check", {"role": "checkbox", "name": "I agree", "checked": False})
    hits("terms false")
    step("check", {"selector": "#linked", "checked": True, "timeout": 400}, errorCode="TARGET_OBSCURED")
    step("click", {"text": "Rome", "timeout": 400}, errorCode="INVALID_ACTION")
    step("select", {"role": "combobox", "name": "Town", "label": "Cadiz"})
    step("select", {"role": "combobox", "name": "Town", "index": 1})
    step("select", {"role": "combobox", "name": "Town", "value": "c1", "timeout": 400}, errorCode="TARGET_DISABLED")
    hits("s2", "n2")
    step("click", {"text": "Inside of it", "timeout": 400}, errorCode="TARGET_NOT_VISIBLE")
    step("click", {"text": "More of it"})
    step("click", {"text": "Inside of it"})
    hits("more")

    visit("motion")
    either("click", {"text": "Pulsing offer", "timeout": 1500}, "pulse")
    either("click", {"text": "Swaying offer", "timeout": 1500}, "sway")
    step("click", {"text": "Glowing offer"})
    hits("glow")
    step("click", {"text": "Open the panel"})
    step("click", {"text": "From the side"})
    hits("panel")

    visit("frames")
    for way in ({"role": "button", "name": "Press inside"}, {"text": "Press inside"}, {"selector": "button"}) * 4:
        either("click", {**way, "frame": "reloading"}, "reloading click")
    step("type", {"role": "textbox", "name": "Word", "frame": "typing", "text": "removed while typing", "delay": 20},
         failed=True)
    step("click", {"text": "Press inside", "frame": "typing", "timeout": 400}, errorCode="TARGET_NOT_FOUND")

    result = ctx.run_batch(steps, "--screenshots", "none", seconds=110)
    for number, expected in wanted.items():
        response = result.response(number)
        about = f"{number}: {steps[number - 1]}: "
        if "either" in expected:
            seen = result.response(number + 2)["result"]
            allowed = [[expected["either"]]] if response["success"] else [[]]
            if response.get("errorCode") == "STALE_NODE":
                allowed.append([expected["either"]])
            ctx.expect(seen in allowed,
                       f"{about}{response.get('error', 'success')}, but the page saw {seen}")
        elif "errorCode" in expected:
            ctx.expect(response.get("errorCode") == expected["errorCode"], f"{about}{response}")
        elif "failed" in expected:
            ctx.expect(not response["success"], f"{about}{response}")
        elif ctx.expect(response["success"], f"{about}{response.get('error')}"):
            if "result" in expected:
                ctx.expect(response["result"] == expected["result"], f"{about}{response['result']}")
            is_warned = any("the click went elsewhere" in log["message"] for log in response.get("logs", []))
            ctx.expect(is_warned == ("undelivered" in expected), f"{about}{response.get('logs')}")
            if "undelivered" in expected:
                ctx.expect(expected["undelivered"] not in response["delivered"]["events"],
                           f"{about}{response['delivered']}")
