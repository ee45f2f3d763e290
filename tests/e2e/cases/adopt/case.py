"""An open tab of another browser is used and left as it is; other tabs are not touched."""
import asyncio
import json
import re

from faults import Talk, until
from foreign import foreign_browser
from pictures import Picture


def adopt(ctx, browser, tab, steps, *args):
    batch = ctx.batch(steps)
    return ctx.run(["run", str(batch), "--connect", browser.http, "--screenshots", "none", "--tab", tab, *args])


def by_option(ctx, browser, form):
    """Text that a person typed is still there, no `start` is needed, and the picture has the tab's own size."""
    size = "[innerWidth, innerHeight, devicePixelRatio].join()"
    steps = [("evaluate", {"expression": size}), ("type", {"selector": "#name", "text": "Ann"}),
             ("screenshot", {"format": "png"}), ("evaluate", {"expression": size})]
    for tab in ("/form.html", "*/case/form.html", form):
        result = adopt(ctx, browser, tab, steps, "--session-id", "mine")
        ctx.expect(result.exit == 0, f"--tab {tab}: exit {result.exit}: {result.text[-600:]}")
        first, _, picture, last = result.responses
        ctx.match(first, {"sessionId": "mine"}, "the session's id")
        width, height, ratio = map(float, first["result"].split(","))
        ctx.expect(first["result"] == last["result"], f"its size was {first['result']} and is {last['result']}")
        ctx.match(picture["captures"]["post"], {"width": round(width * ratio), "height": round(height * ratio)},
                  f"--tab {tab}: its picture")
        ctx.expect(browser.tabs().get(form, "").endswith("/form.html"), f"--tab {tab}: the tab is gone: {browser.tabs()}")
    kept = adopt(ctx, browser, form, [("evaluate", {"expression": "document.querySelector('#name').value"})])
    ctx.match(kept.response(1), {"result": "AnnAnnAnn"}, "what was typed is still there")


def by_action(ctx, browser, form):
    steps = [("start", {"url": ctx.origin + "/shop/"}), ("tab", {"op": "adopt", "tab": "/form.html"}),
             ("evaluate", {"expression": "document.title"}), ("tab", {"op": "activate", "id": "1"}),
             ("evaluate", {"expression": "location.pathname"})]
    before = set(browser.tabs())
    result = ctx.run(["run", str(ctx.batch(steps)), "--connect", browser.http, "--screenshots", "none"])
    ctx.expect(result.exit == 0, f"op adopt: exit {result.exit}: {result.text[-600:]}")
    ctx.match(result.response(3), {"result": "Form"}, "the adopted tab is the page")
    ctx.match(result.response(5), {"result": "/shop/"}, "and the other one again")
    until(lambda: set(browser.tabs()) == before, "its own tab is closed, and no other")


def at_first(ctx, browser, form, stranger):
    """`tab` with the op adopt needs no `start`; its list shows the free tabs, and so does the error about a tab that is
    not free."""
    before = set(browser.tabs())
    steps = [("tab", {"op": "adopt", "tab": "/form.html"}), ("evaluate", {"expression": "document.title"}), ("tab", {"op": "list"})]
    result = ctx.run(["run", str(ctx.batch(steps)), "--connect", browser.http, "--screenshots", "none"])
    ctx.expect(result.exit == 0, f"adopt at first: exit {result.exit}: {result.text[-600:]}")
    ctx.match(result.response(2), {"result": "Form"}, "the adopted tab is the first page")
    own, *free = result.response(3)["result"]
    ctx.expect(own["id"] == 1 and own["active"] and "tab" not in own, f"the page: {own}")
    ctx.expect(stranger in [one["tab"] for one in free] and form not in [one["tab"] for one in free]
               and not any("id" in one or one["active"] for one in free), f"free tabs: {free}")
    url = next(one["url"] for one in free if one["tab"] == stranger)
    wrong = ctx.run(["run", str(ctx.batch([("tab", {"op": "adopt", "tab": "/nowhere"}), ("tab", {"op": "list"})])), "--connect", browser.http,
                     "--screenshots", "none"])
    ctx.match(wrong.response(1), {"errorCode": "TARGET_NOT_FOUND", "hint": {"$contains": url}}, "no such tab")
    ctx.expect(sorted(one["tab"] for one in wrong.response(2)["result"]) == sorted(before), f"the list, before a page: {wrong.response(2)}")
    named = ctx.run(["run", str(ctx.batch([("tab", {"op": "list"}), ("tab", {"op": "adopt", "tab": form}), ("evaluate", {"expression": "document.title"}),
                                           ("stop", {}), ("tab", {"op": "list"})])), "--connect", browser.http, "--screenshots", "none"])
    ctx.expect(named.exit == 0, f"list, adopt: exit {named.exit}: {named.text[-600:]}")
    ctx.match(named.response(3), {"result": "Form"}, "a tab of the first list")
    ctx.expect(set(browser.tabs()) == before, f"the tabs were {before} and are {browser.tabs()}")
    deny = ctx.run(["run", str(ctx.batch([("start", {"url": "about:blank"}), ("tab", {"op": "list"})])), "--connect", browser.http,
                    "--screenshots", "none", "--deny", ctx.origin.split("//")[1].split(":")[0]])
    ctx.expect(len(deny.response(2)["result"]) == 1 + sum(not one["url"].startswith(ctx.origin) for one in free),
               f"what the rules forbid is not offered: {deny.response(2)['result']}")
    alone = ctx.run_batch([("tab", {"op": "adopt", "tab": "x"})], "--screenshots", "none")
    ctx.match(alone.response(1), {"errorCode": "INVALID_ACTION", "error": {"$contains": "no page is open"}}, "a browser of our own")


