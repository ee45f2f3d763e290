"""Links to other programs: nothing is opened, no question is asked, a log reports it, and input continues."""
import os
import tempfile

BROWSER = "any"
WAYS = {"tel": "tel:+123", "mailto": "mailto:someone@example.org", "blank": "foo-bar:blank",
        "form": "foo-bar:form", "location": "intent://scan#Intent;end", "open": "foo-bar:open",
        "redirect": "foo-bar:redirect", "frame": "foo-bar:frame", "foreign": "foo-bar:refresh",
        "later": "foo-bar:later"}
PAGE = "http://127.0.0.1:8765/case/ways.html"


def run(ctx):
    # A replacement for the program that Chrome would use for such links records its calls.
    called = ctx.file("called", "")
    opener = ctx.file("xdg-open", f'#!/bin/sh\necho "$@" >>{called}\n')
    opener.chmod(0o755)
    ctx.environment["PATH"] = f"{opener.parent}:{ctx.environment['PATH']}"
    start = ("start", {"url": PAGE, "timeout": 20000})
    steps = [start]
    for way in WAYS:
        steps += [("click", {"selector": f"#{way}"}), ("wait", {"ms": 300 if way in ("foreign", "later") else 50}), ("click", {"selector": "#count"}),
                  ("press", {"selector": "#field", "key": "a"}), ("evaluate", {"expression": "[clicks, keys]"})]
    steps += [("wait", {"networkIdle": "true"}), ("navigate", {"url": "http://127.0.0.1:8765/redirect-to?url=tel:1"}),
              ("click", {"selector": "#count"}), ("evaluate", {"expression": "clicks"})]
    result = ctx.run_batch(steps, "--screenshots", "none", "--timeout", "8000")
    for number, (way, url) in enumerate(WAYS.items(), 1):
        answers = result.responses[5 * number - 4:5 * number + 1]
        ctx.expect(all(answer["success"] for answer in answers), f"{way}: {[a.get('error') for a in answers]}")
        ctx.match(answers[-1], {"result": [number, number]}, f"clicks and keys after {way}")
        said = [log["message"] for answer in answers for log in answer["logs"]]
        ctx.expect(any(url in text and "not opened" in text for text in said), f"{way}: no log tells of it: {said}")
    ctx.expect(any("tel:+123" in log["message"] for log in result.responses[1]["logs"]),
               "the answer of the click itself does not tell of the program")
    ctx.match(result.responses[-4], {"success": True}, "waiting for requests that go nowhere")
    ctx.match(result.responses[-3], {"errorCode": "NAVIGATION_FAILED", "error": {"$regex": "another program"}},
              "navigating to another program")
    ctx.match(result.responses[-1], {"result": len(WAYS) + 1}, "the page is where it was")
    ctx.expect(not called.read_text(), "another program was opened")

    # If xdg-settings cannot be replaced, the log does not promise that nothing happens.
    with tempfile.TemporaryDirectory(prefix=":", dir="/tmp") as directory:
        ctx.environment["TMPDIR"] = directory
        result = ctx.run_batch([start, ("click", {"selector": "#mailto"})],
                               "--screenshots", "none", "--timeout", "8000")
        ctx.expect(not os.listdir(directory), "something is left in TMPDIR")
    said = [log["message"] for log in result.responses[1]["logs"] if "for another program" in log["message"]]
    ctx.expect(said and all("the browser may ask a person" in text for text in said), f"in {directory}: {said}")
