"""The audit trail of --cdp: who connects, by which methods, what is refused and by which rule, and how it ends; never what is
in a command."""
import asyncio
import json
import re

from endpoint import endpoint

BROWSER = "any"
SECRET = "s3cret-that-nobody-logs"
MANY = 3000


def run(ctx):
    path = ctx.work / "trail.ndjson"
    with endpoint(ctx, "--audit", path, "--no-eval", "--schemes", "http,https") as served:
        target = asyncio.run(clients(ctx, served))
        served.fetch("/json/new?chrome://version/" + SECRET, "PUT")
        served.fetch("/json/close/" + target)
        served.ask("/json/list")
    with endpoint(ctx, "--audit", path) as served:
        asyncio.run(many(ctx, served))
    text = path.read_text()
    ctx.expect(SECRET not in text, "the trail has a parameter")
    ctx.expect(path.stat().st_mode & 0o777 == 0o600, f"mode {path.stat().st_mode:o}")
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        ctx.match(line, {"time": {"$regex": r"^\d{4}-"}, "session": {"$regex": r"^cdp-\d+$"}, "kind": {"$regex": "^(client|commands?|request)$"}}, "line")
    check(ctx, lines, target)
    bad = ctx.run(["serve", "--cdp=0", "--temp-profile", "--audit", "/proc/none/trail"], complete=False)
    ctx.expect(bad.exit == 2 and "audit" in bad.stderr, f"{bad.exit} {bad.stderr}")


def check(ctx, lines, target):
    begins = [line for line in lines if line.get("event") == "begin"]
    ctx.expect([line["context"] for line in begins] == ["own", "profile", "page", "own"], f"{begins}")
    for line in begins:
        ctx.expect(re.match(r"^(127\.0\.0\.1|\[::1\]):\d+$", line["peer"]), f"{line}")
    ctx.expect(begins[2]["targetId"] == target, f"{begins[2]}")
    def of(begin):
        return [line for line in lines if (line["session"], line.get("client")) == (begin["session"], begin["client"])]
    own = of(begins[0])
    shown = [(line["method"], line.get("refused")) for line in own if line["kind"] == "command"]
    ctx.expect(shown == [("Browser.getVersion", None), ("Target.createTarget", "schemes"), ("Target.createTarget", None),
                         ("Runtime.evaluate", "no-eval"), ("Browser.crash", "endpoint"), ("Some.thingNew", "rules"),
                         ("Target.attachToTarget", "endpoint"), ("Browser.close", None)], f"{shown}")
    ctx.match(own[-1], {"event": "end", "commands": 8, "refused": 5, "code": 1000}, "end")
    ctx.expect("code" not in of(begins[1])[-1], "the end of one that went by itself")
    requests = [(line["path"], line.get("refused")) for line in lines if line["kind"] == "request"]
    ctx.expect(requests == [("/json/new", "schemes"), ("/json/close", None)], f"{requests}")
    last = of(begins[3])
    single = sum(line["kind"] == "command" for line in last)
    counted = sum(line["methods"].get("Browser.getVersion", 0) for line in last if line["kind"] == "commands")
    ctx.expect(single + counted == MANY and counted > 0, f"{single} lines, {counted} counted")
    ctx.expect(last[-1]["commands"] == MANY, f"{last[-1]}")


async def clients(ctx, served):
    async with served.client() as client:
        await client.call("Browser.getVersion")
        await client.ask("Target.createTarget", url="chrome://version/" + SECRET)
        await client.call("Target.createTarget", url=ctx.origin + "/counts?" + SECRET)
        await client.ask("Runtime.evaluate", expression=SECRET)
        await client.ask("Browser.crash")
        await client.ask("Some.thingNew", of=SECRET)
        await client.ask("Target.attachToTarget", targetId=SECRET)
        await client.call("Browser.close")
        await client.end()
    async with served.client("/devtools/browser/x?context=profile") as client:
        await client.call("Browser.getVersion")
    target = served.ask("/json/list")[0]["id"]
    async with served.client("/devtools/page/" + target) as client:
        await client.call("Page.enable")
    return target


async def many(ctx, served):
    async with served.client() as client:
        for _ in range(MANY):
            number = await client.send("Browser.getVersion")
        await client.hear(lambda message: message.get("id") == number, "the last reply", 60)