def as_it_is(ctx, browser):
    """A picture and a snapshot show what a person sees; the page is not navigated again."""
    before = ctx.counts().get("form", 0)
    shot = ctx.run(["shot", "--connect", browser.http, "--tab", "/form.html", "-o", ctx.work / "tab.png"])
    ctx.expect(shot.exit == 0, f"shot --tab: exit {shot.exit}: {shot.text[-300:]}")
    ctx.expect((ctx.work / "tab.png").read_bytes().startswith(b"\x89PNG"), "shot --tab: no PNG")
    snapshot = ctx.run(["snapshot", "--connect", browser.http, "--tab", "/form.html"], complete=False)
    ctx.expect(snapshot.exit == 0 and b"AnnAnnAnn" in snapshot.stdout, f"snapshot --tab: exit {snapshot.exit}: {snapshot.text}")
    ctx.expect(ctx.counts().get("form", 0) == before, "the page was loaded again")


def far_down(ctx, browser):
    """Pictures of a part beyond the viewport leave the tab its size, for the next picture and for a person."""
    tab = browser.open(ctx.origin + "/long/")
    size = [("wait", {"selector": "#harbour-5"}), ("evaluate", {"expression": "[innerWidth, innerHeight].join()"})]
    before = adopt(ctx, browser, tab, size).response(2)["result"]
    for name in ("once.png", "again.png"):
        shot = ctx.run(["shot", "--connect", browser.http, "--tab", tab, "--selector", "#harbour-5 .side svg", "-o", name])
        ctx.expect(shot.exit == 0, f"shot {name}: exit {shot.exit}: {shot.text[-300:]}")
        picture = Picture((ctx.work / name).read_bytes())
        ctx.expect((picture.width, picture.height) == (345, 140) and not picture.is_blank(), f"{name}: {picture.summary()}")
        after = adopt(ctx, browser, tab, size).response(2)["result"]
        ctx.expect(after == before, f"after {name}: the tab's size was {before} and is {after}")
    browser.ask_text(f"/json/close/{tab}")


def refused(ctx, browser):
    once = [("evaluate", {"expression": "1"})]
    nothing = adopt(ctx, browser, "/nowhere", once)
    ctx.match(nothing.response(1), {"errorCode": "TARGET_NOT_FOUND", "error": {"$contains": "/nowhere"}}, "no such tab")
    several = adopt(ctx, browser, ctx.origin, once)
    ctx.match(several.response(1), {"errorCode": "TARGET_AMBIGUOUS"}, "several tabs")
    alone = ctx.run(["run", str(ctx.batch(once)), "--tab", "x"], complete=False)
    ctx.expect(alone.exit == 2 and "--connect" in alone.stderr, f"--tab alone: exit {alone.exit}: {alone.stderr}")


def closed(ctx, browser):
    """A person closes the adopted tab: no other tab is opened instead, and the session reports this from then on."""
    tab = browser.open(ctx.origin + "/case/form.html?closed")
    talk = Talk(ctx, profile=("--connect", browser.http, "--tab", tab), screenshots="none")
    talk.do({"success": True, "result": "Form"}, "evaluate", "the tab", expression="document.title")
    before = set(browser.tabs()) - {tab}
    browser.ask_text(f"/json/close/{tab}")
    until(lambda: tab not in browser.tabs(), "the tab is closed")
    for expression in ("1", "2"):
        talk.do({"errorCode": "TARGET_NOT_FOUND", "error": {"$contains": "the adopted tab was closed"}}, "evaluate", "closed",
                expression=expression)
    ctx.expect(set(browser.tabs()) == before, f"the tabs were {before} and are {browser.tabs()}")
    talk.do({"success": True}, "tab", "another tab", op="adopt", tab="/form.html")
    talk.do({"success": True, "result": "Form"}, "evaluate", "the other tab", expression="document.title")
    talk.process.send("</batch>\n")
    talk.process.close_stdin()
    talk.process.wait()


