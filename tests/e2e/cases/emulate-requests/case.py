"""Headers, credentials and routes of `emulate`: what they affect and what not, also between actions."""
import json

from answers import Site, page as document
from faults import NO_LIMITS, RECOVERED, Talk, kill, wait_for

BROWSER = "any"
FRAME = """new Promise((done) => {
  addEventListener('message', (event) => done(event.data));
  document.querySelector('iframe').contentWindow.postMessage('/api/frame', '*');
})"""
CLOSED = "http://127.0.0.1:8766"


def ask(url, more="{}"):
    return ("evaluate", {"expression": f"""fetch({json.dumps(url)}, {more}).then(
        async (answer) => [answer.status, answer.headers.get('content-type'), answer.headers.get('x-a'), await answer.text()],
        () => 'failed')"""})


def sent(url="/echo?json=1"):
    return ("evaluate", {"expression": f"fetch({json.dumps(url)}).then((answer) => answer.json()).then((sent) => sent.headers)"})


def run(ctx):
    page = ctx.origin + "/case/"
    other = page.replace("127.0.0.1", "localhost")
    parts = [part(ctx, page, other) for part in (headers, credentials, routes)]
    audit = ctx.work / "audit.ndjson"
    ran = ctx.run_batch([step for steps, _ in parts for step in steps], "--screenshots", "none", "--audit", audit)
    ctx.expect(len(ran.responses) == sum(len(steps) for steps, _ in parts), f"the run ended early: {ctx.outline(ran)}")
    end = 0
    for steps, check in parts:
        begin, end = end, end + len(steps)
        check([None, *ran.responses[begin:end]])  # numbered from 1
    told = audit.read_text() + json.dumps([response["logs"] for response in ran.responses]) + ran.stderr
    ctx.expect("s3cr3t" not in told, "the value of a header is reported")
    ctx.expect("wr0ng-word" not in told and '"pass"' not in told, "a password is reported")
    lines = [json.loads(line) for line in audit.read_text().splitlines()]
    given = next(line["action"]["headers"] for line in lines if "headers" in line.get("action", {}))
    ctx.expect(given == {"X-Tide": "***", "Accept-Language": "***"}, f"audit: {given}")
    talk = Talk(ctx)
    manifest(ctx, talk)
    restored(ctx, talk, page)
    idle(ctx, talk, page)
    talk.end()
    refusals(ctx)


def manifest(ctx, talk):
    """Chrome's interception has no such type; the rule applies to manifests nevertheless."""
    site = Site(ctx, {"/": document("<link rel=icon href=data:,><link rel=manifest href=/app.json><img src=/app.json?image>")})
    talk.do("ok", "start", "start", url=site.url + "/", **NO_LIMITS)
    talk.do("ok", "emulate", "route", route=[{"url": "/app.json", "resourceTypes": ["manifest"], "action": "fulfill", "body": "{}"}])
    site.requests.clear()
    talk.do("ok", "navigate", "page", url=site.url + "/")
    answered = talk.do("ok", "wait", "answer", networkIdle=True)
    paths = [path for _, path, _ in site.requests]
    ctx.expect("/app.json" not in paths and "/app.json?image" in paths, f"asked for: {paths}; {answered}")


def restored(ctx, talk, page):
    """A restored page is routed as before."""
    talk.do("ok", "emulate", "route", route=[API])
    talk.do("ok", "navigate", url=page)
    kill(ctx, "renderer")
    talk.do({**RECOVERED, "result": {"$contains": 201}}, "evaluate", "after a crash", **ask("/api/4")[1])


def idle(ctx, talk, page):
    """Requests and dialogs are also answered between two actions."""
    talk.do("ok", "emulate", route=[{"url": "/case/api", "action": "fulfill", "body": "answered"}],
            credentials={"username": "user", "password": "pass"})
    talk.do("ok", "navigate", url=page + "idle.html")
    wait_for(ctx, "idle")
    answer = talk.do({"success": True, "result": ["alert", "answered", "login"],
                      "logs": {"$contains": {"category": "dialog", "message": {"$regex": "idle"}}}},
                     "evaluate", "while nothing was done", expression="Object.keys(since).sort()")
    ctx.expect(any(log["message"] == "before the alert" for log in answer["logs"]), f"logs of the pause: {answer['logs']}")


