"""Ids of snapshots: the same for the same element, never for another one, and stale once it is not what was seen."""
from snapshots import nodes_of

BROWSER = "any"


def run(ctx):
    stream = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *ctx.browser_args()])
    stream.send("<batch>\n")

    def snapshot():
        answer = stream.ask("snapshot", {"format": "json"})
        ctx.expect(answer["success"], answer.get("error"))
        body = answer["result"]["page"]["body"]
        return {node["name"]: node["id"] for node in nodes_of(body) if node.get("name") and node["role"] != "RootWebArea"}

    def click(node):
        answer = stream.ask("click", {"node": node})
        return answer.get("errorCode"), answer.get("error", ""), answer

    def clicks():
        answer = stream.ask("evaluate", {"expression": "clicks"})
        return answer.get("result", answer.get("error"))

    stream.ask("start", {"url": ctx.origin + "/case/index.html", "maxConsecutiveErrors": 50, "totalErrorThreshold": 50})
    first = snapshot()
    ctx.expect(snapshot() == first, "the ids of an unchanged page are not the same")
    for name in ("Removed", "Save draft", "Inner button", "Count: 0", "Name"):
        ctx.expect(name in first, f"{name} is not in the snapshot: {first}")

    stream.ask("evaluate", {"expression": "change()"})
    for name, reason in (("Removed", "is no longer on the page"), ("Redrawn", "is no longer on the page"),
                         ("Save draft", 'was button "Save draft", and is now button "Delete everything"')):
        code, error, answer = click(first[name])
        ctx.expect(code == "STALE_NODE" and reason in error, f"{name}: {code}: {error}")
        ctx.expect("snapshot again" in answer.get("hint", ""), f"{name}: the hint is {answer.get('hint')}")
        ctx.expect(answer["attempts"] == 1, f"{name}: tried {answer['attempts']} times")
    ctx.expect(clicks() == [], f"something was clicked for an id that is stale: {clicks()}")

    # An element that is still what was seen may be used, wherever it is; a changed counter does not make it another
    # one.
    for name in ("Moved", "Inner button", "Count: 0", "Count: 0"):
        code, error, _ = click(first[name])
        ctx.expect(code is None, f"{name}: {code}: {error}")
    ctx.expect(clicks() == ["moved", "inner", "counter", "counter"], f"clicks: {clicks()}")
    # The nodes of a list are used again for other rows, whose names differ by numbers alone.
    stream.ask("evaluate", {"expression": "rows(1031)"})
    code, error, _ = click(first["Delete order 1001"])
    ctx.expect(code == "STALE_NODE" and 'is now button "Delete order 1031"' in error, f"another row: {code}: {error}")
    stream.ask("evaluate", {"expression": "orders.lastChild.remove()"})
    code, error, _ = click(first["Delete order 1001"])
    ctx.expect(code == "STALE_NODE", f"the last row, where the snapshot had two: {code}: {error}")
    ctx.expect(clicks() == ["moved", "inner", "counter", "counter"], f"another row was clicked: {clicks()}")
    typed = stream.ask("type", {"node": first["Name"], "text": "Ann"})
    ctx.expect(typed["success"], typed.get("error"))

    second = snapshot()
    for name in ("Redrawn", "Delete everything"):
        ctx.expect(name in second, f"{name} is not in the second snapshot")
    ctx.expect(second["Redrawn"] not in first.values(), "an id was used again for another element")
    ctx.expect(second["Moved"] == first["Moved"] and second["Delete everything"] == first["Save draft"],
               "an element that lives has another id")

    # Ids end with their document, in a frame and in the page.
    stream.ask("evaluate", {"expression": "document.querySelector('iframe').contentWindow.location.reload()"})
    stream.ask("wait", {"networkIdle": True})
    code, error, _ = click(second["Inner button"])
    ctx.expect(code == "STALE_NODE", f"in a frame that was loaded again: {code}: {error}")
    gone = stream.ask("wait", {"node": second["Inner button"], "state": "detached"})
    ctx.expect(gone["success"], f"waiting for what has gone: {gone.get('error')}")
    stream.ask("reload", {})
    code, error, _ = click(second["Moved"])
    ctx.expect(code == "STALE_NODE", f"after a reload: {code}: {error}")
    ctx.expect(clicks() == [], f"clicked in the page that was loaded again: {clicks()}")
    third = snapshot()
    ctx.expect(not set(third.values()) & (set(first.values()) | set(second.values())),
               "ids of the page before are used again")

    code, error, _ = click("e999999")
    ctx.expect(code == "STALE_NODE" and "no snapshot" in error, f"an id that was never given: {code}: {error}")
    code, error, _ = click("button")
    ctx.expect(code == "INVALID_ACTION", f"what is no id: {code}: {error}")
    stream.send("</batch>\n")
    stream.close_stdin()
    ctx.expect(stream.wait().exit == 1, "exit 1 is what failed actions make")
