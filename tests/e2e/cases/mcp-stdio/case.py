"""MCP over stdio, by lines written by hand: both generations, errors, tools, limits, cancel."""
import base64
import json

from mcped import MODERN, mcp
from pictures import Picture
from warm import warm_sessions

BROWSER = "any"


def node_of(text, words):
    """The id in the line of an answer that has these words."""
    line = next(line for line in text.splitlines() if words in line)
    return next(word for word in reversed(line.split()) if word[0] == "e" and word[1:].isdigit())


def messages(ctx, warm, client):
    legacy = client.initialize("2025-06-18")
    ctx.match(legacy, {"protocolVersion": "2025-06-18", "serverInfo": {"name": "browser-runner"},
                       "instructions": {"$regex": "^Drive .*browser_open"}}, "initialize")
    ctx.expect(client.ask("ping") == {"jsonrpc": "2.0", "id": client.last, "result": {}}, "ping")
    tools = client.ask("tools/list")["result"]
    ctx.expect(set(tools) == {"tools"} and len(json.dumps(tools, separators=(",", ":"))) < 8192, "the list of tools")

    # A modern request on the same connection needs no handshake.
    client.generation = "modern"
    modern = client.ask("tools/list")["result"]
    ctx.expect(modern["tools"] == tools["tools"], "the same tools in the same order")
    ctx.match(modern, {"resultType": "complete", "ttlMs": {"$ge": 1}, "cacheScope": "public",
                       "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "browser-runner"}}}, "tools/list")
    ctx.match(client.ask("server/discover")["result"], {"supportedVersions": ["2026-07-28"], "resultType": "complete"},
              "discover")
    for method, code in (("ping", -32601), ("initialise", -32601)):
        ctx.match(client.ask(method), {"error": {"code": code}}, f"modern {method}")
    client.generation = "legacy"
    for message, code in ((b"{", -32700), (b'{"method":"ping"}', -32600), (b"[]", -32600),
                          (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600)):
        client.write(message)
        ctx.match(client.lines.get(timeout=20), {"error": {"code": code}, "id": None}, f"{message}")
    wrong = {**MODERN, "io.modelcontextprotocol/protocolVersion": "2030-01-01"}
    ctx.match(client.ask("tools/list", {"_meta": wrong}),
              {"error": {"code": -32022, "data": {"supported": ["2026-07-28"], "requested": "2030-01-01"}}}, "version")
    ctx.match(client.ask("tools/call", {"name": "browser_opem"}),
              {"error": {"code": -32602, "message": {"$regex": "browser_open"}}}, "an unknown tool")
    for method in ("resources/subscribe", "logging/setLevel", "prompts/list"):
        ctx.match(client.ask(method), {"error": {"code": -32601}}, method)
    early = client.call("browser_snapshot")
    ctx.expect(early.failed and "browser_open" in early.text, f"a tool before open: {early.text}")
    ctx.expect(not warm.socket.exists(), "a daemon runs before a page is needed")


def actions(ctx, client):
    opened = client.fine("browser_open", url=ctx.origin[7:] + "/shop/")
    ctx.expect("HTTP 200" in opened and 'heading 2 "Storm lantern"' in opened and "no stock figure" in opened
               and len(opened) < 4800, f"open: {opened}")
    added = client.fine("browser_act", actions=[{"type": "click", "selector": "#add-kettle"}])
    ctx.expect('heading 2 "Added to your cart"' in added and "Wool blanket" not in added, f"what changed: {added}")
    stale = node_of(opened, "Storm lantern")
    moved = client.call("browser_act", actions=[
        {"type": "click", "text": "Go to the cart"}, {"type": "click", "text": "Checkout now", "timeout": 600},
        {"type": "press", "key": "Enter"}])
    ctx.expect(moved.failed and "TARGET_NOT_FOUND" in moved.text and "1 of 3 actions were not run" in moved.text
               and 'heading 1 "Your cart"' in moved.text, f"stops at the failure, with the page: {moved.text}")
    old = client.call("browser_act", actions=[{"type": "click", "node": stale, "timeout": 600}])
    ctx.expect(old.failed and "STALE_NODE" in old.text and "Checkout" in old.text, f"an id of another page: {old.text}")
    near = client.call("browser_act", actions=[{"type": "click", "text": "Checkout please", "timeout": 600}])
    ctx.expect(near.failed and 'link "Checkout"' in near.text, f"what is similar: {near.text}")

    for arguments, words in (({"actions": [{"type": "clik", "text": "x"}]}, 'did you mean "click"'),
                             ({"actions": [{"type": "press", "key": "F5"}, {"type": "click", "nod": "e1"}]}, '"node"'),
                             ({"actions": []}, "such as"), ({}, "such as"), ({"actions": "click"}, "such as"),
                             ({"actions": ["click"]}, "nothing was run"),
                             ({"actions": [{"type": "reload"}], "maxTokens": "many"}, "maxTokens")):
        wrong = client.call("browser_act", **arguments)
        ctx.expect(wrong.failed and words in wrong.text, f"{arguments}: {wrong.text}")
    wrong = client.call("browser_evaluate", expresion="1")
    ctx.expect(wrong.failed and '"expression"' in wrong.text, wrong.text)

    ctx.expect(client.fine("browser_evaluate", expression="6 * 7") == "42", "evaluate")
    ctx.expect("summer-sale.jpg" in client.fine("browser_network", failed=True), "network")
    ctx.expect("no stock figure" in client.fine("browser_logs", minLevel=4), "logs")
    ctx.expect("cart.html" in client.fine("browser_tabs"), "tabs")
    ctx.expect('"Total"' in client.fine("browser_find", find="total"), "find")
    ctx.expect("# Your cart" in client.fine("browser_snapshot", format="markdown"), "markdown")


def limits(ctx, client):
    long = client.call("browser_evaluate", expression="'word '.repeat(9000)")
    link = next(block for block in long.content if block["type"] == "resource_link")
    ctx.expect(len(long.text) <= 8000 and link["size"] == 45001, f"a long answer: {len(long.text)}: {link}")
    with open(link["uri"][7:]) as file:
        ctx.expect(len(file.read()) == 45001, "the file has all of it")
    ctx.expect(len(client.call("browser_evaluate", expression="'word '.repeat(9000)", maxTokens=300).text) <= 1200,
               "maxTokens")
    many = "for (let i = 0; i < 80; i++) document.body.append(Object.assign(document.createElement('h2'), " \
           "{textContent: 'Part ' + i}), Object.assign(document.createElement('p'), {textContent: 'word '.repeat(200)}))"
    client.fine("browser_evaluate", expression=many + ", 1")
    for tool in ("browser_snapshot", "browser_act"):
        text = client.fine(tool, **({"actions": [{"type": "press", "key": "Escape"}]} if tool == "browser_act" else {}))
        ctx.expect(500 < len(text) <= 8000 and "left out" in text, f"{tool} of 16,000 words, on 16,000 px and more: {len(text)}")
    for arguments in ({}, {"fullPage": True}, {"fullPage": True, "tiles": True}, {"fullPage": True, "maxEdge": 0},
                      {"fullPage": True, "format": "png", "maxEdge": 0, "maxPixels": 0}):
        result = client.call("browser_screenshot", **arguments)
        sizes = [(Picture(base64.b64decode(block["data"])).width, Picture(base64.b64decode(block["data"])).height)
                 for block in result.pictures]
        ctx.expect(not result.failed and sizes and max(map(max, sizes)) <= 1568 and "/browser-runner-mcp-" in result.text
                   and sum(len(block["data"]) for block in result.pictures) <= 900_000, f"{arguments}: {sizes} {result.text}")


def cancelling(ctx, client):
    number, place = client.begin("tools/call", {"name": "browser_act", "arguments": {
        "actions": [{"type": "wait", "ms": 14000}]}})
    # Both are answered while the session is busy.
    client.fine("browser_logs")
    client.write({"method": "notifications/cancelled", "params": {"requestId": number}})
    text = client.fine("browser_evaluate", expression="document.readyState")
    ctx.expect(text == "complete", f"after a cancel: {text}")
    ctx.expect(place.empty(), "nothing comes after a cancel")
    client.fine("browser_evaluate", expression="setTimeout(() => { for (;;); }), 1")
    hangs = client.call("browser_evaluate", expression="1", timeout=1500)
    ctx.expect(hangs.failed and "TIMEOUT" in hangs.text, f"a page in a loop: {hangs.text}")


def run(ctx):
    with warm_sessions(ctx) as warm, mcp(ctx, "--temp-profile") as client:
        messages(ctx, warm, client)
        actions(ctx, client)
        limits(ctx, client)
        client.fine("browser_close")
        ctx.expect(client.fine("browser_close") == "nothing was open", "close twice")
        client.fine("browser_open", url=ctx.origin + "/shop/")
        cancelling(ctx, client)
        code, stderr = client.end()
        ctx.expect(code == 0 and not stderr, f"exit {code}: {stderr}")
        ctx.expect(not list(ctx.tmp.glob("browser-runner-mcp-*")), "the files of answers are removed")
