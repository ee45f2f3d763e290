"""Lists, checkboxes and files: success means that the page kept the change; elements that a person could not reach are
refused."""

BROWSER = "shared"
OK = None
# action, element, further parameters, expected error, expression to check afterwards, its value
STEPS = [
    ("focus", "#words", {}, "INVALID_ACTION", "document.activeElement.localName", "body"),
    ("focus", "#words b", {}, "INVALID_ACTION", "document.activeElement.localName", "body"),
    ("focus", "#nowhere", {}, "INVALID_ACTION", "document.activeElement.localName", "body"),
    ("press", "#words", {"key": "a"}, "INVALID_ACTION", "document.activeElement.localName", "body"),
    ("focus", "#shy", {}, "TARGET_DISABLED", "document.activeElement.localName", "body"),
    ("focus", "#shy-later", {}, "TARGET_DISABLED", "document.activeElement.localName", "body"),
    ("focus", "#deep", {}, "INVALID_ACTION", "document.activeElement.localName", "body"),
    ("focus", "#around", {}, OK, "document.activeElement.innerText", "Inner"),
    ("focus", "#label-focus", {}, OK, "document.activeElement.id", "focus-me"),
    ("focus", "#delegates", {}, OK, "document.activeElement.id", "delegates"),
    ("focus", "#label-focus span", {}, OK, "document.activeElement.id", "focus-me"),
    ("focus", "#part", {}, OK, "document.activeElement.id", "writes"),
    ("focus", "#scrolls", {}, OK, "document.activeElement.id", "scrolls"),
    ("select", "#undone", {"value": "two"}, "UNKNOWN_ERROR", "value('undone')", "one"),
    ("select", "#undone-promise", {"value": "two"}, "UNKNOWN_ERROR", "value('undone-promise')", "one"),
    ("select", "#undone-late", {"value": "two"}, "UNKNOWN_ERROR", "value('undone-late')", "one"),
    ("select", "#undone-idle", {"value": "two"}, "UNKNOWN_ERROR", "value('undone-idle')", "one"),
    ("select", "#undone-answer", {"value": "two"}, "UNKNOWN_ERROR", "value('undone-answer')", "one"),
    ("check", "#bounces-frame", {}, "UNKNOWN_ERROR", "value('bounces-frame', 'checked')", False),
    ("check", "#bounces-answer", {}, "UNKNOWN_ERROR", "value('bounces-answer', 'checked')", False),
    ("select", "#undone-once", {"value": "two"}, "UNKNOWN_ERROR", "value('undone-once')", "one"),
    ("select", "#inside", {"value": "two"}, "UNKNOWN_ERROR", "shadow.firstChild.value", "one"),
    ("select", "#framed", {"value": "two"}, "UNKNOWN_ERROR", "frames[0].document.querySelector('select').value", "one"),
    ("check", "#framed-box", {}, "UNKNOWN_ERROR", "frames[0].document.querySelector('input').checked", False),
    ("check", "#bounces-label", {}, OK, "value('bounces-label', 'checked')", True),
    ("check", "#label-bounces", {"checked": False}, OK, "value('bounces-label', 'checked')", False),
    ("check", "#label-bounces", {}, "UNKNOWN_ERROR", "value('bounces-label', 'checked')", False),
    ("select", "#redrawn", {"value": "two"}, OK, "value('redrawn')", "two"),
    ("select", "#leaves", {"value": "two"}, OK, "location.hash", "#two"),
    ("select", "#many", {"value": "b"}, OK, "[picked('many'), notes.splice(0)]", [["b"], ["change"]]),
    ("select", "#many", {"value": ["a", "c"]}, OK, "[picked('many'), notes.splice(0)]", [["a", "c"], ["change"]]),
    ("select", "#many", {"label": ["Cat", "Ant"]}, OK, "[picked('many'), notes.splice(0)]", [["a", "c"], []]),
    ("select", "#many", {"index": [1, 2]}, OK, "picked('many')", ["b", "c"]),
    ("select", "#many", {"value": ["b", "zz"]}, "TARGET_NOT_FOUND", "picked('many')", ["b", "c"]),
    ("select", "#many", {"value": ["b", "d"]}, "TARGET_DISABLED", "picked('many')", ["b", "c"]),
    ("select", "#many", {"value": []}, OK, "picked('many')", []),
    ("select", "#undone", {"value": ["one", "two"]}, "INVALID_ACTION", "value('undone')", "one"),
    ("select", "#inert", {"value": "two"}, "TARGET_DISABLED", "value('inert')", "one"),
    ("select", "#under", {"value": "two"}, "TARGET_OBSCURED", "value('under')", "one"),
    ("select", "#unpointed", {"value": "two"}, "TARGET_DISABLED", "value('unpointed')", "one"),
    ("select", "#label-list", {"value": "two"}, OK, "value('list')", "two"),
    ("select", "#label-list-off", {"value": "two"}, "TARGET_DISABLED", "value('list-off')", "one"),
    ("select", "#hides", {"value": "none"}, "TARGET_NOT_VISIBLE", "value('hides')", "now"),
    ("select", "#hides", {"value": "now"}, OK, "value('hides')", "now"),
    ("select", "#hides", {"label": "Deep"}, "TARGET_NOT_VISIBLE", "value('hides')", "now"),
    ("select", "#hides", {"value": "off"}, "TARGET_DISABLED", "value('hides')", "now"),
    ("select", "#hides", {"label": "Same"}, OK, "value('hides')", "on"),
    ("select", "#hides", {"value": "now"}, "TARGET_NOT_VISIBLE", "value('hides')", "on"),
    ("check", "#label-box", {}, OK, "value('box', 'checked')", True),
    ("check", "#label-box", {"checked": False}, OK, "value('box', 'checked')", False),
    ("check", "#label-box-off", {}, "TARGET_DISABLED", "value('box-off', 'checked')", False),
    ("check", "#label-switch", {}, OK, "value('switch', 'checked')", True),
    ("check", "#label-apart", {}, OK, "value('apart', 'checked')", True),
    ("check", "#bounces", {}, "UNKNOWN_ERROR", "value('bounces', 'checked')", False),
    ("check", "#slow", {}, OK, "document.getElementById('slow').ariaChecked", "true"),
    ("upload", "#label-file", {"files": ["one.txt"]}, OK, "names('file')", ["one.txt"]),
    ("upload", "#label-file-apart", {"files": ["one.txt"]}, OK, "names('file-apart')", ["one.txt"]),
    ("upload", "#inner", {"files": ["two.txt"]}, OK, "names('file-apart')", ["two.txt"]),
    ("upload", "#label-file-off", {"files": ["one.txt"]}, "TARGET_DISABLED", "modal.showModal() ?? names('file-off')", []),
    ("select", "#behind", {"value": "two"}, "TARGET_OBSCURED", "value('behind')", "one"),
]


