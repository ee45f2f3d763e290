"""Options of lists: selected by their own node, or by the text that the snapshot shows."""
from snapshots import nodes_of

BROWSER = "any"


def run(ctx):
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *ctx.browser_args()])
    talk.send("<batch>\n")

    def ask(kind, code=None, **params):
        answer = talk.ask(kind, params)
        said = f"{kind} {params}: {answer.get('errorCode')}: {answer.get('error')}"
        ctx.expect(answer.get("errorCode") == code, f"{said}, not {code}")
        return answer

    def value(expression):
        return ask("evaluate", expression=expression)["result"]

    def notes():
        return value("notes.splice(0).join()")

    ask("start", url=ctx.origin + "/case/index.html", maxConsecutiveErrors=0, totalErrorThreshold=0)
    body = ask("snapshot", format="json")["result"]["page"]["body"]
    ids = {node["name"]: node["id"] for node in nodes_of(body) if node.get("name") and "id" in node}

    # Chrome draws a closed list itself: the error names at once the action to use instead.
    for kind in ("click", "hover", "focus", "press"):
        answer = ask(kind, "INVALID_ACTION", node=ids["Green"], **({"key": "a"} if kind == "press" else {}))
        ctx.expect(f'"select" with node {ids["Green"]}' in answer.get("hint", ""), f"{kind}: hint {answer.get('hint')}")
    by_css = ask("click", "INVALID_ACTION", selector="#colour [value=g]")
    ctx.expect('value "g"' in by_css.get("hint", ""), f"hint {by_css.get('hint')}")
    ctx.expect((value("colour.value"), notes()) == ("r", ""), "an option was chosen by what cannot do it")

    # By its own node, also in groups and closed shadow roots.
    ask("select", node=ids["Green"])
    ctx.expect((value("colour.value"), notes()) == ("g", "input colour,change colour"), "Green was not chosen")
    ask("select", node=ids["Green"])
    ctx.expect(notes() == "", "what was chosen is chosen again")
    ask("select", node=ids["Olive green"])
    ctx.expect(value("colour.value") == "o", "Olive green was not chosen")
    ask("select", node=ids["Night"])
    ctx.expect("Night" in value("notes.splice(0)"), "Night was not chosen")
    for name, code in (("Blue", "TARGET_DISABLED"), ("Pink", "TARGET_DISABLED"), ("Two", "TARGET_DISABLED"),
                       ("There", "UNKNOWN_ERROR")):
        ask("select", code, node=ids[name], timeout=600)
    ctx.expect(value("[colour.value, off.value, fixed.value].join()") == "o,One,Here", "a refused option was chosen")

    answer = ask("select", node=ids["October"])
    ctx.expect(value("month.value") == "October" and "October" not in str(answer), f"a private choice is told: {answer}")

    # Options of an open list are elements like all others; the selection is complete.
    ask("click", node=ids["Small"])
    ask("select", node=ids["Large"])
    ctx.expect(value("[...sizes.selectedOptions].map((one) => one.value).join()") == "Large", "not the one size")

    # Exactly one parameter names the option.
    for code, params in (("INVALID_ACTION", {"node": ids["Colour"]}), ("INVALID_ACTION", {"selector": "#colour"}),
                         ("INVALID_ACTION", {"node": ids["Green"], "label": "Green"}),
                         ("INVALID_ACTION", {"selector": "#colour [value=g]", "value": "g"})):
        answer = ask("select", code, **params)
        ctx.expect(answer.get("hint"), f"select {params}: no hint: {answer.get('error')}")

    # By the words of the text form.
    text = ask("snapshot")["result"]["text"]
    line = f'combobox "Colour" {ids["Colour"]} = "Olive green" of Red | Green | Blue disabled | Olive green | Pink disabled'
    ctx.expect(line in text.splitlines(), f"no line {line} in {text}")
    for label in ("Red", "Olive green"):
        ask("select", node=ids["Colour"], label=label)
        changed = ask("snapshot", diff=True)["result"]["text"]
        ctx.expect(f'= "{label}" of' in changed, f"not in the difference: {changed}")

    value("colour.options[1].remove()")
    ask("select", "STALE_NODE", node=ids["Green"])
    talk.send("</batch>\n")
    talk.close_stdin()
    talk.wait()
