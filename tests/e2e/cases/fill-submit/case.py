"""`fill` with submit: by the form's button, by requestSubmit() if there is none; a submission that the browser refuses is
an error."""

BROWSER = "shared"


def run(ctx):
    start = ("start", {"url": ctx.origin + "/case/index.html", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})
    back = ("navigate", {"url": ctx.origin + "/case/index.html"})
    body = ("evaluate", {"expression": "document.body.innerText"})
    out = ("evaluate", {"expression": "out.textContent"})
    steps = [start, ("fill", {"fields": {"a": "one"}, "submit": True}), body, back,
             ("fill", {"fields": {"b": "two"}, "submit": True}), body, back,
             ("fill", {"fields": {"a": ""}, "submit": True}), ("fill", {"form": {"selector": "#enter"}, "fields": {"b": ""}, "submit": True}),
             ("fill", {"fields": {"c": "three"}, "submit": True}), out, ("fill", {"fields": {"d": "four"}, "submit": True}), out,
             ("fill", {"fields": {"c": "x", "d": "y"}, "submit": True}), ("fill", {"fields": {"loose": "x"}, "submit": True})]
    ran = ctx.run_batch(steps, "--screenshots", "none", seconds=120)
    (_, button, echoed, _, enter, echoed_too, _, held, held_too, script, sent, quiet, by_hand, several, loose) = ran.responses
    submitted = {"success": True, "result": {"submitted": True, "formFound": True}}
    ctx.match(button, submitted, "by the first button")
    ctx.expect("one" in echoed["result"] and "first" in echoed["result"], f"what was sent: {echoed['result']}")
    ctx.match(enter, submitted, "without a button")
    ctx.expect("two" in echoed_too["result"], f"what was sent: {echoed_too['result']}")
    for answer in held, held_too:
        ctx.match(answer, {"success": False, "errorCode": "INVALID_ACTION", "error": {"$regex": "not submitted, since it is not valid.*fill"},
                           "result": {"submitted": False, "filled": 1}}, "one that is not valid")
    ctx.match(script, submitted, "a script takes it")
    ctx.expect(sent["result"] == "sent three", f"the script has: {sent['result']}")
    ctx.match(quiet, {"success": True, "result": {"submitted": False}}, "a script that lets the form tell nothing")
    ctx.expect(by_hand["result"] == "by hand" and "reported no submit" in str(quiet["logs"]), f"the click: {quiet}")
    ctx.match(several, {"success": False, "errorCode": "INVALID_ACTION", "error": {"$regex": "several forms"}, "result": {"filled": 2}}, "two forms")
    ctx.match(loose, {"success": False, "errorCode": "INVALID_ACTION", "error": {"$regex": "no form"}, "result": {"formFound": False}}, "no form")