def run(ctx):
    for name in ("one.txt", "two.txt"):
        ctx.file(name, name)
    steps = [("start", {"url": ctx.origin + "/case/", "timeout": 30000, "totalErrorThreshold": 0, "maxConsecutiveErrors": 0,
                        "timeout": 20000})]
    for kind, selector, parameters, code, question, _ in STEPS:
        # Elements that a person could not reach are tried until the time is over.
        is_refused = str(code).startswith("TARGET_")
        steps += [(kind, {"selector": selector, **parameters, "timeout": 800 if is_refused else 4000}),
                  ("evaluate", {"expression": question})]
    result = ctx.run_batch(steps, "--screenshots", "none", "--timeout", "4000")
    for i, (kind, selector, parameters, code, question, answer) in enumerate(STEPS):
        done, asked = result.response(2 * i + 2), result.response(2 * i + 3)
        ctx.expect(done.get("errorCode") == code,
                   f"{kind} {selector} {parameters}: {done.get('errorCode')} {done.get('error')}, not {code}")
        ctx.expect(asked.get("result") == answer,
                   f"{kind} {selector} {parameters}: afterwards {asked.get('result')!r}, not {answer!r}")
    many = [i for i, step in enumerate(STEPS) if step[1] == "#many"]
    told = [result.response(2 * i + 2).get("result") for i in (many[2], many[-1])]
    ctx.expect(told == [{"selected": [{"index": 0, "value": "a", "label": "Ant"},
                                      {"index": 2, "value": "c", "label": "Cat"}]}, {"selected": []}],
               f"select tells {told}")
