"""Keys without an element go to the focused frame, wherever it is, and no answer claims otherwise."""

BROWSER = "shared"
FRAMES = ["near", "far", "open", "closed"]


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/", "timeout": 30000, "totalErrorThreshold": 0, "maxConsecutiveErrors": 0})]
    for name in FRAMES:
        frame = f"*?{name}"
        steps += [("click", {"selector": "input", "frame": frame}), ("type", {"text": f"into {name}"}),
                  ("press", {"key": "End"}), ("type", {"text": "!\trich"}),
                  ("evaluate", {"frame": frame, "expression":
                                "[document.querySelector('input').value, document.querySelector('p').innerText]"}),
                  # A frame can have the focus even if no element in it does.
                  ("click", {"selector": "b", "frame": frame}), ("type", {"text": "game"}),
                  ("evaluate", {"frame": frame, "expression": "keys.slice(-4)"}),
                  ("evaluate", {"frame": frame, "expression": "document.designMode = 'on'"}),
                  ("type", {"selector": "b", "frame": frame, "text": "-rich"}),
                  ("evaluate", {"frame": frame, "expression": "document.querySelector('b').innerText"})]
    result = ctx.run_batch(steps, "--screenshots", "none", "--timeout", "4000")
    for i, name in enumerate(FRAMES):
        answers = result.responses[11 * i + 1:11 * i + 12]
        told = [answers[number].get("result") for number in (4, 7, 10)]
        ctx.expect(told == [[f"into {name}!", "rich"], "game", "Keys-rich"], f"{name}: {told}")
        for answer in answers:
            said = [log["message"] for log in answer["logs"] if log["type"] == "warning"]
            ctx.expect(answer["success"] and not said, f"{name}, {answer['type']}: {answer.get('error')} {said}")
