"""Typing reports what became of the text: it arrived, arrived changed (a warning), or did not (an error)."""

BROWSER = "shared"

# selector, further parameters, allowed results (an error by its code), expression to check afterwards, its value
FIELDS = [
    ("#plain", {"text": "hello"}, {"fine"}, "value('plain')", "hello"),
    ("#blurs", {"text": "hello"}, {"UNKNOWN_ERROR"}, None, None),
    ("#jumps", {"text": "hello"}, {"TARGET_DISABLED", "warning"}, "value('jumps')", ""),
    ("#jumps-late", {"text": "later"}, {"UNKNOWN_ERROR", "warning"}, "value('jumps-late')", ""),
    ("#jumps-on-key", {"text": "keyed"}, {"UNKNOWN_ERROR", "warning"}, "value('jumps-on-key')", ""),
    ("#short", {"text": "abcdef"}, {"warning"}, "value('short')", "abc"),
    ("#full", {"text": "abc"}, {"UNKNOWN_ERROR", "warning"}, "value('full')", "abc"),
    ("#closed", {"text": "abc"}, {"UNKNOWN_ERROR", "warning"}, "value('closed')", "abc"),
    ("#number", {"text": "letters"}, {"UNKNOWN_ERROR", "warning"}, "value('number')", ""),
    ("#date", {"text": "2026-11-03"}, {"fine"}, "[value('date'), changes.includes('date')]", ["2026-11-03", True]),
    ("#date-held", {"text": "2026-11-03", "clear": True}, {"fine"}, "value('date-held')", "2026-11-03"),
    ("#date-wrong", {"text": "tomorrow"}, {"UNKNOWN_ERROR"}, "value('date-wrong')", ""),
    ("#time", {"text": "13:45"}, {"fine"}, "value('time')", "13:45"),
    ("#moment", {"text": "2026-11-03T13:45"}, {"fine"}, "value('moment')", "2026-11-03T13:45"),
    ("#month", {"text": "2026-11"}, {"fine"}, "value('month')", "2026-11"),
    ("#stubborn", {"text": "new", "clear": True}, {"UNKNOWN_ERROR"}, None, None),
    ("#stubborn-late", {"text": "new", "clear": True}, {"UNKNOWN_ERROR"}, None, None),
    ("#code input:first-child", {"text": "1234"}, {"fine", "warning"}, "cells.map((cell) => cell.value)",
     ["1", "2", "3", "4"]),
    ("#replaced", {"text": "hello"}, {"UNKNOWN_ERROR", "warning"}, None, None),
    ("#replaced-focused", {"text": "hello"}, {"UNKNOWN_ERROR", "warning"}, None, None),
    # Text is appended to the content of a field of any kind.
    ("#email-held", {"text": "org"}, {"fine"}, "value('email-held')", "zoe@example.org"),
    ("#email-list", {"text": "a@b.example"}, {"fine"}, "value('email-list')", "zoe@example.org,a@b.example"),
    ("#number-held", {"text": "5"}, {"fine"}, "value('number-held')", "125"),
    ("#number-held", {"text": "-"}, {"UNKNOWN_ERROR", "warning"}, "value('number-held')", ""),
    ("#number-held", {"text": "7", "clear": True}, {"fine"}, "value('number-held')", "7"),
    ("#password-held", {"text": "c"}, {"fine"}, "value('password-held')", "abc"),
    ("#search-held", {"text": "c"}, {"fine"}, "value('search-held')", "abc"),
    ("#area-held", {"text": "three"}, {"fine"}, "value('area-held')", "one\ntwothree"),
    # Fields that pass the focus on: text that did not fit into the next one is an error that says so.
    ("#on-full", {"text": "abcdef"}, {"UNKNOWN_ERROR"}, "held('on-full')", ["abc", "xyz"]),
    ("#on-part", {"text": "abcdef"}, {"UNKNOWN_ERROR"}, "held('on-part')", ["abc", "dex"]),
    ("#on-room", {"text": "abcdef"}, {"fine", "warning"}, "held('on-room')", ["abc", "def"]),
    ("#on-over", {"text": "abcdef"}, {"fine", "warning"}, "held('on-over')", ["abc", "def"]),
    ("#on-dash", {"text": "555-1234"}, {"fine", "warning"}, "held('on-dash')", ["555", "1234"]),
    # Lines and tabs are checked one by one.
    ("#area", {"text": "one\ntwo\n\nthree"}, {"fine"}, "value('area')", "one\ntwo\n\nthree"),
    ("#area", {"text": "four\r\nfive", "clear": True}, {"fine"}, "value('area')", "four\nfive"),
    ("#area-short", {"text": "abc\ndefgh"}, {"warning"}, "value('area-short')", "abc\nd"),
    ("#area-closed", {"text": "one\ntwo"}, {"UNKNOWN_ERROR"}, "value('area-closed')", ""),
    ("#area-lineless", {"text": "one\ntwo"}, {"UNKNOWN_ERROR"}, "value('area-lineless')", "one"),
    ("#chat", {"text": "hello\nyou\nbye"}, {"fine"}, "said", ["hello", "you"]),
    ("#line-closed", {"text": "abc\nd"}, {"UNKNOWN_ERROR"}, "value('line-closed')", ""),
    ("#tab-from", {"text": "one\ttwo"}, {"fine"}, "[value('tab-from'), value('tab-to')]", ["one", "two"]),
    ("#tab-open", {"text": "one\ttwo"}, {"UNKNOWN_ERROR"}, "[value('tab-open'), value('tab-closed')]", ["one", ""]),
    ("#rich", {"text": "one\ntwo \nthree"}, {"fine"}, "value('rich', 'innerText').trim().split(/\\s+/)",
     ["one", "two", "three"]),
    ("#rich-part b", {"text": "er"}, {"fine"}, "value('rich-part', 'innerText')", "A bolder word"),
    ("#rich-closed", {"text": "one\ntwo"}, {"UNKNOWN_ERROR"}, "value('rich-closed', 'innerText')", "kept"),
    ("#rich-controlled", {"text": "more"}, {"UNKNOWN_ERROR"}, "value('rich-controlled', 'innerText')", "kept"),
    ("#rich-controlled-late", {"text": "more"}, {"UNKNOWN_ERROR"}, "value('rich-controlled-late', 'innerText')", "kept"),
    ("#undone-late", {"text": "more"}, {"UNKNOWN_ERROR"}, "value('undone-late')", ""),
    ("#undone-idle", {"text": "more"}, {"UNKNOWN_ERROR"}, "value('undone-idle')", ""),
    ("#undone-task", {"text": "more"}, {"UNKNOWN_ERROR"}, "value('undone-task')", ""),
    ("#phone", {"text": "5551234567"}, {"warning"}, "value('phone')", "(555) 123-4567"),
    # Fields whose value is set as a whole.
    ("#time", {"text": "7:08"}, {"UNKNOWN_ERROR"}, "value('time')", "13:45"),
    ("#date-wrong", {"text": "11/03/2026"}, {"UNKNOWN_ERROR"}, "value('date-wrong')", ""),
    ("#week", {"text": "2026-W12"}, {"fine"}, "value('week')", "2026-W12"),
    ("#range", {"text": "35"}, {"fine"}, "[value('range'), changes.at(-1)]", ["35", "range"]),
    ("#range", {"text": "500"}, {"UNKNOWN_ERROR"}, "value('range')", "35"),
    ("#range", {"text": "37"}, {"UNKNOWN_ERROR"}, "value('range')", "35"),
    ("#range", {"text": "much", "clear": True}, {"UNKNOWN_ERROR"}, "value('range')", "35"),
    ("#colour", {"text": "#1A2b3c"}, {"fine"}, "[value('colour'), changes.at(-1)]", ["#1a2b3c", "colour"]),
    ("#colour", {"text": "reddish"}, {"UNKNOWN_ERROR"}, "value('colour')", "#1a2b3c"),
    ("#date-undone", {"text": "2026-11-03"}, {"UNKNOWN_ERROR"}, "value('date-undone')", ""),
    ("#date-undone-late", {"text": "2026-11-03"}, {"UNKNOWN_ERROR"}, "value('date-undone-late')", ""),
    # Fields that a person could not reach.
    ("#under", {"text": "hello"}, {"TARGET_OBSCURED"}, "value('under')", ""),
    ("#inert", {"text": "hello"}, {"TARGET_DISABLED"}, "value('inert')", ""),
    ("#unpointed", {"text": "hello"}, {"TARGET_DISABLED"}, "value('unpointed')", ""),
    ("#label-off", {"text": "hello"}, {"TARGET_DISABLED"}, "value('off')", ""),
    ("#label-on", {"text": "hello"}, {"fine"}, "value('on')", "hello"),
    ("#inside", {"text": "hello"}, {"TARGET_OBSCURED"}, "modal.showModal() ?? frames[0].document.getElementById('inside').value", ""),
    ("#behind", {"text": "hello"}, {"TARGET_OBSCURED"}, "value('behind')", ""),
]

