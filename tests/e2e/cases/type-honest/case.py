"""Typing says what became of the text: it arrived, arrived otherwise (a warning), or did not (an error)."""

# selector, parameters beside it, what may come of it, what is asked afterwards, its answer
FIELDS = [
    ("#plain", {"text": "hello"}, {"fine"}, "value('plain')", "hello"),
    ("#blurs", {"text": "hello"}, {"error"}, None, None),
    ("#jumps", {"text": "hello"}, {"error", "warning"}, "value('jumps')", ""),
    ("#jumps-late", {"text": "later"}, {"error", "warning"}, "value('jumps-late')", ""),
    ("#jumps-on-key", {"text": "keyed"}, {"error", "warning"}, "value('jumps-on-key')", ""),
    ("#short", {"text": "abcdef"}, {"warning"}, "value('short')", "abc"),
    ("#full", {"text": "abc"}, {"error", "warning"}, "value('full')", "abc"),
    ("#closed", {"text": "abc"}, {"error", "warning"}, "value('closed')", "abc"),
    ("#number", {"text": "letters"}, {"error", "warning"}, "value('number')", ""),
    ("#date", {"text": "2026-11-03"}, {"fine"}, "[value('date'), changes.includes('date')]", ["2026-11-03", True]),
    ("#date-held", {"text": "2026-11-03", "clear": True}, {"fine"}, "value('date-held')", "2026-11-03"),
    ("#date-wrong", {"text": "tomorrow"}, {"error"}, "value('date-wrong')", ""),
    ("#time", {"text": "13:45"}, {"fine"}, "value('time')", "13:45"),
    ("#moment", {"text": "2026-11-03T13:45"}, {"fine"}, "value('moment')", "2026-11-03T13:45"),
    ("#month", {"text": "2026-11"}, {"fine"}, "value('month')", "2026-11"),
    ("#stubborn", {"text": "new", "clear": True}, {"error"}, None, None),
    ("#stubborn-late", {"text": "new", "clear": True}, {"error"}, None, None),
    ("#code input:first-child", {"text": "1234"}, {"fine", "warning"}, "cells.map((cell) => cell.value)",
     ["1", "2", "3", "4"]),
    ("#replaced", {"text": "hello"}, {"error", "warning"}, None, None),
    ("#replaced-focused", {"text": "hello"}, {"error", "warning"}, None, None),
]


def outcome(response):
    if not response["success"]:
        return "error"
    return "warning" if any(log["type"] == "warning" for log in response["logs"]) else "fine"


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/fields.html", "totalErrorThreshold": 0})]
    for selector, parameters, _, question, _ in FIELDS:
        steps += [("type", {"selector": selector, **parameters, "timeout": 1500}),
                  ("evaluate", {"expression": question or "0"})]
    result = ctx.run_batch(steps, "--screenshots", "none", "--timeout", "4000")
    for i, (selector, parameters, allowed, question, answer) in enumerate(FIELDS):
        typed, asked = result.response(2 * i + 2), result.response(2 * i + 3)
        came = outcome(typed)
        ctx.expect(came in allowed,
                   f"{selector} {parameters}: {came}, where {' or '.join(sorted(allowed))} is due: "
                   f"{typed.get('errorCode')} {typed.get('error')} {[log['message'] for log in typed['logs']]}")
        ctx.expect(question is None or asked.get("result") == answer,
                   f"{selector} {parameters}: afterwards {asked.get('result')!r}, not {answer!r}")
