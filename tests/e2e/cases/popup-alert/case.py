"""A page opens tabs that show a dialog at once: that is logged, and the page continues as before."""

BROWSER = "shared"
STEPS = [
    ("click", {"selector": "#open"}),
    ("wait", {"text": "Popups answered: 1"}),
    ("click", {"selector": "#after"}),
    ("evaluate", {"expression": "hits"}),
    ("screenshot", {}),
    ("click", {"selector": "#blank"}),
    ("wait", {"text": "Popups answered: 2"}),
    ("click", {"selector": "#after"}),
    ("evaluate", {"expression": "hits"}),
    ("evaluate", {"expression": "window.open('/case/popup.html'); 5"}),
    ("wait", {"text": "Popups answered: 3"}),
    ("navigate", {"url": "http://127.0.0.1:8765/case/opener.html"}),
    ("evaluate", {"expression": "document.title"}),
]


def run(ctx):
    steps = [("start", {"url": "http://127.0.0.1:8765/case/opener.html", "timeout": 30000}), *STEPS]
    result = ctx.run_batch(steps, "--screenshots", "none", "--timeout", "8000")
    ctx.expect(result.exit == 0, f"exit {result.exit}: {ctx.outline(result)}")
    ctx.match(result.response(5), {"result": 1}, "clicks after the first tab")
    ctx.match(result.response(10), {"result": 2}, "clicks after the second tab")
    ctx.match(result.response(14), {"result": "Opener"}, "at the end")
    for name, first in (("window.open by a click", 2), ("a link to another tab", 7), ("window.open by a script", 11)):
        said = [log["message"] for response in result.responses[first - 1:first + 1] for log in response["logs"]]
        ctx.expect(any("tab" in text and "popup.html" in text for text in said),
                   f"{name}: no log tells of the new tab: {said}")
        ctx.expect(any("from the popup" in text for text in said), f"{name}: no log tells of its dialog: {said}")
    ctx.match(ctx.counts(), {"popup": 3}, "popups whose dialog was answered")
