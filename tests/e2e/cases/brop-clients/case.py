"""Clients beside each other: the same ids, a tab that hangs, an alert, a client and a browser that are killed."""
import asyncio
import json
import re
import time

from broped import broped
from faults import kill
from processes import SLOWNESS

BROWSER = "any"


CLIENTS, TABS, ROUNDS = 4, 8, 12


def run(ctx):
    with broped(ctx) as brop:
        for part in (same_ids, in_order, hung, alert, killed_client, flood, killed_browser):
            asyncio.run(part(ctx, brop))


async def open_tabs(ctx, client, count):
    made = await asyncio.gather(*(client.ask("create_tab", url=f"{ctx.origin}/case/tab.html?{i}") for i in range(count)))
    return [tab["tabId"] for tab in made]


async def close_tabs(client):
    listed = await client.ask("list_tabs")
    await asyncio.gather(*(client.ask("close_tab", tabId=tab["tabId"]) for tab in listed["tabs"]))


async def same_ids(ctx, brop):
    """Each client numbers its commands from 1, on tabs of its own and on those of others."""
    async def work(client, number, tabs):
        for i in range(ROUNDS):
            tab = tabs[(number * 2 + i % 3) % TABS]
            code = f"'{number}:{i}:' + location.search"
            said, title = await asyncio.gather(client.ask("evaluate_js", tabId=tab, code=code), client.ask("get_console_logs", tabId=tab))
            place = tabs.index(tab)
            ctx.expect(said["result"] == f"{number}:{i}:?{place}", f"client {number} got {said}")
            ctx.expect(title["tabId"] == tab, f"client {number} got the logs of {title['tabId']}, not {tab}")
            await client.ask("click", tabId=tabs[number * 2], selector="button")

    async with brop.client("?name=a") as a, brop.client("?name=b") as b, brop.client() as c, brop.client("") as d:
        clients = (a, b, c, d)
        tabs = await open_tabs(ctx, a, TABS)
        ctx.expect(len(set(tabs)) == TABS, f"ids: {tabs}")
        for client in clients:
            client.last = 100
        await asyncio.gather(*(work(client, number, tabs) for number, client in enumerate(clients)))
        for number in range(CLIENTS):
            count = await a.ask("get_element", tabId=tabs[number * 2], selector="#count")
            ctx.expect(count["element"]["textContent"] == str(ROUNDS), f"clicks of client {number}: {count['element']['textContent']}")
        await close_tabs(a)


async def in_order(ctx, brop):
    """Commands to one tab, all sent at once."""
    async with brop.client() as client:
        [tab] = await open_tabs(ctx, client, 1)
        answers = await asyncio.gather(*(client.ask("evaluate_js", tabId=tab, code="window.n = (window.n ?? 0) + 1") for _ in range(50)))
        ctx.expect([answer["result"] for answer in answers] == list(range(1, 51)), f"order: {[a['result'] for a in answers]}")
        # Also what navigates, and what comes behind the tab's end.
        going = asyncio.gather(client.ask("navigate", tabId=tab, url=f"{ctx.origin}/case/tab.html?next"),
                               client.ask("evaluate_js", tabId=tab, code="location.search"), client.ask("close_tab", tabId=tab),
                               client.raw("evaluate_js", {"tabId": tab, "code": "1"}))
        _, where, closed, behind = await going
        ctx.expect((where["result"], closed["action"]) == ("?next", "closed"), f"{where} {closed}")
        ctx.expect(behind.get("error") == f"Tab {tab} not found: No tab with id: {tab}.", f"behind close_tab: {behind}")


async def hung(ctx, brop):
    """A tab whose script does not end: others go on, its console is read, and it can be closed."""
    async with brop.client() as client, brop.client() as other:
        hanging, free = await open_tabs(ctx, client, 2)
        await client.ask("evaluate_js", tabId=hanging, code="console.log('before')")
        stuck = asyncio.ensure_future(client.raw("evaluate_js", {"tabId": hanging, "code": "while (true) {}", "timeout": 60000}))
        waiting = asyncio.ensure_future(client.raw("get_screenshot", {"tabId": hanging}))
        await asyncio.sleep(0.2)
        began = time.monotonic()
        for peer in (client, other):
            ctx.match(await peer.ask("click", tabId=free, selector="button"), {"success": True}, "in another tab")
            logs = await peer.ask("get_console_logs", tabId=hanging)
            ctx.match(logs, {"logs": [{"message": "before"}]}, "the console of a tab that hangs")
            listed = await peer.ask("list_tabs")
            ctx.expect([tab["url"].split("?")[1] for tab in listed["tabs"]] == ["0", "1"], f"list: {listed}")
        made = await other.ask("create_tab", url=f"{ctx.origin}/case/tab.html?new")
        took = time.monotonic() - began
        ctx.expect(took < 8 * SLOWNESS, f"others waited {took:.1f} s")
        ctx.match(await other.ask("close_tab", tabId=hanging, seconds=10), {"action": "closed"}, "closing it")
        for future, what in ((stuck, "the script"), (waiting, "what waited")):
            reply = await asyncio.wait_for(future, 10 * SLOWNESS)
            ctx.expect(not reply["success"], f"{what}: {str(reply)[:200]}")
        ctx.match(await other.ask("evaluate_js", tabId=made["tabId"], code="1"), {"result": 1}, "afterwards")
        await close_tabs(client)


