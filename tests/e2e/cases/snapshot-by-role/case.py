"""The role and name in a snapshot find that element, on pages with widgets; snapshot-agreement does the same on the pages that
it opens.

On each page some elements are searched; E2E_SHARE=1 takes all of them, which takes minutes."""
import collections
import os
import sys

BROWSER = "any"
SHARE = int(os.environ.get("E2E_SHARE", "24"))  # every so many-th element is searched
FEWEST = 8
PAGES = [f"/e2e/widgets/{name}" for name in ("lists.html", "controls.html", "grid.html", "jqueryui.html", "mail.html")]
PAGES += ["/npm/startbootstrap-sb-admin-2/index.html"]


def elements(body):
    """Returns the elements with an id, in document order."""
    found, todo = [], [body]
    while todo:
        node = todo.pop()
        if "id" in node and node.get("tag") not in ("body", "option"):
            found.append(node)
        todo += reversed(node.get("children", []))
    return found


def first_of(answer):
    """Returns the id of the first element of a snapshot."""
    children = answer["result"]["page"]["body"].get("children", []) if answer["success"] else []
    return children[0].get("id") if children else None


def look(talk, wanted, places):
    """Whether one of the elements with its role and name is it; what was found instead."""
    name = wanted.get("name") or wanted.get("text")
    way = {"role": wanted["role"], **({"name": name} if name else {})}
    said = []
    for nth in places:
        answer = talk.ask("snapshot", {**way, "nth": nth, "format": "json", "depth": 1, "timeout": 4000})
        if first_of(answer) == wanted["id"]:
            return None
        said.append(first_of(answer) or answer.get("error") or "nothing")
        if not answer["success"]:
            break
    return f"{wanted['id']} {way}: {said}"


def check_page(talk, ctx, url):
    """Returns how many elements of the open page were searched, and which were not found."""
    answer = talk.ask("snapshot", {"format": "json"})
    if not ctx.expect(answer["success"], f"{url}: {answer.get('error')}"):
        return 0, []
    counts = collections.Counter()
    wanted = []
    for node in elements(answer["result"]["page"]["body"]):
        name = node.get("name") or node.get("text") or ""
        key = node["role"], name.lower() or None
        if not name.endswith("…") and "*" not in name:
            # Elements that a snapshot does not show may precede it.
            wanted.append((node, range(counts[key], counts[key] + (4 if name else 20))))
        counts[node["role"], None] += 1
        counts[key] += bool(name)
    chosen = wanted[len(url) % SHARE::SHARE]
    missed = [look(talk, node, places) for node, places in chosen]
    return len(chosen), [f"{url}: {what}" for what in missed if what]


def run(ctx):
    ctx.requires_widgets("select2", "jquery", "choices.js", "tom-select", "flatpickr", "ag-grid-community", "leaflet",
                         "jquery-ui-dist", "nouislider", "startbootstrap-sb-admin-2")
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *ctx.browser_args()])
    talk.send("<batch>\n")
    talk.ask("start", {"url": "about:blank", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})
    total, missed = 0, []
    for url in PAGES:
        answer = talk.ask("navigate", {"url": ctx.origin + url})
        if not ctx.expect(answer["success"], f"{url}: {answer.get('error')}"):
            continue
        count, what = check_page(talk, ctx, url)
        total, missed = total + count, missed + what
    talk.send("</batch>\n")
    talk.close_stdin()
    talk.wait()
    check_total(ctx, total, FEWEST, missed)


def check_total(ctx, total, fewest, missed):
    print(f"{total} elements looked for, {len(missed)} not found", *missed, sep="\n", file=sys.stderr)
    ctx.expect(total >= fewest, f"only {total} elements were looked for")
    ctx.expect(not missed, f"{len(missed)} of {total} elements were not found")
