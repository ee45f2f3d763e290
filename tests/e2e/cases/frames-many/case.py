"""Pages with many frames, and with frames that do not answer: elements of the page itself remain available."""


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/many.html"}), ("wait", {"text": "Frame ?59!"})]
    ways = [{"selector": "#go"}, {"testId": "go"}, {"text": "Go on"}, {"role": "button", "name": "Go on"}]
    steps += [("click", way) for way in ways * 2]
    steps += [("click", {"text": "Frame ?41!"}), ("evaluate", {"expression": "hits.splice(0).length"})]
    many = len(steps)
    steps += [("navigate", {"url": ctx.origin + "/case/stuck.html"}), ("wait", {"text": "Here I hang"}),
              ("click", {"selector": "#go"}), ("evaluate", {"expression": "stick()"}), ("wait", {"ms": 200})]
    first = len(steps)
    steps += [(kind, {**parameters, "timeout": 8000}) for kind, parameters in (
        *(("click", way) for way in ways), ("type", {"role": "textbox", "name": "Name", "text": "Ada"}),
        ("click", {"text": "Frame ?near!"}), ("click", {"selector": "#said", "frame": "[name=near]"}),
        ("wait", {"text": "Frame ?near!"}), ("wait", {"selector": "#said"}),
        ("evaluate", {"expression": "[hits.length, document.querySelector('input').value]"}))]
    result = ctx.run_batch(steps, "--screenshots", "none", seconds=100)
    for number, response in enumerate(result.responses, 1):
        ctx.expect(response["success"], f"{number}: {steps[number - 1]}: {response.get('error')}")
    ctx.expect(result.response(many).get("result") == 8, f"{result.response(many)}")
    ctx.expect(result.response(len(steps)).get("result") == [5, "Ada"], f"{result.response(len(steps))}")
    said = [log["message"] for response in result.responses[first:] for log in response["logs"]]
    ctx.expect(any("hangs.html" in text and "does not answer" in text for text in said), f"{said}")