def told_once(ctx, browser):
    """The first answer in an adopted tab has what its document logged before; but one that opens another document has not,
    nor one after the tab was detached."""
    def browsers(response):
        return [log["message"] for log in response["logs"] if log["source"] == "browser"]

    tab = browser.open(ctx.origin + "/case/form.html?told")
    throw = "console.warn('said'); setTimeout(() => { throw new Error('thrown') }); fetch('/nothing').then(() => 1)"
    told = adopt(ctx, browser, tab, [("evaluate", {"expression": throw}), ("evaluate", {"expression": "new Promise(r => setTimeout(r))"})])
    ctx.expect(sum(len(browsers(response)) for response in told.responses) == 3, f"as it happens: {told.text[-1500:]}")
    again = adopt(ctx, browser, tab, [("evaluate", {"expression": "1"}), ("evaluate", {"expression": "2"})])
    ctx.expect(len(browsers(again.response(1))) == 3 and not browsers(again.response(2)), f"what was before: {again.text[-1500:]}")
    other = adopt(ctx, browser, tab, [("start", {"url": ctx.origin + "/case/form.html?other"}), ("evaluate", {"expression": "1"})])
    ctx.expect(not browsers(other.response(1)) and not browsers(other.response(2)), f"another document: {other.text[-1500:]}")
    ctx.match(other.response(1)["metrics"], {"jsErrors": 0}, "the errors of another document")
    talk = Talk(ctx, profile=("--connect", browser.http, "--tab", tab, "--idle-detach", "1"), screenshots="none")
    talk.do({"success": True}, "evaluate", "it says something", expression="console.warn('said')")
    until(lambda: not is_attached(browser, tab), "the tab is left alone")
    after = talk.do({"success": True}, "evaluate", "attached again", expression="1")
    ctx.expect(not browsers(after), f"after the tab was detached: {after['logs']}")
    talk.process.send("</batch>\n")
    talk.process.close_stdin()
    talk.process.wait()
    browser.ask_text(f"/json/close/{tab}")


def is_attached(browser, tab):
    """Whether a client has a session with the tab. Two clients look at the browser; this one has no session."""
    import websockets

    async def ask():
        async with websockets.connect(browser.websocket, max_size=None) as socket:
            await socket.send(json.dumps({"id": 1, "method": "Target.getTargets"}))
            infos = json.loads(await socket.recv())["result"]["targetInfos"]
            return next(info["attached"] for info in infos if info["targetId"] == tab)
    return asyncio.run(ask())


def detached(ctx, browser):
    """An adopted tab is detached while no action runs, and attached again with its page; if it was closed, the error says
    so."""
    tab = browser.open(ctx.origin + "/case/form.html?idle")
    talk = Talk(ctx, profile=("--connect", browser.http, "--tab", tab, "--idle-detach", "1"), screenshots="none")
    for text in ("Ann", "Bob"):
        talk.do({"success": True}, "type", "the tab", selector="#name", text=text)
        ctx.expect(is_attached(browser, tab), f"{text}: nobody is attached to the tab")
        until(lambda: not is_attached(browser, tab), "the tab is left alone")
    seen = talk.do({"success": True, "result": "AnnBob"}, "evaluate", "as it was left", expression="document.querySelector('#name').value")
    ctx.expect(not seen["recovered"], f"it was no loss: {seen}")
    outline = talk.do({"success": True}, "snapshot", "its outline")["result"]["text"]
    field = re.search(r"textbox[^\n]*? (e\d+)", outline).group(1)
    until(lambda: not is_attached(browser, tab), "the tab is left alone once more")
    talk.do({"success": True}, "type", "by an id of before", node=field, text="Cy")
    until(lambda: not is_attached(browser, tab), "the tab is left alone again")
    browser.ask_text(f"/json/close/{tab}")
    until(lambda: tab not in browser.tabs(), "the tab is closed")
    talk.do({"errorCode": "TARGET_NOT_FOUND", "error": {"$contains": "the adopted tab was closed"}}, "evaluate", "closed", expression="1")
    talk.do({"success": True}, "tab", "another tab", op="adopt", tab="/form.html")
    talk.do({"success": True, "result": "Form"}, "evaluate", "the other tab", expression="document.title")
    talk.process.send("</batch>\n")
    talk.process.close_stdin()
    talk.process.wait()
    alone = ctx.run(["run", str(ctx.batch([("stop", {})])), "--idle-detach", "5"], complete=False)
    ctx.expect(alone.exit == 2 and "--connect" in alone.stderr, f"--idle-detach alone: exit {alone.exit}: {alone.stderr}")


def run(ctx):
    with foreign_browser(ctx) as browser:
        form = browser.open(ctx.origin + "/case/form.html")
        stranger = browser.open(ctx.origin + "/case/stranger.html")
        until(lambda: ctx.counts().get("asked", 0) > 0, "the stranger's tab asks")
        before = browser.tabs()
        by_option(ctx, browser, form)
        as_it_is(ctx, browser)
        by_action(ctx, browser, form)
        at_first(ctx, browser, form, stranger)
        refused(ctx, browser)
        ctx.expect(browser.tabs() == before, f"the tabs were {before} and are {browser.tabs()}")
        ctx.expect(stranger in browser.tabs(), "the stranger's tab is gone")
        ctx.expect("answered" not in ctx.counts(), "the stranger's dialog was answered")
        far_down(ctx, browser)
        told_once(ctx, browser)
        closed(ctx, browser)
        detached(ctx, browser)
