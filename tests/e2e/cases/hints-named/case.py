"""Selectors of other tools get a hint with our equivalent; a hint among the logs names its entry."""

BROWSER = "shared"
SELECTORS = {
    "text=Age": 'give text "Age"',
    "th:has-text('Age')": 'give text "Age"',
    ":contains(Age)": 'give text "Age"',
    "//th[2]": "XPath is not supported",
    "xpath=//th": "XPath is not supported",
    "role=button": "give role",
    "a >> b": "a b",
    "p:visible": "leave it out",
    "p:eq(2)": "nth",
}


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/shop/", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})]
    steps += [("click", {"selector": selector, "timeout": 500}) for selector in SELECTORS]
    steps.append(("hover", {"targets": "h1"}))
    steps.append(("evaluate", {"expression": "document.head.append(Object.assign(document.createElement('script'),"
                                             " {src: '/status/404'})); await new Promise((r) => setTimeout(r, 500))"}))
    ran = ctx.run_batch(steps, "--screenshots", "none")
    for number, (selector, hint) in enumerate(SELECTORS.items(), 2):
        ctx.match(ran.response(number), {"errorCode": "INVALID_ACTION", "hint": {"$contains": hint},
                                         "error": {"$contains": "is no valid CSS selector"}}, selector)
    ctx.match(ran.responses[-2], {"success": True}, "targets as one text")
    ctx.match(ran.responses[-1], {"logs": {"$contains": {
        "category": "hint", "message": {"$regex": r'\(about "Failed to load resource: .*404.*" at http.*/status/404'}}}}, "log")
