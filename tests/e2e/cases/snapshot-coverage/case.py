"""Every visible control of pages of many kinds is in a snapshot, and can be operated there by its id."""
import time

from harness import instruction

BROWSER = "any"
TELLING_S = 5
PAGES = ("frames.html", "shadow.html", "components.html", "components.html?second", "widgets.html",
         "widgets.html?open", "modal.html", "scrolled.html", "broken.html", "rtl.html")
# Clicks on these themselves do nothing.
STRUCTURE = {"document", "iframe", "heading", "main", "navigation", "banner", "contentinfo", "form", "paragraph",
             "list", "table", "rowgroup", "tablist", "dialog"}
TEXT = {"textbox", "searchbox", "spinbutton"}


def nodes_of(body):
    """Returns the nodes with an id, in document order."""
    found, todo = [], [body]
    while todo:
        node = todo.pop()
        if "id" in node:
            found.append(node)
        todo += reversed(node.get("children", []))
    return [node for node in found if node.get("role") not in STRUCTURE and not node.get("inert")
            and node.get("tag") != "option"]  # of a closed list, which is operated itself


class Talk:
    """A conversation with the program about one page after the other."""

    def __init__(self, ctx):
        self.ctx, self.count = ctx, 0
        self.process = ctx.start(["run", "-", "--temp-profile", *ctx.browser_args(), "--screenshots", "none"])
        self.do("start", url="about:blank", maxConsecutiveErrors=0, totalErrorThreshold=0)

    def do(self, kind, **parameters):
        self.count += 1
        self.process.send(instruction(kind, parameters) + "\n")
        return self.process.line(40)

    def open(self, url):
        """Opens the page again; returns its nodes, once all of its frames have reported."""
        self.do("navigate", url=url)
        known = -1
        while known != len(self.ctx.fetch("/operated-so-far")):
            known = len(self.ctx.fetch("/operated-so-far"))
            time.sleep(0.3)
        answer = self.do("snapshot", format="json", interactive=True)
        if not self.ctx.expect(answer["success"], f"{url}: {answer.get('error')}"):
            return []
        return nodes_of(answer["result"]["page"]["body"])

    def operate(self, node):
        """Types into a text field, clicks everything else."""
        if node.get("role") in TEXT or node.get("editable"):
            answer = self.do("type", node=node["id"], text="7", timeout=1500)
            if answer.get("errorCode") != "INVALID_ACTION":
                return answer
        return self.do("click", node=node["id"], timeout=1500)


def cover(ctx, talk, url):
    """Operates all nodes of a page; on a fresh one if the previous operation has made it impossible."""
    said = {}
    nodes = talk.open(url)
    is_fresh, at = True, 0
    while at < len(nodes):
        node = nodes[at]
        answer = talk.operate(node)
        if not answer["success"] and not is_fresh:
            again = talk.open(url)
            if not ctx.expect(len(again) == len(nodes), f"{url}: {len(again)} nodes instead of {len(nodes)}"):
                return said
            nodes, is_fresh = again, True
            continue
        if not answer["success"]:
            said[node["id"]] = f"{node.get('role')} {node.get('name')!r}: {answer['errorCode']}: {answer['error']}"
        is_fresh, at = False, at + 1
    return said


def told(ctx, before):
    """Returns the existing controls, and those not operated after all operations were reported."""
    end = time.monotonic() + TELLING_S
    while True:
        events = ctx.fetch("/operated-so-far")[before:]
        there = {name for name, how in events if how == "there"}
        missing = sorted(there - {name for name, how in events if how != "there"})
        if not missing or time.monotonic() > end:
            return there, missing
        time.sleep(0.1)


def run(ctx):
    talk = Talk(ctx)
    for page in PAGES:
        before = len(ctx.fetch("/operated-so-far"))
        said = cover(ctx, talk, f"{ctx.origin}/snapshot/coverage/{page}")
        there, missing = told(ctx, before)
        ctx.expect(there, f"{page}: no control")
        ctx.expect(not missing, f"{page}: not operated: {missing}; what failed: {said}")
        ctx.expect(not said, f"{page}: failed: {said}")
    talk.process.close_stdin()
    talk.process.wait()
