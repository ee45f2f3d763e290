"""What is in private fields, and what is not for models, is in no form of a snapshot; the rest is."""
SECRETS = ["hunter2secret", "4111111111111111", "778899", "5500005555555559", "dotted99", "shown77"]
FORMS = [{}, {"format": "json"}, {"format": "json", "all": True}, {"format": "markdown"}, {"ax": "full"},
         {"format": "json", "all": True, "ax": "full"}]
PARTS = [{"selector": "#deal", **form} for form in ({}, {"format": "json"}, {"format": "markdown"})]


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/index.html"})]
    result = ctx.run_batch(steps + [("snapshot", form) for form in FORMS + PARTS] + [("snapshot", {"ignoreNoAi": True})],
                           "--screenshots", "none")
    for number, form in enumerate(FORMS + PARTS, 2):
        text = str(result.response(number)["result"])
        told = [secret for secret in SECRETS + ["Hush hush", "Hidden deal"] if secret in text]
        ctx.expect(not told, f"{form}: {told} in {text}")
        whole = form in PARTS or ("Nick" in text and "Lisbon" in text)
        ctx.expect(whole, f"{form}: what is not private is missing: {text}")
    text = str(result.responses[-1]["result"])
    ctx.expect("Hush hush" in text and "Hidden deal" in text, f"ignoreNoAi: {text}")
    ctx.expect(not [secret for secret in SECRETS if secret in text], f"ignoreNoAi: {text}")
