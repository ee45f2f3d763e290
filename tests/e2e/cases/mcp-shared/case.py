"""Several MCP clients and act on one profile: a tab for each; what ends with a client, and what stays."""
from faults import until
from mcped import Client, mcp
from processes import SLOWNESS
from warm import kill, warm_sessions

TIER = "long"
SLOW_MS = 40000  # of a navigation while ten clients open pages


def names(warm):
    return {session["name"]: session for session in warm.list().values()}


def run(ctx):
    with warm_sessions(ctx) as warm:
        clients = [Client(ctx) for _ in range(10)]
        places = [client.begin("tools/call", {"name": "browser_open", "arguments": {
            "url": f"{ctx.origin}/shop/?{i}", "timeout": SLOW_MS}})[1]
                  for i, client in enumerate(clients)]
        for i, place in enumerate(places):
            answer = place.get(timeout=60 * SLOWNESS)["result"]
            ctx.expect(not answer["isError"] and f"/shop/?{i}" in answer["content"][0]["text"], f"client {i}: {answer}")
        sessions = names(warm)
        ctx.expect(len(sessions) == 10 and len({session["browserPid"] for session in sessions.values()}) == 1,
                   f"one browser, ten sessions: {sessions}")
        for i, client in enumerate(clients):
            ctx.expect(client.fine("browser_evaluate", expression="location.search") == f"?{i}", f"tab of client {i}")
            ctx.expect(client.fine("browser_tabs").count("/shop/") == 1, f"client {i} sees its own tab alone")

        for client in clients[3:]:
            client.end()
        until(lambda: len(names(warm)) == 3, "sessions of clients that ended stay", 20)

        # Opening again and again goes on in the tab.
        for i in range(100):
            clients[0].fine("browser_open", url=f"{ctx.origin}/shop/cart.html?{i}", timeout=SLOW_MS)
        ctx.expect(len(names(warm)) == 3 and clients[0].fine("browser_tabs").count("cart.html") == 1, "one tab")

        # A session of act is used if it is named, and stays open.
        warm.fine("open", ctx.origin + "/shop/?act", *ctx.browser_args(), session="person")
        ctx.expect("?act" in clients[1].fine("browser_evaluate", session="person", expression="location.href"), "person's page")
        left = clients[1].call("browser_close", session="person")
        ctx.expect(left.failed and "person" in names(warm), f"a session of others is not closed: {left.text}")
        unknown = clients[1].call("browser_snapshot", session="persson")
        ctx.expect(unknown.failed and "persson" in unknown.text, f"an unknown session: {unknown.text}")
        second = clients[1].call("browser_open", url=ctx.origin + "/shop/?second", session="new").session
        ctx.expect(second in names(warm), "a further session")

        # A tab in a loop holds up nobody else.
        clients[2].begin("tools/call", {"name": "browser_evaluate", "arguments": {"expression": "for (;;);"}})
        ctx.expect(clients[0].fine("browser_evaluate", expression="1 + 1") == "2", "beside a page in a loop")

        clients[0].end()
        until(lambda: len(names(warm)) == 4, "the session of a client that ended stays", 20)
        clients[1].kill()
        until(lambda: len(names(warm)) == 2, "sessions of a killed server stay")
        clients[2].process.stdin.close()
        clients[2].process.wait(20)
        until(lambda: set(names(warm)) == {"person"}, "the session of a busy client stays", 20)
        with mcp(ctx, "--session", "person") as client:
            ctx.expect("?act" in client.fine("browser_evaluate", expression="location.href"), "--session")
        ctx.expect("person" in names(warm), "--session stays open")

        # The daemon ends under a client: it says so, and opens again.
        with mcp(ctx) as client:
            client.fine("browser_open", url=ctx.origin + "/shop/")
            pid = warm.daemon()
            kill(pid)
            lost = client.call("browser_snapshot")
            ctx.expect(lost.failed and "browser_open" in lost.text, f"without the daemon: {lost.text}")
            ctx.expect("HTTP 200" in client.fine("browser_open", url=ctx.origin + "/shop/"), "opened again")
