"""`fill`: every type of field, found by each of its names, in frames and shadow roots; failures are reported for each
field."""

BROWSER = "shared"
TIME_LIMIT = 120
FIELDS = {  # name: (given value, resulting value of the field)
    "user": ("Zoë", "Zoë"), "mail": ("z@example.org", "z@example.org"), "tid": (123, "123"), "search the": ("kettle", "kettle"),
    "Age": (42, "42"), "home page": ("http://a.example/", "http://a.example/"), "notes": ("two\nlines", "two\nlines"),
    "d": ("2026-11-03", "2026-11-03"), "t": ("07:08", "07:08"), "dl": ("2026-11-03T07:08", "2026-11-03T07:08"),
    "mo": ("2026-11", "2026-11"), "we": ("2026-W45", "2026-W45"), "co": ("#1A2b3c", "#1a2b3c"), "ra": (35, "35"),
    "news": (True, True), "ex": (["a", "Cat"], ["a", "c"]), "size": ("Large", "l"), "country": ("France", "fr"),
    "multi": (["one", "three"], ["one", "three"]), "rich": ("new text", "new text"), "dark mode": ("on", True), "covered": (True, True)}
WRONG = {  # name: (given value, code, part of why, part of the hint)
    "d": ("3.11.2026", "INVALID_ACTION", "no value for a field of type date", "2026-11-03"),
    "ra": (37, "INVALID_ACTION", "no value for a field of type range", "steps of 5"), "Age": ("old", "INVALID_ACTION", "no number", "1234.5"),
    "mail": ("a\nb", "INVALID_ACTION", "one line", "line breaks"), "up": ("x", "INVALID_ACTION", "takes files", "upload"),
    "size": (False, "INVALID_ACTION", "cannot be unchecked", "another"), "ex": (True, "INVALID_ACTION", "share a name", "array"),
    "news": ("maybe", "TARGET_NOT_FOUND", "no choice", "true"), "country": ("Spain", "TARGET_NOT_FOUND", "Germany", ""),
    "ro": ("2", "TARGET_DISABLED", "read-only", ""), "unseen": ("2", "TARGET_NOT_VISIBLE", "not visible", ""),
    "token": ("2", "TARGET_NOT_FOUND", "no field is called", ""), "kept": ("2", "POLICY_DENIED", "data-no-ai", "person"),
    "card-number": ("4333", "TARGET_NOT_FOUND", "no such option", "")}
FORM = {"selector": "#f"}


def entries(response):
    return {entry["field"]: entry for entry in response["result"]["fields"]}


def run(ctx):
    start = ("start", {"url": ctx.origin + "/case/index.html", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})
    steps = [start, ("fill", {"form": FORM, "fields": {name: given for name, (given, _) in FIELDS.items()}, "timeout": 60000}),
             ("fill", {"form": FORM, "fields": {name: row[0] for name, row in WRONG.items()}, "timeout": 60000, "retryOptions": {"maxRetries": 0}}),
             ("fill", {"form": FORM, "fields": {"pw": "hunter2-of-fill", "short": "abcdef", "upper": "abc", "nothing": "x"}, "timeout": 60000}),
             ("fill", {"fields": {"land": "B", "town": "Wick", "inner": "in a frame", "Shadowed": "in a root"}}),
             ("fill", {"fields": {"user": "which?"}, "timeout": 1500}), ("fill", {"fields": {"user": "Zoë", "mail": "z@example.org"}}),
             ("fill", {"fields": [{"selector": "#mail", "value": ""}, {"text": "News", "value": False}, {"testId": "tid", "value": 7}]}),
             ("fill", {"form": {"selector": "#nope"}, "fields": {"user": "x"}, "timeout": 1000}),
             ("evaluate", {"expression": "[...new FormData(f)].map(([name, value]) => `${name}=${value.name ?? value}`).join('&')"})]
    ran = ctx.run_batch(steps, "--screenshots", "none", "--audit", ctx.work / "audit.ndjson", seconds=100)
    _, right, wrong, odd, around, unclear, clear, elements, formless, data = ran.responses
    told = entries(right)
    for name, (_, held) in FIELDS.items():
        ctx.expect(told[name]["filled"] and told[name].get("value") == held and not told[name].get("changed"), f"{name}: {told[name]}")
    ctx.expect(right["success"] and list(told) == list(FIELDS) and right["result"]["filled"] == len(FIELDS), f"the order: {right}")
    ctx.match(wrong, {"success": False, "errorCode": "INVALID_ACTION", "error": {"$regex": "no field was filled"}}, "none filled")
    told = entries(wrong)
    for name, (_, code, why, hint) in WRONG.items():
        entry = told[name]
        ctx.expect(not entry["filled"] and entry["code"] == code and why in entry["why"] and hint in entry.get("hint", ""), f"{name}: {entry}")
    ctx.expect("4333" not in str(wrong) and "4111" not in str(wrong), f"a private value is told: {wrong}")
    told = entries(odd)
    ctx.match(told["pw"], {"filled": True, "private": True, "value": {"$absent": True}}, "a password")
    ctx.match(told["short"], {"filled": True, "changed": True, "value": "abc", "why": {"$regex": "changed the value"}}, "one that is too short")
    ctx.match(told["upper"], {"filled": True, "changed": True, "value": "ABC"}, "one that a script changes")
    ctx.match(odd, {"success": True, "result": {"filled": 3, "skipped": 1}}, "the others are filled")
    ctx.match(around, {"success": True, "result": {"filled": 4, "skipped": 0}}, "a field that comes later, one in a frame, one in a shadow root")
    ctx.match(unclear, {"success": False, "errorCode": "TARGET_AMBIGUOUS", "hint": {"$regex": "form"}}, "two forms")
    ctx.match(clear, {"success": True, "result": {"filled": 2, "fields": [{"value": "Zoë"}, {"id": "mail"}]}}, "the form that has both")
    ctx.match(elements, {"success": True, "result": {"filled": 3}}, "named as elements")
    ctx.match(formless, {"success": False, "errorCode": "TARGET_NOT_FOUND", "result": {"formFound": False, "filled": 0}}, "no such form")
    ctx.match(data["result"], {"$regex": r"^user=Zoë&pw=hunter2-of-fill&notes=two\s+lines&d=2026-11-03&.*&news|ex=a&ex=c&size=l&country=fr&multi=one&multi=three"}, "what the form has")
    audit = (ctx.work / "audit.ndjson").read_text()
    others = str(ran.responses[:-1]) + ran.stderr  # the last one is the page's own data
    ctx.expect("hunter2-of-fill" not in others and "hunter2-of-fill" not in audit and "z@example.org" not in audit, "a value is in the audit trail")
