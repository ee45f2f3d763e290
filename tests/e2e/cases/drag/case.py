"""Drag: with drag and drop of the browser, with the mouse alone, and in frames."""


def run(ctx):
    steps, wanted = [("start", {"url": ctx.origin + "/case/drag.html", "maxConsecutiveErrors": 0})], {}

    def step(kind, parameters, *expected):
        steps.append((kind, {"timeout": 8000, **parameters}))
        wanted[len(steps)] = expected

    def seen(*expected):
        step("evaluate", {"expression": "seen.splice(0)"}, list(expected))

    step("drag", {"selector": "#apple", "to": {"selector": "#basket"}})
    seen("apple in basket true", "end copy")
    step("drag", {"text": "apple", "to": {"testId": "far"}, "steps": 3})
    seen("apple in far true", "end copy")
    step("drag", {"selector": "#apple", "to": {"selector": "#wall"}}, "TARGET_DISABLED", "nothing accepted")
    seen("end none")
    step("drag", {"selector": "#stuck", "to": {"selector": "#basket"}}, "TARGET_DISABLED", "prevented its start")
    seen()
    step("drag", {"selector": "#knob", "to": {"selector": "#track", "position": {"x": 315, "y": 10}}})
    seen("knob 300")
    step("drag", {"selector": "#canvas", "position": {"x": 5, "y": 5},
                  "to": {"selector": "#canvas", "position": {"x": 250, "y": 60}}})
    seen("strokes true")
    step("drag", {"selector": "#apple", "to": {"selector": "#nowhere"}, "timeout": 400}, "TARGET_NOT_FOUND", "#nowhere")
    seen()
    step("evaluate", {"expression": "scrollTo(0, 0)"})
    step("drag", {"x": 50, "y": 40, "to": {"xRange": {"min": 20, "max": 40}, "yRange": {"min": 80, "max": 100}}})
    seen("apple in basket true", "end copy")
    step("drag", {"x": 50, "y": 40, "to": {"x": 50, "y": 4000}}, "TARGET_NOT_VISIBLE", "viewport")
    step("drag", {"selector": "#apple", "to": {"selector": "#basket"}, "modifiers": ["Control"]})
    seen("with Control", "apple in basket true", "end copy")
    step("drag", {"selector": "#lever", "to": {"selector": "#lever", "position": {"x": 90, "y": 40}}, "button": "right", "modifiers": ["Shift"]})
    step("evaluate", {"expression": "lamp.textContent"}, "2,true")
    # A ticking clock, and a drawing of the mouse, are not reactions of the page.
    step("drag", {"selector": "#dead", "to": {"selector": "#wall"}}, "TARGET_DISABLED", "nothing has changed")
    step("drag", {"selector": "#dead", "to": {"selector": "#far"}}, "TARGET_DISABLED", "nothing has changed")
    # Whatever happens, the button is released.
    step("drag", {"selector": "#slow", "to": {"selector": "#slow", "position": {"x": 90, "y": 40}}, "timeout": 1000}, "TIMEOUT", "")
    seen("up")
    # A drop that leads to another page is not a failure.
    step("drag", {"selector": "#apple", "to": {"selector": "#gate"}})
    step("evaluate", {"expression": "location.search"}, "?gate")
    step("drag", {"selector": "#slide", "to": {"selector": "#wall"}})
    step("evaluate", {"expression": "location.search"}, "?slide")
    step("navigate", {"url": ctx.origin + "/case/frames.html"})
    step("wait", {"selector": "#apple", "frame": "other"})
    step("drag", {"selector": "#apple", "frame": "other", "to": {"selector": "#basket", "frame": "other"}})
    step("drag", {"selector": "#apple", "frame": "near", "to": {"selector": "#basket", "frame": "near"}})
    step("drag", {"selector": "#knob", "frame": "other", "to": {"selector": "#track", "frame": "other"}})
    step("drag", {"selector": "#apple", "frame": "near", "to": {"selector": "#basket", "frame": "other"}})
    step("drag", {"selector": "#apple", "frame": "other", "to": {"selector": "#wall", "frame": "near"}},
         "TARGET_DISABLED", "nothing accepted")
    result = ctx.run_batch(steps, "--screenshots", "none", "--show-actions")
    for number, expected in wanted.items():
        response, about = result.response(number), f"{number}: {steps[number - 1]}: "
        if len(expected) == 2:
            ctx.expect(response.get("errorCode") == expected[0] and expected[1] in response.get("error", ""), f"{about}{response}")
        elif ctx.expect(response["success"], f"{about}{response.get('error')}") and expected:
            got = response["result"]
            ctx.expect(got == expected[0], f"{about}{got}")

    for bad, path in (({}, "drag: needs a \"to\""), ({"to": 3}, "drag.to"), ({"to": {}}, "drag.to"), ({"to": {"selector": "a", "x": 1, "y": 1}}, "drag.to"),
                      ({"to": {"selector": "a", "timeout": 1}}, "drag.to.timeout"), ({"to": {"selektor": "a"}}, "drag.to.selektor"),
                      ({"to": {"selector": "a"}, "steps": 0}, "drag.steps"), ({"to": {"selector": "a"}, "hold": -1}, "drag.hold")):
        refused = ctx.run_batch([("drag", {"selector": "#apple", **bad})])
        ctx.expect(refused.exit == 2 and path in refused.stderr, f"{bad}: exit {refused.exit}: {refused.stderr}")