async def alert(ctx, brop):
    """A dialog is answered, and holds up nobody."""
    async with brop.client() as client:
        first, second = await open_tabs(ctx, client, 2)
        shown = asyncio.ensure_future(client.raw("evaluate_js", {"tabId": first, "code": "alert('x'); return 'behind it'"}))
        ctx.match(await client.ask("evaluate_js", tabId=second, code="2"), {"result": 2}, "beside an alert")
        reply = await asyncio.wait_for(shown, 20 * SLOWNESS)
        ctx.match(reply, {"success": True, "result": {"result": "behind it"}}, "behind an alert")
        await close_tabs(client)


async def killed_client(ctx, brop):
    """What a client has under way ends with it; its tabs stay."""
    async with brop.client() as client:
        [tab] = await open_tabs(ctx, client, 1)
        async with brop.client() as gone:
            running = asyncio.ensure_future(gone.raw("evaluate_js", {"tabId": tab, "code": "new Promise(() => {})", "timeout": 60000}))
            queued = asyncio.ensure_future(gone.raw("evaluate_js", {"tabId": tab, "code": "window.late = 1"}))
            await asyncio.sleep(0.3)
            gone.socket.transport.abort()
            began = time.monotonic()
        answer = await client.ask("evaluate_js", tabId=tab, code="String(window.late)")
        ctx.expect(answer["result"] == "undefined", "a command of a client that is gone was run")
        ctx.expect(time.monotonic() - began < 10 * SLOWNESS, "its command was waited for")
        for future in (running, queued):
            future.cancel()
        await close_tabs(client)


async def flood(ctx, brop):
    """Too much at once is refused, and nothing else is disturbed."""
    async with brop.client() as client, brop.client() as other:
        [tab] = await open_tabs(ctx, client, 1)
        stuck = asyncio.ensure_future(client.raw("evaluate_js", {"tabId": tab, "code": "new Promise((go) => { window.go = go })", "timeout": 60000}))
        replies = [asyncio.ensure_future(client.raw("evaluate_js", {"tabId": tab, "code": "1"})) for _ in range(1200)]
        done, _ = await asyncio.wait(replies, timeout=20 * SLOWNESS, return_when=asyncio.FIRST_COMPLETED)
        ctx.match(next(iter(done)).result(), {"success": False, "errorCode": "RATE_LIMITED"}, "too many")
        ctx.match(await other.ask("list_tabs"), {"totalTabs": 1}, "another client")
        await other.ask("close_tab", tabId=tab)
        await asyncio.wait_for(asyncio.gather(stuck, *replies), 30 * SLOWNESS)
    before = brop.memory()
    for _ in range(40):
        async with brop.client() as client:
            await client.ask("list_tabs")
    grown = brop.memory() - before
    ctx.expect(grown < 8e6, f"40 clients came and went: {grown / 1e6:.1f} MB more")


async def killed_browser(ctx, brop):
    """Truthful errors, and the tabs are back at their URLs under the same ids."""
    async with brop.client() as client:
        tabs = await open_tabs(ctx, client, 3)
        await client.ask("navigate", tabId=tabs[1], url=f"{ctx.origin}/shop/")
        under_way = asyncio.ensure_future(client.raw("evaluate_js", {"tabId": tabs[0], "code": "new Promise(() => {})", "timeout": 30000}))
        await asyncio.sleep(0.3)
        kill(ctx)
        reply = await asyncio.wait_for(under_way, 20 * SLOWNESS)
        ctx.expect(not reply["success"] and re.search("BROWSER_CRASHED|DISCONNECTED", json.dumps(reply)), f"under way: {reply}")
        wanted = [f"{ctx.origin}/case/tab.html?0", f"{ctx.origin}/shop/", f"{ctx.origin}/case/tab.html?2"]
        for tab, url in zip(tabs, wanted):
            where = await client.ask("evaluate_js", tabId=tab, code="location.href")
            ctx.expect(where["result"] == url, f"tab {tab} is at {where['result']}, not {url}")
        listed = await client.ask("list_tabs")
        ctx.expect([(tab["tabId"], tab["url"]) for tab in listed["tabs"]] == list(zip(tabs, wanted)), f"list: {listed}")
        made = await client.ask("create_tab", url=wanted[0])
        ctx.expect(made["tabId"] > max(tabs), f"an id was used again: {made}")
        await close_tabs(client)
