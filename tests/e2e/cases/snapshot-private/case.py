"""Values of private fields, and content hidden from models, are in no form of a snapshot; the rest is."""

BROWSER = "shared"
SECRETS = ["hunter2secret", "4111111111111111", "778899", "5500005555555559", "dotted99", "shown77",
           "078-05-1120", "DE89370400440532013000", "pin4711"]
FORMS = [{}, {"format": "json"}, {"format": "json", "all": True}, {"format": "markdown"}, {"ax": "full"},
         {"format": "json", "all": True, "ax": "full"}]
PLAIN = [f"{name} seven" for name in ("Ship", "Spin", "Pinterest", "Pinned", "Opinion", "Pincode")]
KEPT = [("click", {"selector": "#deal"}), ("click", {"role": "button", "name": "Hidden deal", "nth": 0}),
        ("hover", {"text": "Hidden deal", "nth": 0}), ("type", {"selector": "#hidden-field", "text": "a"}),
        ("click", {"selector": "#inner"}), ("drag", {"selector": "#ssn", "to": {"selector": "#deal"}}),
        ("scroll", {"selector": "#deal"}), ("press", {"selector": "#hidden-field", "key": "a"})]
PARTS = [{"selector": "#deal", **form} for form in ({}, {"format": "json"}, {"format": "markdown"})]


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/index.html"})]
    result = ctx.run_batch(steps + [("snapshot", form) for form in FORMS + PARTS] + [("snapshot", {"ignoreNoAi": True})],
                           "--screenshots", "none")
    for number, form in enumerate(FORMS + PARTS, 2):
        text = str(result.response(number)["result"])
        told = [secret for secret in SECRETS + ["Hush hush", "Hidden deal"] if secret in text]
        ctx.expect(not told, f"{form}: {told} in {text}")
        whole = form in PARTS or ("Nick" in text and "Lisbon" in text and all(plain in text for plain in PLAIN))
        ctx.expect(whole, f"{form}: what is not private is missing: {text}")
    read_otherwise(ctx)
    text = str(result.responses[-1]["result"])
    ctx.expect("Hush hush" in text and "Hidden deal" in text, f"ignoreNoAi: {text}")
    ctx.expect(not [secret for secret in SECRETS if secret in text], f"ignoreNoAi: {text}")
    refuse(ctx)


def read_otherwise(ctx):
    """Nor in what other actions read. The page's own script contains one of them, which is in its markup."""
    steps = [("content", {"format": form}) for form in ("html", "text", "main")] + [("detect", {"includeHidden": True})]
    steps += [("inspect", {"selector": css, "multiple": True}) for css in ("input, textarea, select, [contenteditable]", "body", "*")]
    result = ctx.run_batch([("start", {"url": ctx.origin + "/case/index.html"}), *steps], "--screenshots", "none")
    for step, response in zip(steps, result.responses[1:]):
        text = str(response["result"])
        has_script = step[0] == "inspect" or step[1].get("format") == "html"
        told = [secret for secret in SECRETS + ["Hush hush", "Hidden deal"]
                if secret in text and not (has_script and secret == "shown77")]
        ctx.expect(not told, f"{step}: {told} in {text}")


def refuse(ctx):
    """Content that the page hides from models is no target, and messages do not quote it; a PIN is a secret from then on."""
    start = ("start", {"url": ctx.origin + "/case/index.html", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})
    own = [("click", {"selector": "p > button", "nth": 0, "ignoreNoAi": True}), ("evaluate", {"expression": "document.title"}),
           ("click", {"selector": "#inner", "ignoreNoAi": True}), ("type", {"selector": "#pin", "text": "fresh-8812", "clear": True})]
    steps = [start, *KEPT, ("click", {"selector": "p > button"}), ("evaluate", {"expression": "document.title"}), *own]
    result = ctx.run_batch(steps, "--screenshots", "none")
    for number, (kind, target) in enumerate(KEPT, 2):
        response = result.response(number)
        ctx.expect(response.get("errorCode") == "POLICY_DENIED" and "ignoreNoAi" in response["hint"], f"{kind} {target}: {response}")
        ctx.expect("deal" not in response["error"] or "deal" in str(target), response["error"])
    ambiguous, title, *rest = result.responses[len(KEPT) + 1:]
    ctx.expect(ambiguous["errorCode"] == "TARGET_AMBIGUOUS" and "Hidden deal" not in ambiguous["error"], f"{ambiguous}")
    ctx.expect(title["result"] == "Filled in already", f"something was clicked: {title}")
    ctx.expect(all(one["success"] for one in rest) and rest[1]["result"] == "Clicked", f"ignoreNoAi: {rest}")
    ctx.expect("fresh-8812" not in result.text.replace(result.sent, "") and "typed ***" in str(rest[3]["logs"]),
               f"the PIN is in an answer: {rest[3]}")
