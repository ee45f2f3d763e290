"""The details of each request: kind, times, sizes, failures, bodies of errors, WebSockets."""
from answers import Site, page

BROWSER = "shared"
SCRIPT = """
fetch('/missing').catch(() => 0);
fetch('/big', {method: 'POST', body: 'a=1&b=2'}).then((answer) => answer.text());
fetch('/binary').then((answer) => answer.arrayBuffer());
fetch('/moved').then((answer) => answer.text());
fetch('http://127.0.0.1:PORT/refused').catch(() => 0);
new Image().src = 'http://other.example/blocked.png';
const stopped = new AbortController();
fetch('/missing?stopped', {signal: stopped.signal}).catch(() => 0);
stopped.abort();
const open = new WebSocket(location.origin.replace('http', 'ws') + '/ws');
open.onopen = () => open.close();
open.onclose = () => { document.title = 'closed'; };
const refused = new WebSocket(location.origin.replace('http', 'ws') + '/missing');
"""


def one(events, **wanted):
    """Returns the only event with these members."""
    found = [event for event in events if all(event.get(key) == value for key, value in wanted.items())]
    return found[0] if len(found) == 1 else {"found": len(found)}


def run(ctx):
    port = ctx.closed_origin.rsplit(":", 1)[1]
    html = {"Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": "img-src 'self' data:"}
    site = Site(ctx, {
        "/": (200, html, b'<!doctype html><link rel="icon" href="data:,"><script src="/page.js"></script>'),
        "/page.js": (200, {"Content-Type": "text/javascript"}, SCRIPT.replace("PORT", port).encode()),
        "/big": (500, {"Content-Type": "text/plain; charset=utf-8"}, "x".encode() + "é".encode() * 5000),
        "/binary": (502, {"Content-Type": "application/octet-stream"}, b"\x00\x01\xff\xfe" * 10),
        "/moved": (302, {"Location": "/there"}, b""),
        "/there": page("there"),
    })
    result = ctx.run_batch([
        ("start", {"url": site.url + "/"}),
        ("wait", {"expression": "document.title === 'closed'"}),
        ("wait", {"networkIdle": True}),
        ("evaluate", {"expression": "fetch('/unread').then(() => new Promise((done) => setTimeout(done, 500)))"})], "--screenshots", "none")
    events = [event for response in result.responses for event in response["networkEvents"]]

    ctx.match(one(events, type="document"), {
        "url": site.url + "/", "method": "GET", "status": 200, "mimeType": "text/html",
        "protocol": "http/1.1", "remoteAddress": site.url[len("http://"):],
        "durationMs": {"$gt": 0}, "initiator": {"type": "other"},
        "timings": {"wait": {"$ge": 0}, "send": {"$ge": 0}, "receive": {"$ge": 0}},
        "sizes": {"request": 0, "decoded": len(site.answers["/"][2]), "response": {"$gt": 100}},
        "body": {"$absent": True}, "fromCache": {"$absent": True}}, "the document")
    ctx.match(one(events, type="script"), {
        "url": site.url + "/page.js", "initiator": {"type": "parser", "url": site.url + "/", "line": 1}},
        "the script")
    ctx.match(one(events, url=site.url + "/missing", type="fetch"), {
        "status": 404, "initiator": {"type": "script", "url": site.url + "/page.js", "line": 2}}, "a missing page")
    ctx.match(one(result.response(4)["networkEvents"], url=site.url + "/unread"), {
        "status": 404, "body": "no such page", "bodyCut": {"$absent": True}, "error": {"$absent": True}},
        "a response that nobody reads")
    big = one(events, url=site.url + "/big")
    ctx.match(big, {"method": "POST", "status": 500, "bodyCut": True,
                    "sizes": {"request": 7, "decoded": 10001}}, "a large error")
    ctx.expect(big.get("body") == "x" + "é" * 2047, f"the body is {len(big.get('body', ''))} characters")
    ctx.match(one(events, url=site.url + "/binary"),
              {"status": 502, "body": {"$absent": True}, "bodyOmitted": {"$regex": "binary"}}, "a binary error")
    ctx.match(one(events, url=site.url + "/moved"),
              {"status": 302, "redirectedTo": site.url + "/there"}, "a redirect")
    ctx.match(one(events, url=site.url + "/there"),
              {"status": 200, "redirectedTo": {"$absent": True}}, "where it led")
    ctx.match(one(events, url=f"http://127.0.0.1:{port}/refused"),
              {"status": {"$absent": True}, "error": {"$regex": "ERR_"}}, "a refused connection")
    ctx.match(one(events, url="http://other.example/blocked.png"),
              {"blockedReason": "csp", "error": {"$regex": "csp"}}, "a blocked picture")
    ctx.match(one(events, url=site.url + "/missing?stopped"),
              {"canceled": True, "error": {"$absent": True}}, "a request that the page stopped")

    socket = "ws" + site.url[len("http"):]
    ctx.match(one(events, url=socket + "/ws", webSocket="opened"),
              {"type": "websocket", "status": 101, "initiator": {"line": 11}}, "a WebSocket")
    ctx.match(one(events, url=socket + "/ws", webSocket="closed"),
              {"error": {"$absent": True}, "durationMs": {"$gt": 0}}, "its end")
    ctx.match(one(events, url=socket + "/missing", webSocket="failed"),
              {"status": 404, "error": {"$regex": "404"}}, "a refused WebSocket")
    ctx.expect(not [event for event in events if event["url"] == socket + "/missing"
                    and event["webSocket"] != "failed"], "a refused WebSocket has more than its failure")
    errors = sum(response["metrics"]["networkErrors"] for response in result.responses)
    ctx.expect(errors == 7, f"{errors} network errors")
