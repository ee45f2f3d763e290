"""MCP: what clients read as resources, secrets that only look like some, browser_check, and the idle end."""
import base64
import json

from checks import Checks
from mcped import Client, mcp
from pictures import Picture
from warm import warm_sessions

BROWSER = "any"

NAMES = ["picture", "snapshot", "log", "har", "report"]


def read(client, uri):
    return client.ask("resources/read", {"uri": uri})


def contents(client, name, session="own"):
    answer = read(client, f"browser://{session}/{name}")
    client.ctx.expect("result" in answer, f"{name}: {answer}")
    return answer.get("result", {}).get("contents", [{}])[0]


def before_a_page(ctx, client):
    listed = client.ask("resources/list")["result"]
    ctx.expect([item["uri"] for item in listed["resources"]] == [f"browser://own/{name}" for name in NAMES], f"list: {listed}")
    templates = client.ask("resources/templates/list")["result"]["resourceTemplates"]
    ctx.expect(templates[0]["uriTemplate"] == "browser://{session}/picture" and len(templates) == 5, f"templates: {templates}")
    for generation, code in (("legacy", -32002), ("modern", -32602)):
        client.generation = generation
        for uri in ("browser://own/telephone", "browser://own/snapshot", "browser:///log", "file:///etc/passwd", "browser://own/report"):
            ctx.match(read(client, uri), {"error": {"code": code, "data": {"uri": uri}}}, f"{generation} {uri}")
        ctx.match(client.ask("resources/read"), {"error": {"code": -32602}}, "without an address")
    ctx.match(client.ask("resources/list")["result"], {"ttlMs": {"$ge": 1}, "cacheScope": "public"}, "modern list")
    client.generation = "legacy"


def of_a_page(ctx, client):
    session = client.call("browser_open", url=ctx.origin + "/shop/").session
    ctx.match(read(client, "browser://own/picture"), {"error": {"message": {"$regex": "browser_screenshot"}}}, "no picture")
    client.fine("browser_screenshot")
    client.fine("browser_screenshot", selector="h1", format="png")
    picture = contents(client, "picture")
    size = Picture(base64.b64decode(picture["blob"]))
    ctx.expect(picture["mimeType"] == "image/png" and size.height < 200, f"the last picture: {size.width}x{size.height}")
    ctx.expect(contents(client, "picture", session) == {**picture, "uri": f"browser://{session}/picture"}, "by its session")
    ctx.expect("Storm lantern" in contents(client, "snapshot")["text"], "snapshot")
    ctx.expect("no stock figure" in contents(client, "log")["text"], "log")
    archive = contents(client, "har")
    entries = json.loads(archive["text"])["log"]["entries"]
    found = {entry["request"]["url"]: entry["response"]["status"] for entry in entries}
    ctx.expect(archive["mimeType"] == "application/json" and found.get(ctx.origin + "/shop/") == 200
               and any(status == 404 for status in found.values()), f"har: {found}")
    client.generation = "modern"
    ctx.match(read(client, "browser://own/log")["result"], {"ttlMs": 0, "cacheScope": "private", "resultType": "complete"}, "modern")
    client.generation = "legacy"


def secrets(ctx, client):
    key = "ghp_" + "A1b2C3d4E5" * 3
    client.fine("browser_evaluate", expression=f"document.body.innerHTML = '<h1>Keys</h1><p>{key}</p><p>Your verification code is 482913</p>"
                                               f"<p>Order 482914</p>', console.error('{key}'), 1")
    for what, text in (("snapshot", client.fine("browser_snapshot")), ("look", client.fine("browser_act", actions=[{"type": "press", "key": "a"}])),
                       ("logs", client.fine("browser_logs")), ("resource", contents(client, "snapshot")["text"])):
        ctx.expect("A1b2C3" not in text and "482913" not in text, f"{what}: {text}")
    ctx.expect("482914" in client.fine("browser_snapshot"), "another number stays")
    ctx.expect(key in client.fine("browser_evaluate", expression="document.querySelector('p').textContent"), "what was asked for stays")


def checks(ctx, client):
    suite = Checks(ctx, names=["colour"])
    first = client.call("browser_check", suite="smoke.json")
    ctx.expect(not first.failed and suite.states() == {"colour@desktop": "new"}, f"the first run: {first.text}")
    suite.show("after")
    changed = client.call("browser_check", suite="smoke.json", name="colour*")
    ctx.expect(changed.failed and "1600" in changed.text and suite.states() == {"colour@desktop": "failed"}, f"a change: {changed.text}")
    ctx.expect(contents(client, "report")["text"].strip() == changed.text.strip(), "the report of the last check")
    for arguments, words in (({"suite": "none.json"}, "none.json"), ({}, "such as"), ({"suite": "--help"}, "such as")):
        wrong = client.call("browser_check", **arguments)
        ctx.expect(wrong.failed and words in wrong.text, f"{arguments}: {wrong.text}")


def run(ctx):
    with warm_sessions(ctx) as warm:
        with mcp(ctx) as client:
            before_a_page(ctx, client)
            ctx.expect(not warm.socket.exists(), "a daemon runs before a page is needed")
            of_a_page(ctx, client)
            secrets(ctx, client)
            checks(ctx, client)
        with mcp(ctx, "--files", "none", "--temp-profile") as client:
            denied = client.call("browser_check", suite="smoke.json")
            ctx.expect(denied.failed and "POLICY_DENIED" in denied.text, f"without files: {denied.text}")
        idle = Client(ctx, "--idle", "1")
        idle.initialize()
        ctx.expect(idle.process.wait(20) == 0, "the idle end")
