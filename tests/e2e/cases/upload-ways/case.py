"""Files for a chooser that a click has opened, for drop areas, and for directory fields."""
import json

BROWSER = "any"
OK = None
ONE, TWO = "one.txt", "two.txt"
# action, parameters, expected error, what the page reports afterwards; None: not checked
STEPS = [
    ("upload", {"files": [ONE], "timeout": 800}, "INVALID_ACTION", []),
    ("click", {"selector": "#made"}, OK, []),
    ("upload", {"files": [ONE, TWO]}, OK, [["chosen", [ONE, TWO], ONE]]),
    ("upload", {"files": [ONE], "timeout": 800}, "INVALID_ACTION", []),
    ("click", {"selector": "#gone", "visualVerify": True}, OK, []),
    ("evaluate", {"expression": "gc()"}, OK, []),
    ("upload", {"files": [ONE, TWO]}, "INVALID_ACTION", []),
    ("upload", {"files": [TWO]}, OK, [["chosen", [TWO], TWO]]),
    ("click", {"selector": "#later"}, OK, []),
    ("upload", {"files": [ONE]}, OK, [["chosen", [ONE], ONE]]),
    ("click", {"selector": "#own"}, OK, []),
    ("upload", {"files": [ONE]}, OK, [["own", [ONE], ONE]]),
    ("upload", {"selector": "#several", "files": [ONE, TWO]}, OK, [["several", [ONE, TWO], ONE]]),
    ("upload", {"selector": "#folder", "files": ["folder"]}, OK, [["folder", ["folder/in.txt"], "in.txt"]]),
    ("upload", {"selector": "#folder", "files": [ONE]}, "INVALID_ACTION", []),
    ("upload", {"selector": "#own", "files": ["folder"]}, "INVALID_ACTION", []),
    ("upload", {"selector": "#area", "files": [ONE]}, OK, [["dropped Files", [ONE], ONE]]),
    ("upload", {"text": "Drop here", "files": [ONE, TWO]}, OK, [["dropped Files", [ONE, TWO], ONE]]),
    ("upload", {"selector": "#deaf", "files": [ONE], "timeout": 1000}, "TARGET_DISABLED", []),
    ("upload", {"selector": "#half", "files": [ONE], "timeout": 1000}, "TARGET_DISABLED", []),
    ("upload", {"selector": "#texts", "files": [ONE], "timeout": 1000}, "TARGET_DISABLED", []),
    ("click", {"selector": "#ask", "frame": "*?near"}, OK, []),
    ("upload", {"files": [ONE]}, OK, [["?near", "chosen", [ONE]]]),
    ("upload", {"selector": "#zone", "frame": "*?near", "files": [TWO]}, OK, [["?near", "dropped", [TWO]]]),
    ("click", {"selector": "#ask", "frame": "*?far"}, OK, []),
    ("upload", {"files": [ONE]}, OK, [["?far", "chosen", [ONE]]]),
    ("upload", {"selector": "#zone", "frame": "*?far", "files": [TWO]}, OK, [["?far", "dropped", [TWO]]]),
    # A chooser ends with the document that opened it, and with the tab.
    ("click", {"selector": "#ask", "frame": "*?near"}, OK, []),
    ("evaluate", {"expression": "document.getElementById('near').src += '2'; 0"}, OK, []),
    ("wait", {"selector": "#ask", "frame": "*?near2"}, OK, []),
    ("upload", {"files": [ONE], "timeout": 800}, "INVALID_ACTION", []),
    ("click", {"selector": "#made"}, OK, []),
    ("reload", {}, OK, []),
    ("upload", {"files": [ONE], "timeout": 800}, "INVALID_ACTION", []),
    ("click", {"selector": "#made"}, OK, []),
    ("tab", {"op": "new", "url": "ORIGIN/case/"}, OK, []),
    ("upload", {"files": [ONE], "timeout": 800}, "INVALID_ACTION", []),
    ("tab", {"op": "activate", "id": 1}, OK, []),
]


def run(ctx):
    (ctx.work / "folder").mkdir()
    for name in (ONE, TWO, "folder/in.txt"):
        ctx.file(name, name.rsplit("/", 1)[-1])
    steps = [("start", {"url": ctx.origin + "/case/", "timeout": 30000, "totalErrorThreshold": 0, "maxConsecutiveErrors": 0,
                        "timeout": 20000})]
    for kind, parameters, _, _ in STEPS:
        if "url" in parameters:
            parameters["url"] = parameters["url"].replace("ORIGIN", ctx.origin)
        steps += [(kind, {"timeout": 8000, **parameters}),
                  ("evaluate", {"expression": "told()"})]
    result = ctx.run_batch(steps, "--screenshots", "none", "--timeout", "8000", "--chrome-arg=--js-flags=--expose-gc")
    for i, (kind, parameters, code, wanted) in enumerate(STEPS):
        done, asked = result.response(2 * i + 2), result.response(2 * i + 3)
        ctx.expect(done.get("errorCode") == code,
                   f"{kind} {parameters}: {done.get('errorCode')} {done.get('error')}, not {code}")
        ctx.expect(json.loads(asked.get("result", "null")) == wanted,
                   f"{kind} {parameters}: the page tells {asked.get('result')}, not {wanted}")
        if kind == "click":
            said = [log["message"] for log in done["logs"]]
            ctx.expect(any("file chooser" in text and "upload" in text for text in said),
                       f"{kind} {parameters}: no word of the chooser in {said}") if "later" not in str(parameters) else None
    ctx.expect(result.responses[-1]["url"] == ctx.origin + "/case/", f"the page went to {result.responses[-1]['url']}")
