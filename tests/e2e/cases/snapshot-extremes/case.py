"""Pages with extreme content: each snapshot ends in time, with a result or a remedy."""
from faults import Talk

BROWSER = "any"


# Answers that are accepted instead of a snapshot.
REFUSED = {"LIMIT_EXCEEDED", "TIMEOUT", "PAGE_CRASHED"}
# Retries, and crashes, for as long as it may.
HOPELESS = "nested deeper than Chrome can draw"


def is_snapshot(response):
    return response["success"] and bool(response["result"]["text"])


def look(ctx, talk, what, url, texts):
    """Opens the page and takes a snapshot; it must contain `texts`, and None means that it is refused."""
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


def page(kind, count, more=""):
    return f"/case/extremes.html?kind={kind}&count={count}{more}"


BUTTONS = ['button "First"', 'button "Last"']


def look_at_all(ctx, pages):
    """Pages, each as (what it is, where, arguments of look()); after each one a small page works as usual."""
    talk = Talk(ctx)
    talk.start(ctx.origin + page("none", 0))
    for what, path, texts in pages:
        look(ctx, talk, what, ctx.origin + path, texts)
        talk.do("ok", "navigate", f"after {what}", url=ctx.origin + page("none", 0))
        after = talk.do("ok", "snapshot", f"after {what}")
        ctx.expect(is_snapshot(after) and 'button "First"' in after["result"]["text"], f"after {what}: {after}")
    talk.end()


def run(ctx):
    look_at_all(ctx, (
        ("10,000 levels that are hidden", page("nested", 10000, "&names=div&hidden"), BUTTONS),
        ("spans", page("nested", 2000, "&names=span"), [*BUTTONS, "The bottom"]),
        ("lists", page("nested", 500, "&names=ul,li"), [*BUTTONS, "The bottom"]),
        ("controls", page("nested", 60, "&names=label,button,a,fieldset"), ["The bottom"]),
        ("50 frames in each other", page("frames", 50), [*BUTTONS, "The bottom"]),
        ("10 MB of a name", page("attribute", 10000000), [*BUTTONS, "label label"]),
        ("10,000 shadow roots", page("shadows", 10000), [*BUTTONS, "Inner 0", "Inner 9999"]),
        ("10,000 links over each other", page("layers", 10000), [*BUTTONS, "Layer"]),
        ("names of names", page("labels", 2000), BUTTONS),
        ("20,000 boxes that are neither on nor off", page("mixed", 20000), [*BUTTONS, "mixed"]),
    ))