# What a timer from the beginning of the page undoes.
UNDONE = [("type", {"selector": "#text", "text": "more"}), ("check", {"selector": "#box"}),
          ("select", {"selector": "#list", "value": "two"})]

# Texts of the errors.
SAID = {"#time": "such as 07:08", "#date-wrong": "such as 2026-11-03", "#on-full": "3 of 6 characters", "#on-part": "5 of 6 characters"}


def outcome(response):
    if not response["success"]:
        return response["errorCode"]
    return "warning" if any(log["type"] == "warning" for log in response["logs"]) else "fine"


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/fields.html", "totalErrorThreshold": 0, "timeout": 20000})]
    for selector, parameters, allowed, question, _ in FIELDS:
        # Fields that a person could not reach are tried until the time is over.
        is_refused = any(code.startswith("TARGET_") for code in allowed)
        steps += [("type", {"selector": selector, **parameters, "timeout": 1000 if is_refused else 8000}),
                  ("evaluate", {"expression": question or "0"})]
    steps += [("navigate", {"url": ctx.origin + "/case/interval.html"}), *UNDONE]
    result = ctx.run_batch(steps, "--screenshots", "none", "--timeout", "4000")
    for i, (selector, parameters, allowed, question, answer) in enumerate(FIELDS):
        typed, asked = result.response(2 * i + 2), result.response(2 * i + 3)
        came = outcome(typed)
        ctx.expect(came in allowed,
                   f"{selector} {parameters}: {came}, where {' or '.join(sorted(allowed))} is due: "
                   f"{typed.get('error')} {[log['message'] for log in typed['logs']]}")
        if selector in SAID and came == "UNKNOWN_ERROR":
            ctx.expect(SAID[selector] in typed["error"], f"{selector} does not say so: {typed['error']}")
        ctx.expect(question is None or asked.get("result") == answer,
                   f"{selector} {parameters}: afterwards {asked.get('result')!r}, not {answer!r}")
    for response in result.responses[-len(UNDONE):]:
        ctx.expect(outcome(response) != "fine", f"{response['type']}: what a timer undid is a success")
