"""A hostile page under --allow and --deny: every way to another origin, each of which works without a rule.

Here each way is tried under --allow, and some under --deny; policy-requests-all tries all under both, and shows that
each works without rules."""
import json

import processes
from answers import Site, page

BROWSER = "any"


# Ways for a page to reach OTHER; each is a function's body that may await.
ROADS = {
    "fetch": "await fetch(OTHER + '/fetch', {mode: 'no-cors'})",
    "keepalive": "await fetch(OTHER + '/keepalive', {mode: 'no-cors', keepalive: true})",
    "xhr": "await new Promise(done => { const x = new XMLHttpRequest(); x.onloadend = done; x.open('GET', OTHER + '/xhr'); x.send(); })",
    "beacon": "navigator.sendBeacon(OTHER + '/beacon', 'secret')",
    "image": "await new Promise(done => { const i = new Image(); i.onload = i.onerror = done; i.src = OTHER + '/image'; })",
    "script": "await add('script', {src: OTHER + '/script'})",
    "style": "await add('link', {rel: 'stylesheet', href: OTHER + '/style'})",
    "import": "await import(OTHER + '/import')",
    "eventsource": "await new Promise(done => { const e = new EventSource(OTHER + '/eventsource'); e.onopen = e.onerror = () => { e.close(); done(); }; })",
    "prefetch": "add('link', {rel: 'prefetch', href: OTHER + '/prefetch'})",
    "speculation": "add('script', {type: 'speculationrules', textContent: JSON.stringify({prefetch: [{urls: [OTHER + '/speculation'], eagerness: 'immediate'}]})}); await late(1000)",
    "speculation-parsed": "location = '/speculating'; await late(300)",
    "video": "add('video', {src: OTHER + '/video', autoplay: true})",
    "ping": "const a = document.createElement('a'); a.href = '#here'; a.ping = OTHER + '/ping'; document.body.append(a); a.click()",
    "frame": "await Promise.race([add('iframe', {src: OTHER + '/frame'}), late(1500)])",
    "frame-redirect": "await Promise.race([add('iframe', {src: '/to-frame-redirect'}), late(1500)])",
    "fetch-redirect": "await fetch('/to-fetch-redirect', {mode: 'no-cors'})",
    "srcdoc": "await add('iframe', {srcdoc: `<img src='${OTHER}/srcdoc'>`}); await late(300)",
    "worker": "await worker(new Worker('/worker.js'))",
    "worker-socket": "await worker(new Worker('/socket.js'))",
    "blob-worker-socket": "await worker(new Worker(URL.createObjectURL(new Blob([await (await fetch('/socket.js')).text()]))))",
    "nested-worker": "await worker(new Worker('/nested.js'))",
    "shared-worker": "const s = new SharedWorker('/shared.js'); s.port.start(); await Promise.race([new Promise(done => s.port.onmessage = done), late(2000)])",
    "service-worker": "await navigator.serviceWorker.register('/service.js'); await navigator.serviceWorker.ready",
    "popup": "window.open(OTHER + '/popup'); await late(700)",
    "popup-noopener": "window.open(OTHER + '/popup-noopener', '_blank', 'noopener'); await late(700)",
    "popup-script": "const w = window.open('about:blank'); const i = w.document.createElement('img'); i.src = OTHER + '/popup-script'; w.document.body.append(i); await late(500)",
    "popup-later": "const w = window.open('/blank'); await late(700); w.location = OTHER + '/popup-later'; await late(500)",
    "popup-worker": "window.open('/with-worker'); await late(1200)",
    "socket": "await socket(WebSocket)",
    "popup-socket": "const w = window.open('about:blank'); await socket(w.WebSocket)",
    "frame-socket": "const f = document.createElement('iframe'); document.body.append(f); await socket(f.contentWindow.WebSocket)",
    "form": "const f = document.createElement('form'); f.action = OTHER + '/form'; f.method = 'post'; f.target = '_blank'; document.body.append(f); f.submit(); await late(700)",
    "download": "const a = document.createElement('a'); a.href = OTHER + '/download'; a.download = 'x'; document.body.append(a); a.click(); await late(500)",
    "script-redirect": "location = '/to-script-redirect'; await late(300)",
    "location": "location = OTHER + '/location'; await late(300)",
}
SOCKETS = {"worker-socket", "blob-worker-socket", "socket", "popup-socket", "frame-socket"}
BESIDE = "\n".join([
    "const late = ms => new Promise(done => setTimeout(done, ms));",
    "const add = (name, members) => new Promise(done => { const e = document.createElement(name); e.onload = e.onerror = done; Object.assign(e, members); document.body.append(e); });",
    "const worker = w => Promise.race([new Promise(done => { w.onmessage = w.onerror = done; }), late(2500)]);",
    "const socket = Kind => new Promise(done => { const s = new Kind(OTHER.replace('http', 'ws') + '/ws'); s.onopen = s.onerror = () => { s.close(); done(); }; });",
])


def script(kind, body):
    return 200, {"Content-Type": "text/javascript"}, body.encode()