# Each of these returns the steps of its part of the run, and a function that checks their responses.

def headers(ctx, page, other):
    steps = [
        ("start", {"url": page, **NO_LIMITS}), ("emulate", {"headers": {"X-Tide": "s3cr3t-value", "Accept-Language": "cy"}}), sent(),
        ("navigate", {"url": page + "outer.html"}), ("wait", {"networkIdle": True}),
        ("emulate", {"headers": {"X-Other": "2"}}), sent(), ("emulate", {"headers": {}}), sent()]

    def check(responses):
        ctx.match(responses[3], {"success": True, "result": {"x-tide": "s3cr3t-value", "accept-language": "cy"}}, "headers")
        again = responses[7]["result"]
        ctx.expect(again.get("x-other") == "2" and "x-tide" not in again, f"other headers: {again}")
        ctx.expect("x-other" not in responses[9]["result"], "no headers any more")
    return steps, check


def credentials(ctx, page, other):
    right, wrong = ({"username": "user", "password": word} for word in ("pass", "wr0ng-word"))
    steps = [
        ("start", {"url": page}), ("emulate", {"credentials": wrong}), ("navigate", {"url": ctx.origin + "/login/1"}), ask("/login/2"),
        ("emulate", {"credentials": {**right, "origin": other[:-len("/case/")]}}), ask("/login/3"),
        ("emulate", {"credentials": {**right, "origin": ctx.origin}}), ask("/login/4"),
        ("navigate", {"url": ctx.origin + "/login/5"}), ("navigate", {"url": other + "index.html"}), ask("/login/6"),
        ("emulate", {"credentials": {"username": "", "password": ""}}), ("navigate", {"url": page})]
    told = {"logs": {"$contains": {"type": "warning", "category": "network", "message": {"$regex": "does not accept the credentials"}}}}

    def check(responses):
        ctx.match(responses[3], {"success": True, "httpStatus": 401, "title": "Out", **told}, "wrong, a page")
        ctx.match(responses[4], {"success": True, "result": {"$contains": 401}, **told}, "wrong, a fetch")
        ctx.match(responses[6], {"success": True, "result": {"$contains": 401}}, "of another origin")
        ctx.match(responses[8], {"success": True, "result": {"$contains": 200}}, "right, a fetch")
        ctx.match(responses[9], {"success": True, "httpStatus": 200, "title": "In"}, "right, a page")
        ctx.match(responses[11], {"success": True, "result": {"$contains": 401}}, "not for this origin")
        ctx.match(responses[13], {"success": True, "httpStatus": 200}, "taken back")
        refused = ctx.counts().get("refused login", 0)
        ctx.expect(refused == 2, f"the wrong word was sent {refused} times")
    return steps, check


API = {"url": "/api", "action": "fulfill", "status": 201, "headers": {"X-A": "b"},
       "contentType": "application/json", "body": "{\"\u00e9\": 1}"}


