"""Pages that are too much of something: each look ends in time, in a snapshot or in what to do instead."""
from faults import Talk

TIME_LIMIT = 150
# What a look may answer beside a snapshot.
REFUSED = {"LIMIT_EXCEEDED", "TIMEOUT", "PAGE_CRASHED"}
# Tries, and crashes, for as long as it may.
HOPELESS = "nested deeper than Chrome can draw"


def is_snapshot(response):
    return response["success"] and bool(response["result"]["text"])


def look(ctx, talk, what, url, texts):
    """Opens the page and looks at it; `texts` are in the snapshot, and None says that it is refused."""
    limit = 5000 if what == HOPELESS else 20000
    opened = talk.do(None, "navigate", what, url=url, timeout=limit)
    if not opened["success"]:
        ctx.expect(opened["errorCode"] in REFUSED and texts is None, f"{what}: {opened.get('error')}")
        return
    response = talk.do(None, "snapshot", what, timeout=limit)
    if texts is None:
        ctx.expect(not response["success"] and response["errorCode"] in REFUSED and response.get("hint"),
                   f"{what}: {str(response)[:500]}")
        return
    ctx.expect(is_snapshot(response), f"{what}: {response.get('error')}")
    for text in texts:
        ctx.expect(text in (response.get("result") or {}).get("text", ""), f"{what}: no {text} in it")


def run(ctx):
    def page(kind, count, more=""):
        return f"{ctx.origin}/case/extremes.html?kind={kind}&count={count}{more}"

    buttons = ['button "First"', 'button "Last"']
    talk = Talk(ctx)
    talk.start(page("none", 0))
    for what, url, texts in (
        ("a million nodes", page("nodes", 1000000, "&hidden"), None),
        (HOPELESS, page("nested", 10000, "&names=div"), None),
        ("nested deeper than is looked at", page("nested", 21000, "&names=div&hidden"), None),
        ("10,000 levels that are hidden", page("nested", 10000, "&names=div&hidden"), buttons),
        ("spans", page("nested", 2000, "&names=span"), [*buttons, "The bottom"]),
        ("lists", page("nested", 500, "&names=ul,li"), [*buttons, "The bottom"]),
        ("controls", page("nested", 60, "&names=label,button,a,fieldset"), ["The bottom"]),
        ("50 frames in each other", page("frames", 50), [*buttons, "The bottom"]),
        ("10 MB of text", page("text", 10000000), [*buttons, "Ten letters"]),
        ("10 MB of a name", page("attribute", 10000000), [*buttons, "label label"]),
        ("100,000 options", page("options", 100000), [*buttons, "Much"]),
        ("10,000 shadow roots", page("shadows", 10000), [*buttons, "Inner 0", "Inner 9999"]),
        ("10,000 links over each other", page("layers", 10000), [*buttons, "Layer"]),
        ("names of names", page("labels", 2000), buttons),
        ("20,000 boxes that are neither on nor off", page("mixed", 20000), [*buttons, "mixed"]),
    ):
        look(ctx, talk, what, url, texts)
        talk.do("ok", "navigate", f"after {what}", url=page("none", 0), timeout=15000)
        after = talk.do("ok", "snapshot", f"after {what}")
        ctx.expect(is_snapshot(after) and 'button "First"' in after["result"]["text"], f"after {what}: {after}")
    talk.end()
