"""A tab that a page opened and left empty at about:blank is closed when the page navigates, and no other tab is."""

BROWSER = "any"
KINDS = {
    "open()": 0,
    "open('about:blank')": 0,
    "open().document.write('<p>for print</p>')": 1,
    "open('/case/there.html')": 1,
    "open().location = '/case/there.html'": 1,
    "open().location = '/slow?ms=1500'": 1,
}


def run(ctx):
    first = ctx.origin + "/case/there.html?1"
    steps = []
    for kind in KINDS:
        steps += [("start", {"url": first}), ("evaluate", {"expression": f"{{ {kind}; 0 }}"}), ("wait", {"ms": 200}),
                  ("navigate", {"url": ctx.origin + "/case/there.html?2"}), ("wait", {"ms": 300}), ("tab", {"op": "list"})]
    result = ctx.run_batch(steps, "--screenshots", "none")
    ctx.expect(result.exit == 0, f"exit {result.exit}: {ctx.outline(result)}")
    lists = [response["result"] for response in result.responses if response["type"] == "tab"]
    for (kind, stays), tabs in zip(KINDS.items(), lists):
        ctx.expect(len(tabs) == 1 + stays, f"{kind}: {1 + stays} tabs were to stay, but these are there: {tabs}")
