"""A snapshot with diff is compared with the last one of the same view, of the same document."""

BROWSER = "any"


def run(ctx):
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *ctx.browser_args()])
    talk.send("<batch>\n")

    def ask(kind, **params):
        answer = talk.ask(kind, params)
        ctx.expect(answer["success"], f"{kind} {params}: {answer.get('errorCode')}: {answer.get('error')}")
        return answer

    def text(**params):
        return ask("snapshot", **params)["result"]["text"]

    def change(expression):
        ask("evaluate", expression=expression)

    ask("start", url=ctx.origin + "/case/index.html")
    first = text(diff=True)
    ctx.expect(first.startswith('page "Tasks" ') and first == text(), f"the first is not the whole page: {first}")
    ctx.expect(text(diff=True) == "", "nothing has changed")

    # Snapshots in other views, meanwhile, do not count.
    change("said.textContent = 'One is left'")
    found = text(find="SAIL")
    ctx.expect("sail" in found and "boat" not in found, f"found: {found}")
    changed = '- "Two are left"\n+ "One is left"\n'
    ctx.expect(text(diff=True, label="look", timeout=9000) == changed, "not the difference of the whole page")
    whole = text(interactive=True, diff=True)
    ctx.expect(whole == text(interactive=True) and "left" not in whole, f"the first of a view is not whole: {whole}")
    change("two.disabled = true; said.textContent = 'None is left'")
    told = text(interactive=True, diff=True)
    ctx.expect(told.count("\n") == 2 and "sail" in told and "disabled" in told, f"the difference of a view: {told}")
    ctx.expect("None is left" in text(diff=True), "the whole page has changed, too")

    # A single sign matters: a cross instead of a check mark is a change, and is found.
    change("said.textContent = '\u2713'")
    ctx.expect('"\u2713"' in text(find="\u2713"), "a sign is not found")
    ctx.expect('+ "\u2713"' in text(diff=True), "a sign that came is no change")
    change("said.textContent = '\u2717'")
    ctx.expect(text(diff=True) == '- "\u2713"\n+ "\u2717"\n', "another sign is no change")

    # A route is the same document; another document has nothing in common with the previous one.
    change("history.pushState(null, '', '?page=2')")
    ctx.expect(text(diff=True).startswith("- page "), "the difference of a route")
    ask("reload")
    again = text(diff=True)
    ctx.expect(again.startswith("page ") and again == text() and "Two are left" in again, f"another document: {again}")

    answer = ask("snapshot", find="no such words")
    ctx.expect(any("no such words" in log["message"] and log["type"] == "warning" for log in answer["logs"]),
               f"nothing says that nothing was found: {answer['logs']}")
    answer = ask("snapshot", findRole="slider", format="json")
    ctx.expect(any("slider" in log["message"] for log in answer["logs"]), "nothing says that no role was found")
    talk.send("</batch>\n")
    talk.close_stdin()
    talk.wait()
