"""The actions logs and network: the journal of a session, cursors, filters, one request in full."""
import json

from harness import instruction

BROWSER = "shared"
AT_REST = """console.log('later'), (async () => {
    for (let i = 0; i < 5; i++) { console.log('at rest', {a: {b: [1, 2]}}); await new Promise(done => setTimeout(done, 200)); }
})().then(() => 1)"""
SECRETS = ["hunter2-of-mine", "4929123456789012", "4929 1234 5678 9012", "t0k3n-in-url", "t0k3n-in-header", "t0k3n-in-key"]


def run(ctx):
    check_logs(ctx)
    check_network(ctx)
    check_secrets(ctx)
    check_flood(ctx)
    check_hanging(ctx)


class Talk:
    """A session that answers one action after the other."""

    def __init__(self, ctx):
        self.talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *ctx.browser_args()])

    def act(self, kind, **parameters):
        self.talk.send(instruction(kind, parameters) + "\n")
        return self.talk.line(30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.talk.close_stdin()
        self.talk.wait()


def start(ctx):
    return ("start", {"url": ctx.origin + "/case/"})


def results(ctx, steps, *args, code=0):
    ran = ctx.run_batch(steps, "--screenshots", "none", *args)
    ctx.expect(ran.exit == code, f"exit {ran.exit}: {[r.get('error') for r in ran.responses]}")
    return [response.get("result") for response in ran.responses], ran


def messages(result):
    return [entry["message"] for entry in result["entries"]]


def check_logs(ctx):
    told, ran = results(ctx, [
        start(ctx), ("evaluate", {"expression": AT_REST}), ("logs", {}),
        ("logs", {"minLevel": 3}), ("logs", {"types": ["error"], "contains": "TYPEERROR"}), ("logs", {"limit": 2}),
        ("logs", {"since": 0, "limit": 1, "contains": "from the page"}), ("logs", {"url": "/case/", "minLevel": 2}),
        ("logs", {"categories": ["console"]})])
    every = told[2]
    said = messages(every)
    # While a page loads, Chrome may take too long to report the members of an object.
    ctx.expect([m for m in said if "from the page" in m] in (["from the page {a: {b: [1, 2]}}"], ["from the page {a: Object}"]),
               f"objects: {said}")
    ctx.expect("at rest {a: {b: [1, 2]}}" in said, f"objects of a page at rest: {said}")
    ctx.expect(said.index("later") > said.index("twice"), f"order: {said}")
    twice = [entry for entry in every["entries"] if entry["message"] == "twice"]
    ctx.expect(sum(entry.get("count", 1) for entry in twice) == 2, f"twice: {twice}")
    ids = [entry["id"] for entry in every["entries"]]
    ctx.expect(ids == sorted(set(ids)) and every["next"] >= ids[-1], f"ids: {ids}, {every['next']}")
    ctx.expect({entry["action"] for entry in every["entries"]} >= {1, 2}, "entries do not say their action")
    ctx.expect({entry["level"] for entry in told[3]["entries"]} == {3, 4}, f"minLevel: {told[3]}")
    ctx.expect(len(told[4]["entries"]) == 1 and "not a function" in told[4]["entries"][0]["hint"], f"hint: {told[4]}")
    ctx.expect(messages(told[5]) == said[-2:] and told[5]["more"], f"limit: {told[5]}")
    ctx.expect(len(told[6]["entries"]) == 1 and "more" not in told[6], f"contains: {told[6]}")
    ctx.expect(told[7]["entries"] and all("/case/" in entry["location"] for entry in told[7]["entries"]), "url")
    ctx.expect({entry["category"] for entry in told[8]["entries"]} == {"console"}, f"categories: {told[8]}")
    # The cursor of an answer is where the next one continues; entries that the journal lost are counted.
    told, ran = results(ctx, [
        start(ctx), ("logs", {"since": 0, "limit": 2}), ("logs", {"since": 2}), ("evaluate", {"expression": "console.log('x'.repeat(9000)), 1"})] +
        [("evaluate", {"expression": f"for (let i = 0; i < 900; i++) console.log({n} + ' ' + i + 'x'.repeat(9000))"}) for n in range(2)] +
        [("logs", {"since": 2, "limit": 5})])
    first, second, late = told[1], told[2], told[-1]
    ctx.expect(len(first["entries"]) == 2 and first["more"] and first["next"] == first["entries"][1]["id"], f"since 0: {first}")
    ctx.expect("lost" not in second and second["entries"][0]["id"] > 2, f"since 2: {second}")
    ctx.expect(late["lost"] > 1000 and late["entries"][0]["id"] > late["lost"], f"lost: {late['lost']}")


def check_network(ctx):
    fetches = """Promise.all([fetch('/api/items').then(r => r.text()), fetch('/nothing-here').then(r => r.text()),
        fetch('/download/report.csv?size=3').then(r => r.arrayBuffer()), fetch('/echo?json=1', {method: 'POST', body: 'a=1&pin=4711'}).then(r => r.text())])
        .then(() => 1)"""
    told, ran = results(ctx, [
        start(ctx), ("evaluate", {"expression": fetches}), ("network", {}), ("network", {"status": 4}),
        ("network", {"status": [200, 5], "url": "*/api/*"}), ("network", {"resourceTypes": ["document"]}),
        ("network", {"contains": "items"}), ("network", {"limit": 1, "since": 0}),
        ("network", {"failed": True}), ("network", {"failed": False})])
    every = told[2]["requests"]
    urls = [one["url"].removeprefix(ctx.origin) for one in every]
    ctx.expect({"/case/", "/api/items", "/nothing-here", "/echo?json=1"} <= set(urls), f"requests: {urls}")
    ctx.expect([one["status"] for one in told[3]["requests"]] .count(404) == len(told[3]["requests"]) >= 1, f"status 4: {told[3]}")
    ctx.expect([one["url"] for one in told[4]["requests"]] == [ctx.origin + "/api/items"], f"url: {told[4]}")
    ctx.expect([one["type"] for one in told[5]["requests"]] == ["document"], f"types: {told[5]}")
    ctx.expect(len(told[6]["requests"]) == 1 and told[7]["more"], f"contains, limit: {told[6:]}")
    failed, fine = ([one["status"] for one in answer["requests"]] for answer in told[8:])
    ctx.expect(set(failed) == {404} and set(fine) == {200} and len(failed) + len(fine) == len(every), f"failed: {failed}, {fine}")
    check_whole(ctx, fetches, every)


def check_whole(ctx, fetches, every):
    """Ids belong to one session: they are requested on a stream."""
    ids = {}
    with Talk(ctx) as stream:
        stream.act("start", url=ctx.origin + "/case/")
        stream.act("evaluate", expression=fetches)
        for one in stream.act("network")["result"]["requests"]:
            ids[one["url"].removeprefix(ctx.origin)] = one["id"]

        def whole(url, **more):
            return stream.act("network", id=ids[url], **more)["result"]["request"]

        items = whole("/api/items")
        ctx.expect(json.loads(items["responseBody"])[0]["id"] == 1 if items["responseBody"].startswith("[")
                   else "Lighthouse" in items["responseBody"], f"body: {items}")
        ctx.expect(items["timings"]["wait"] >= 0 and items["responseBodySize"] > 100, f"timings: {items}")
        names = {header["name"].lower() for header in items["requestHeaders"]}
        ctx.expect("user-agent" in names and "content-type" in {h["name"].lower() for h in items["responseHeaders"]}, f"headers: {names}")
        cut = whole("/api/items", maxBytes=10)
        ctx.expect(len(cut["responseBody"]) == 10 and cut["responseBodyCut"], f"maxBytes: {cut}")
        sent = whole("/echo?json=1")
        ctx.expect(sent["requestBody"] == "a=1&pin=***", f"what was sent: {sent}")
        missing = whole("/nothing-here")
        ctx.expect(missing["status"] == 404 and missing["responseBody"], f"a failed one: {missing}")
        stream.act("navigate", url=ctx.origin + "/redirected")
        gone = whole("/api/items")
        ctx.expect("responseBody" in gone or gone["responseBodyOmitted"], f"after the page was left: {gone}")
        refused = stream.act("network", id=10 ** 9)
        ctx.expect(refused["errorCode"] == "INVALID_ACTION" and "lists" in refused["hint"], f"an unknown id: {refused}")


def check_secrets(ctx):
    """The journal contains no secret, whoever asks."""
    told, ran = results(ctx, [
        ("start", {"url": ctx.origin + "/case/", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0}),
        ("type", {"selector": "#password", "text": SECRETS[0]}),
        ("type", {"selector": "#card", "text": SECRETS[1]}),
        ("evaluate", {"expression": "tell(), send().then(() => 1)"}), ("logs", {}), ("network", {}),
        *[("network", {"id": number}) for number in range(1, 60)]], code=1)
    text = ran.stdout.decode()
    asked = [one["request"] for one in told if one and isinstance(one, dict) and "request" in one]
    echo = [one for one in asked if "/echo" in one["url"]]
    ctx.expect(echo and "kept" in echo[0]["requestBody"] and "***" in echo[0]["requestBody"], f"the request: {echo}")
    ctx.expect({"name": "Authorization", "value": "***"} in echo[0]["requestHeaders"], f"headers: {echo[0]['requestHeaders']}")
    for secret in SECRETS:
        ctx.expect(secret not in text, f"{secret} is in the answers: …{text[max(0, text.find(secret) - 200):][:260]}…")


def check_flood(ctx):
    told, ran = results(ctx, [
        start(ctx), ("evaluate", {"expression": "for (let i = 0; i < 30000; i++) console.log('flood ' + i); 1", "timeout": 30000}),
        ("wait", {"ms": 1500, "timeout": 30000}), ("logs", {"contains": "not recorded"}), ("logs", {"contains": "flood"})])
    dropped = sum(int(entry["message"].split()[0]) for entry in told[3]["entries"])
    ctx.expect(dropped > 5000, f"of 30000 entries {dropped} are said to be dropped")
    ctx.expect(len(told[4]["entries"]) == 100, "a flood leaves nothing in the journal")


def check_hanging(ctx):
    """A hanging page does not prevent the answer."""
    with Talk(ctx) as stream:
        stream.act("start", url=ctx.origin + "/case/")
        stream.act("evaluate", expression="setTimeout(() => { console.log('before it hangs'); for (;;); }, 50), 1")
        stream.act("wait", ms=300)
        answer = stream.act("logs", contains="before it hangs")
        ctx.expect(answer["success"] and len(answer["result"]["entries"]) == 1, f"a page that hangs: {answer}")
