"""A snapshot and an action by role and name mean the same elements.

On pages of fixtures/snapshot and fixtures/pages: a control that a snapshot lists is found by
its role and name, as the one of its kind that it is in the snapshot; and of that role nothing else is
found. Some of them are clicked both ways, and the page has to see the same element clicked. This
looks for a few names of each role on every fourth page; snapshot-and-role-all for all names on all pages.
"""
import collections
import re
import sys

from harness import ROOT
from processes import SLOWNESS

BROWSER = "any"
ROLES = {"button", "checkbox", "clickable", "ColorWell", "combobox", "Date", "DateTime", "DisclosureTriangle", "InputTime",
         "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "radio", "scrollbar", "searchbox", "slider",
         "spinbutton", "switch", "tab", "textbox", "treeitem"}
# They show dialogs, never finish loading, navigate by themselves, or have other elements each time.
UNFIT = {"/traps/endless-image.html", "/traps/busy.html", "/traps/alert-on-load.html", "/traps/confirm.html",
         "/traps/prompt.html", "/traps/redirects.html", "/traps/refresh.html", "/traps/refresh-script.html",
         "/traps/beforeunload.html", "/traps/moving.html", "/traps/timer.html", "/traps/vanishing.html"}
CLICKED = {"button", "checkbox", "link", "radio", "switch", "tab", "menuitem"}
FEW = {"pages": slice(0, None, 4), "names": 2, "clicks": 1, "fewest": 120, "fewest_clicks": 15}
ALL = {"pages": slice(None), "names": 10 ** 6, "clicks": 2, "fewest": 1200, "fewest_clicks": 80}
TRIES = 4  # for a page with a frame that was too late for an answer
NOTE_CLICKS = """(() => {
    window.clicked = [];
    addEventListener('click', (event) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        clicked.push([...document.querySelectorAll('*')].indexOf(event.target));
    }, true);
})()"""


def pages():
    for folder, route in (("snapshot", "/snapshot"), ("pages", "")):
        for path in sorted((ROOT / "fixtures" / folder).rglob("*.html")):
            url = f"{route}/{path.relative_to(ROOT / 'fixtures' / folder)}"
            if url not in UNFIT:
                yield url


def elements(answer):
    """Returns the elements of a snapshot, in document order."""
    found, todo = [], [answer["result"]["page"]["body"]]
    while todo:
        node = todo.pop()
        found.append(node)
        todo += reversed(node.get("children", []))
    return [node for node in found if "id" in node]


def said(node):
    """Returns a name in the form in which targets are compared: any case, any white space."""
    return " ".join((node.get("name") or node.get("text") or "").lower().split())


