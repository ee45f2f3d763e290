"""A snapshot and an action by role and name mean the same elements.

On every page of fixtures/snapshot and fixtures/pages: each control that a snapshot lists is found by
its role and name, as the one of its kind that it is in the snapshot; and of that role nothing else is
found. Some of them are clicked both ways, and the page has to see the same element clicked.
"""
import collections
import re
import sys
import time

from harness import ROOT

TIME_LIMIT = 600
ROLES = {"button", "checkbox", "clickable", "ColorWell", "combobox", "Date", "DateTime", "DisclosureTriangle", "InputTime",
         "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "radio", "scrollbar", "searchbox", "slider",
         "spinbutton", "switch", "tab", "textbox", "treeitem"}
# They ask something, never end loading, go elsewhere by themselves, or have other elements each time.
UNFIT = {"/traps/endless-image.html", "/traps/busy.html", "/traps/alert-on-load.html", "/traps/confirm.html",
         "/traps/prompt.html", "/traps/redirects.html", "/traps/refresh.html", "/traps/refresh-script.html",
         "/traps/beforeunload.html", "/traps/moving.html", "/traps/timer.html", "/traps/vanishing.html"}
CLICKED = {"button", "checkbox", "link", "radio", "switch", "tab", "menuitem"}
CLICKS = 2  # of each page
FEWEST, FEWEST_CLICKS = 1200, 80
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
    """The elements of a snapshot, in document order."""
    found, todo = [], [answer["result"]["page"]["body"]]
    while todo:
        node = todo.pop()
        found.append(node)
        todo += reversed(node.get("children", []))
    return [node for node in found if "id" in node]


def said(node):
    """A name as a target's is compared: in any case, whatever the white space."""
    return " ".join((node.get("name") or node.get("text") or "").lower().split())


class Page:
    """What is looked for on one page, and what came of it."""

    def __init__(self, talk, origin, url):
        self.talk, self.url, self.problems = talk, url, []
        self.looked_for = self.clicks = 0
        self.is_there = talk.ask("navigate", {"url": origin + url})["success"]

    def snapshot(self, parameters, seconds=5):
        return self.talk.ask("snapshot", {**parameters, "format": "json", "timeout": seconds * 1000})

    def first(self, way, seconds):
        """The answer, and the id of what it begins with."""
        answer = self.snapshot({**way, "depth": 1}, seconds)
        return answer, [node["id"] for node in elements(answer)[:1]] if answer["success"] else []

    def found(self, way, waits=(0.06, 2)):
        """The ids of all elements that are found so, in their order; tried for so many seconds."""
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
        for (role, name), nodes in groups.items():
            self.check_group(role, nodes[0].get("name") or nodes[0]["text"], [node["id"] for node in nodes],
                             {id for id, *what in known if what == [role, name]})
        self.check_clicks([nodes[0] for (role, _), nodes in groups.items() if role in CLICKED and len(nodes) == 1])

    def check_group(self, role, name, listed, known):
        """All that is listed with this role and name is found by them, and nothing else."""
        self.looked_for += len(listed)
        found = self.found({"role": role, "name": name})
        if not set(listed) <= set(found) <= known:
            # A frame that was late once is left out for a while: looked for again when that is over.
            time.sleep(3.5)
            found = self.found({"role": role, "name": name}, (5,))
        if not set(listed) <= set(found) <= known:
            self.problems.append(f"{self.url}: {role} {name!r} is {listed}, but found are {found}")

    def click(self, way):
        """Which element the page has seen clicked; or why not."""
        answer = self.talk.ask("click", {**way, "timeout": 3000})
        if not answer["success"]:
            return answer.get("errorCode")
        return self.talk.ask("evaluate", {"expression": "clicked.splice(0)"}).get("result")

    def check_clicks(self, nodes):
        """A click by role and name is one by the id of the snapshot."""
        nodes = [node for node in nodes if not {"place", "covered", "disabled"} & node.keys()][:CLICKS]
        if nodes and self.talk.ask("evaluate", {"expression": NOTE_CLICKS})["success"]:
            for node in nodes:
                by_id = self.click({"node": node["id"]})
                by_name = self.click({"role": node["role"], "name": node.get("name") or node["text"]})
                self.clicks += isinstance(by_id, list) and len(by_id) == 1
                if by_id != by_name:
                    self.problems.append(f"{self.url}: a click on {node} is {by_id} by its id, {by_name} by its name")


def run(ctx):
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *ctx.browser_args()])
    talk.send("<batch>\n")
    talk.ask("start", {"url": "about:blank", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})
    looked_for, clicks, problems = 0, 0, []
    for url in pages():
        page = Page(talk, ctx.origin, url)
        if page.is_there:
            page.check()
        looked_for, clicks = looked_for + page.looked_for, clicks + page.clicks
        problems += page.problems
    talk.send("</batch>\n")
    talk.close_stdin()
    talk.wait()
    print(f"{looked_for} elements looked for, {clicks} clicked", *problems, sep="\n", file=sys.stderr)
    ctx.expect(looked_for >= FEWEST, f"only {looked_for} elements were looked for")
    ctx.expect(clicks >= FEWEST_CLICKS, f"only {clicks} elements were clicked")
    ctx.expect(not problems, f"{len(problems)} times a snapshot and an action disagree: {problems[:5]}")