def routes(ctx, page, other):
    (ctx.work / "answer.bin").write_bytes(bytes(range(256)))
    rules = [API,
             {"url": "*.png*", "action": "block"},
             {"url": "/orders", "method": "post", "action": "block"},
             {"url": "/frames/", "resourceTypes": ["document"], "action": "fulfill", "body": "<title>Canned</title>"},
             {"url": "*/bytes?x=[1]*", "action": "fulfill", "bodyFile": "answer.bin"},
             {"url": "/bytes", "action": "fulfill", "bodyFile": "answer.bin"}]
    steps = [
        ("start", {"url": page + "?routes"}), ("emulate", {"route": rules}), ask("/api/1?x"),
        ask(ctx.origin.replace("127.0.0.1", "localhost") + "/api/2", "{headers: {'X-Own': '1'}}"),
        ask("/a.png?1"), ask("/orders"), ask("/orders", "{method: 'POST'}"), ask("/frames/1"),
        ("navigate", {"url": ctx.origin + "/frames/2"}), ("navigate", {"url": page}),
        ("evaluate", {"expression": "fetch('/bytes').then((a) => a.arrayBuffer()).then((b) => [b.byteLength, new Uint8Array(b)[255]])"}),
        ("navigate", {"url": CLOSED + "/api/far"}), ("navigate", {"url": page + "outer.html"}), ("wait", {"networkIdle": True}),
        ("evaluate", {"expression": FRAME}),
        ("emulate", {"route": []}), ask("/api/3"),
        ("emulate", {"route": [{"url": "x", "action": "fulfill", "bodyFile": "none.bin"}]})]

    def check(responses):
        ctx.match(responses[3], {"success": True, "result": [201, "application/json", "b", "{\"\u00e9\": 1}"],
                                 "logs": {"$contains": {"type": "debug", "category": "network", "source": "tool",
                                                        "message": {"$regex": r"route\[0\] answered GET http.*/api/1\?x"}}}}, "answered")
        ctx.match(responses[4], {"success": True, "result": {"$contains": 201}}, "answered for another origin")
        for number, wanted in ((5, "failed"), (7, "failed"), (11, [256, 255])):
            ctx.match(responses[number], {"success": True, "result": wanted}, f"route {number}")
        for number in (6, 8, 17):
            ctx.match(responses[number], {"success": True, "result": {"$contains": 404}}, f"not routed {number}")
        ctx.match(responses[15], {"success": True, "result": 201}, "a frame of another process")
        ctx.match(responses[9], {"success": True, "title": "Canned"}, "a document")
        ctx.match(responses[12], {"success": True, "httpStatus": 201}, "from a server that is not there")
        ctx.match(responses[18], {"success": False, "errorCode": "INVALID_ACTION", "error": {"$regex": "none.bin"}}, "no file")
        asked = [entry["path"] for entry in ctx.fetch("/requests")]
        asked = asked[asked.index("/case/?routes"):]
        ctx.expect(not [path for path in asked if "/api/1" in path or "/api/2" in path or "png" in path or "bytes" in path],
                   f"reached the server: {asked}")
    return steps, check


def refusals(ctx):
    chrome = ctx.mark_chrome()
    good = {"url": "/api", "action": "fulfill"}
    for params, reason in (({"headers": {"X": 1}}, "one line"), ({"headers": {"a b": "x"}}, "no name of a header"),
                           ({"headers": {"X": "a\nb"}}, "one line"), ({"headers": ["X"]}, "an object"),
                           ({"credentials": {"username": "a"}}, "password"),
                           ({"credentials": {"username": "a", "password": "b", "origin": "localhost"}}, "no origin"),
                           ({"route": {"url": "x"}}, "an array"), ({"route": [{"action": "block"}]}, "url"),
                           ({"route": [{"url": "x", "action": "abort"}]}, "block, fulfill"),
                           ({"route": [{"url": "x", "action": "block", "status": 404}]}, "fulfill"),
                           ({"route": [{**good, "status": 99}]}, "between 200 and 599"),
                           ({"route": [{**good, "body": "a", "bodyFile": "b"}]}, "not both"),
                           ({"route": [{**good, "resourceTypes": ["picture"]}]}, "none of document"),
                           ({"route": [{**good, "method": "A B"}]}, "no method"),
                           ({"route": [{**good, "headers": {"": "x"}}]}, r"no name of a header"),
                           ({"route": [good] * 101}, "100")):
        refused = ctx.run(["run", ctx.batch([("emulate", params)], "bad.xml"), "--chrome", chrome])
        ctx.expect(refused.exit == 2 and reason in refused.stderr, f"{params}: {refused.exit} {refused.stderr}")
    ctx.expect(not ctx.marked(), "Chrome was started")