class Page:
    """The searches on one page, and their results."""

    def __init__(self, talk, origin, url, amount):
        self.talk, self.url, self.amount, self.problems = talk, url, amount, []
        self.looked_for = self.clicks = 0
        self.lacks_frame = False  # an answer reported a missing frame: it describes only a part of the page
        self.is_there = self.ask("navigate", {"url": origin + url})["success"]

    def ask(self, kind, parameters):
        answer = self.talk.ask(kind, parameters)
        self.lacks_frame |= any(log["message"].startswith("the frame ") and "left out" in log["message"]
                                for log in answer["logs"])
        return answer

    def snapshot(self, parameters, seconds=5):
        return self.ask("snapshot", {**parameters, "format": "json", "timeout": round(seconds * 1000 * SLOWNESS)})

    def first(self, way, seconds):
        """Returns the answer, and the id of its first element."""
        answer = self.snapshot({**way, "depth": 1}, seconds)
        return answer, [node["id"] for node in elements(answer)[:1]] if answer["success"] else []

    def found(self, way, waits=(0.06, 2)):
        """Returns the ids of all elements that are found in this way, in order; tries for so many seconds."""
        for seconds in waits:
            answer, ids = self.first(way, seconds)
            if several := re.match(r"(\d+) elements match", answer.get("error") or ""):
                return [id for nth in range(int(several[1])) for id in self.first({**way, "nth": nth}, 2)[1]]
            if answer["success"]:
                break
        return ids

    def check(self):
        shown, every = self.snapshot({}), self.snapshot({"all": True})
        if not shown["success"] or not every["success"]:
            self.problems.append(f"{self.url}: {shown.get('error')} {every.get('error')}")
            return
        groups, known = collections.defaultdict(list), set()
        for node in elements(shown) + elements(every):
            known.add((node["id"], node["role"], said(node)))
        for node in elements(shown):
            if node["role"] in ROLES and node["tag"] != "option" and said(node) and "*" not in said(node) \
                    and not said(node).endswith("…"):
                groups[node["role"], said(node)].append(node)
        for (role, name), nodes in self.chosen(groups):
            self.check_group(role, nodes[0].get("name") or nodes[0]["text"], [node["id"] for node in nodes],
                             {id for id, *what in known if what == [role, name]})
        self.check_clicks([nodes[0] for (role, _), nodes in groups.items() if role in CLICKED and len(nodes) == 1])

    def chosen(self, groups):
        """Returns some names of each role, from the end of the page, where most elements precede them."""
        of_role = collections.Counter()
        for (role, name), nodes in reversed(groups.items()):
            of_role[role] += 1
            if of_role[role] <= self.amount["names"]:
                yield (role, name), nodes

    def check_group(self, role, name, listed, known):
        """Checks that role and name find all listed elements with them, and no others."""
        self.looked_for += len(listed)
        found = self.found({"role": role, "name": name})
        if not set(listed) <= set(found) <= known:
            self.problems.append(f"{self.url}: {role} {name!r} is {listed}, but found are {found}")

    def click(self, way):
        """Returns which element the page has seen clicked; or why none."""
        answer = self.ask("click", {**way, "timeout": round(3000 * SLOWNESS)})
        if not answer["success"]:
            return answer.get("errorCode")
        return self.ask("evaluate", {"expression": "clicked.splice(0)"}).get("result")

    def check_clicks(self, nodes):
        """A click by role and name equals one by the id of the snapshot."""
        nodes = [node for node in nodes if not {"place", "covered", "disabled"} & node.keys()][:self.amount["clicks"]]
        if nodes and self.ask("evaluate", {"expression": NOTE_CLICKS})["success"]:
            for node in nodes:
                by_id = self.click({"node": node["id"]})
                by_name = self.click({"role": node["role"], "name": node.get("name") or node["text"]})
                self.clicks += isinstance(by_id, list) and len(by_id) == 1
                if by_id != by_name:
                    self.problems.append(f"{self.url}: a click on {node} is {by_id} by its id, {by_name} by its name")


def checked(talk, origin, url, amount):
    """A page is opened again only if an answer said that a frame is missing."""
    for _ in range(TRIES):
        page = Page(talk, origin, url, amount)
        if page.is_there:
            page.check()
        if not page.problems or not page.lacks_frame:
            break
    return page


def walk(ctx, amount):
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *ctx.browser_args()])
    talk.send("<batch>\n")
    talk.ask("start", {"url": "about:blank", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})
    looked_for, clicks, problems = 0, 0, []
    for url in list(pages())[amount["pages"]]:
        page = checked(talk, ctx.origin, url, amount)
        looked_for, clicks = looked_for + page.looked_for, clicks + page.clicks
        problems += page.problems
    talk.send("</batch>\n")
    talk.close_stdin()
    talk.wait()
    print(f"{looked_for} elements looked for, {clicks} clicked", *problems, sep="\n", file=sys.stderr)
    ctx.expect(looked_for >= amount["fewest"], f"only {looked_for} elements were looked for")
    ctx.expect(clicks >= amount["fewest_clicks"], f"only {clicks} elements were clicked")
    ctx.expect(not problems, f"{len(problems)} times a snapshot and an action disagree: {problems[:5]}")


def run(ctx):
    walk(ctx, FEW)