def sites(ctx):
    """The page's own origin, and another one that records what reaches it."""
    other = Site(ctx, {f"/{name}": page("reached") for name in ROADS})
    address = other.url.replace("127.0.0.1", "localhost")
    tell = "then(() => postMessage(1), () => postMessage(0))"
    asks = f"fetch('{address}/%s', {{mode: 'no-cors'}})"
    socket = f"{{ const s = new WebSocket('{address.replace('http', 'ws')}/ws'); s.onopen = s.onerror = () => postMessage(1); }}"
    own = Site(ctx, {
        "/": page("<title>own</title><link rel=icon href=data:,>"),
        "/blank": page("<title>blank</title>"),
        "/speculating": page('<title>s</title><script type=speculationrules>{"prefetch": [{"urls": ["%s/speculation-parsed"], '
                             '"eagerness": "immediate"}]}</script>' % address),
        "/with-worker": page("<script>new Worker('/popup-worker.js')</script>"),
        "/worker.js": script("", asks % "worker" + "." + tell),
        "/popup-worker.js": script("", asks % "popup-worker" + "." + tell),
        "/nested.js": script("", "const w = new Worker('/nested-worker.js'); w.onmessage = () => postMessage(1)"),
        "/nested-worker.js": script("", asks % "nested-worker" + "." + tell),
        "/socket.js": script("", socket),
        "/shared.js": script("", "onconnect = e => " + asks % "shared-worker" + ".then(() => 1, () => 0).then(n => e.ports[0].postMessage(n))"),
        "/service.js": script("", "addEventListener('install', e => e.waitUntil(" + asks % "service-worker" + ".catch(() => 0)))"),
        **{f"/to-{name}": (302, {"Location": f"{address}/{name}"}, b"")
           for name in ("frame-redirect", "fetch-redirect", "script-redirect", "redirect")},
    })
    return own, other, address


def script_of(address, name):
    return (f"(async () => {{ const OTHER = {json.dumps(address)}; {BESIDE}\n"
            f"try {{ {ROADS[name]} }} catch (error) {{ }} return 1; }})()")


def walk(ctx, own, address, roads, *rules, arrived=None):
    """Tries each way from a fresh page. arrived: waits for it."""
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *rules, *ctx.browser_args()])
    limits = {"maxConsecutiveErrors": 0, "totalErrorThreshold": 0}
    for number, name in enumerate(roads):
        talk.ask("navigate" if number else "start", {"url": own.url + "/", "label": name, **({} if number else limits)})
        talk.ask("evaluate", {"expression": script_of(address, name), "timeout": 8000, "label": name})
        if arrived:
            arrived(name)
        else:
            talk.ask("wait", {"ms": 700 if name == "speculation-parsed" else 150})
    talk.close_stdin()
    return talk.wait()


def run(ctx):
    own, other, address = sites(ctx)
    check_closed(ctx, own, other, address)
    check_denied(ctx, own, other, address, ("fetch", "image", "fetch-redirect", "worker", "popup", "socket", "location"))


def check_open(ctx, own, other, address):
    """Without rules every way leads there, so that refusals below are caused by the rules."""
    taken = set()

    def missing():
        opened = sum(path == "/ws" for _, path, _ in other.requests)
        return sorted(taken - SOCKETS - other.reached()) + ["a WebSocket"] * (len(taken & SOCKETS) - opened)

    def arrived(name):
        taken.add(name)
        left = processes.wait_until_gone(missing, 10)
        ctx.expect(not left, f"{name} is open, but leads nowhere: {left}")
    walk(ctx, own, address, ROADS, arrived=arrived)


def check_closed(ctx, own, other, address):
    other.requests.clear()
    own.requests.clear()
    ran = walk(ctx, own, address, ROADS, "--allow", own.url)
    ctx.expect(not other.requests, f"--allow {own.url} lets through: {sorted(other.reached())}")
    ctx.expect(all(response["success"] for response in ran.responses if response["type"] == "navigate"),
               f"the own origin is refused: {ran.text[:2000]}")
    ctx.expect({"worker.js", "service.js", "to-fetch-redirect"} <= own.reached(),
               f"the own origin was not asked: {sorted(own.reached())}")
    check_records(ctx, ran, address)


def check_records(ctx, ran, address):
    """A refused request is in the network events with the rule; a refused navigation is in the logs."""
    events = [event for response in ran.responses for event in response["networkEvents"]]
    for name in ("fetch", "image", "frame", "fetch-redirect", "location", "worker"):
        of_road = [event for event in events if event["url"] == f"{address}/{name}"]
        ctx.expect(any("--allow" in event.get("error", "") for event in of_road), f"{name}: {of_road}")
    logs = [log["message"] for response in ran.responses if response.get("label") == "location" for log in response["logs"]]
    ctx.expect(any(f"{address}/location is refused by --allow" in log for log in logs), f"location: {logs}")


def check_denied(ctx, own, other, address, roads):
    """--deny of one origin, and of all private ones except an allowed one."""
    for rules in (["--deny", address], ["--deny", "private", "--allow", own.url, "--allow", "*"]):
        other.requests.clear()
        walk(ctx, own, address, roads, *rules)
        ctx.expect(not other.requests, f"{rules} lets through: {sorted(other.reached())}")
