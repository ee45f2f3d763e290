"""Roles, names and states as computed from the page alone, compared with Chrome's own tree, on many pages.

Each page is snapshotted twice in one session, so that its elements have the same ids; differences are printed, and
their number is limited. And as in snapshot-by-role, role and name find the element on these pages."""
import sys

from harness import ROOT, case

BROWSER = "any"
PAGES = sorted(path.name for path in (ROOT / "fixtures/snapshot/corpus").glob("*.html"))
OPERABLE = {"button", "checkbox", "ColorWell", "combobox", "Date", "DateTime", "DisclosureTriangle",
            "DisclosureTriangleGrouped", "InputTime", "link", "listbox", "menuitem", "menuitemcheckbox",
            "menuitemradio", "option", "radio", "scrollbar", "searchbox", "slider", "spinbutton", "switch", "tab",
            "textbox", "treeitem"}
# These roles, and elements that are not in the tree, say nothing.
SILENT = {"none", "generic", "LineBreak", "RootWebArea"}
LEAST = {"role, operable": 99.5, "name, operable": 99.0, "role, all": 98.5, "name, all": 99.0,
         "checked": 99.5, "expanded": 99.5, "pressed": 99.5, "disabled": 99.5, "level": 99.5}
FEWEST = 2500  # elements compared: an empty snapshot would agree with everything
FEWEST_SEARCHED = 45


def elements(answer):
    """Returns the elements of a snapshot by their ids."""
    found, todo = {}, [answer["result"]["page"]["body"]]
    while todo:
        node = todo.pop()
        todo += node.get("children", [])
        if "id" in node:
            found[node["id"]] = node
    return found


def role_of(node):
    return "none" if node.get("ignored") or not node.get("role") else node["role"]


class Table:
    """Counts how often both agree, by what is compared; and records differences."""

    def __init__(self):
        self.counts = {what: [0, 0] for what in LEAST}
        self.differences = []

    def add(self, what, ours, chromes, where):
        agrees = ours == chromes
        self.counts[what][0] += agrees
        self.counts[what][1] += 1
        if not agrees:
            self.differences.append(f"{where} {what.split(',')[0]}: {ours!r}, Chrome {chromes!r}")

    def percent(self, what):
        agreed, count = self.counts[what]
        return 100 * agreed / count if count else 0

    def lines(self):
        return [f"{what:16}{agreed:6} of {count:6}  {self.percent(what):6.2f} %  at least {LEAST[what]} %"
                for what, (agreed, count) in self.counts.items()]


def compare(table, page, ours, chromes):
    role, chromes_role = role_of(ours), role_of(chromes)
    if role in SILENT and chromes_role in SILENT:
        return
    kinds = ["all", "operable"] if {role, chromes_role} & OPERABLE else ["all"]
    where = f"{page} <{ours.get('tag')}> {chromes_role} {chromes.get('name', '')[:40]!r}"
    # A difference is listed once, in the last of its kinds.
    listed = len(table.differences)
    for kind in kinds:
        del table.differences[listed:]
        table.add(f"role, {kind}", role, chromes_role, where)
    if role != chromes_role:
        return
    listed = len(table.differences)
    for kind in kinds:
        del table.differences[listed:]
        table.add(f"name, {kind}", ours.get("name", ""), chromes.get("name", ""), where)
    for state in ("checked", "expanded", "pressed"):
        if state in ours or state in chromes:
            table.add(state, ours.get(state), chromes.get(state), where)
    if "operable" in kinds or "disabled" in ours or "disabled" in chromes:
        table.add("disabled", ours.get("disabled", False), chromes.get("disabled", False), where)
    if role in ("heading", "treeitem"):
        table.add("level", ours.get("level"), chromes.get("level"), where)


def run(ctx):
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *ctx.browser_args()])
    talk.send("<batch>\n")
    talk.ask("start", {"url": "about:blank", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})
    by_role = case("snapshot-by-role")
    table, total, missed = Table(), 0, []
    for page in PAGES:
        talk.ask("navigate", {"url": f"{ctx.origin}/snapshot/corpus/{page}"})
        for _ in range(5):  # controls of media appear when their stream has begun
            answers = [talk.ask("snapshot", {"format": "json", "all": True, "ax": ax}) for ax in ("none", "full")]
            if all(answer["success"] for answer in answers) and len({frozenset(elements(answer)) for answer in answers}) == 1:
                break
        failed = [answer for answer in answers if not answer["success"]]
        if not ctx.expect(not failed, f"{page}: {[answer.get('error') for answer in failed]}"):
            continue
        ours, chromes = map(elements, answers)
        ctx.expect(ours.keys() == chromes.keys(), f"{page}: other elements the second time")
        for name in ours.keys() & chromes.keys():
            compare(table, page, ours[name], chromes[name])
        count, what = by_role.check_page(talk, ctx, f"/snapshot/corpus/{page}")
        total, missed = total + count, missed + what
    talk.send("</batch>\n")
    talk.close_stdin()
    talk.wait()
    print(f"{len(PAGES)} pages", *table.differences, *table.lines(), sep="\n", file=sys.stderr)
    by_role.check_total(ctx, total, FEWEST_SEARCHED, missed)
    ctx.expect(table.counts["role, all"][1] >= FEWEST, f"only {table.counts['role, all'][1]} elements were compared")
    for what, least in LEAST.items():
        ctx.expect(table.percent(what) >= least, f"{what}: {table.percent(what):.2f} % agree, not {least} %")
