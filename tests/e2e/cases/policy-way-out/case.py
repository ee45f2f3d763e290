"""Requests that outlive their page, or that DevTools never sees: under rules they go through the way out, which checks
them.

Each way is tried without rules, where it must reach the other origin, and under rules, where none may. Ways that only
the way out blocks still reach it under rules if the way out is switched off: one is tried in policy-way-out-needed, all
in policy-way-out-denied."""
import json
import socket

import processes
from answers import Site, page

BROWSER = "any"

SCRIPT = {"Content-Type": "text/javascript"}

# The body of a function of the page, which is then left as LEAVE says.
ROADS = {
    "beacon-pagehide": "addEventListener('pagehide', () => navigator.sendBeacon(OTHER + '/beacon-pagehide', 'x'))",
    "keepalive-pagehide": "addEventListener('pagehide', () => { fetch(OTHER + '/keepalive-pagehide', {mode: 'no-cors', keepalive: true}) })",
    "image-pagehide": "addEventListener('pagehide', () => { new Image().src = OTHER + '/image-pagehide' })",
    "beacon-unload": "addEventListener('beforeunload', () => navigator.sendBeacon(OTHER + '/beacon-unload', 'x'))",
    "beacon-hidden": "addEventListener('visibilitychange', () => navigator.sendBeacon(OTHER + '/beacon-hidden', 'x'))",
    "frame-removed": "const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.fetch(OTHER + '/frame-removed', {mode: 'no-cors', keepalive: true}).catch(() => 0); f.remove()",
    "popup-closing": "const w = open('about:blank'); w.fetch(OTHER + '/popup-closing', {mode: 'no-cors', keepalive: true}).catch(() => 0); w.close()",
    "service-worker-left": "await navigator.serviceWorker.register('/service.js'); const r = await navigator.serviceWorker.ready; r.active.postMessage(1)",
    "speculation-late": "const s = document.createElement('script'); s.textContent = JSON.stringify({prefetch: [{urls: [OTHER + '/speculation-late'], eagerness: 'immediate'}]}); document.body.append(s); const t = document.createElement('script'); t.textContent = s.textContent; t.setAttribute('type', 'speculationrules'); document.body.append(t)",
    "speculation-shadow": "const d = document.createElement('div'); document.body.append(d); const t = document.createElement('script'); t.type = 'speculationrules'; t.textContent = JSON.stringify({prefetch: [{urls: [OTHER + '/speculation-shadow'], eagerness: 'immediate'}]}); d.attachShadow({mode: 'open'}).append(t)",
    "speculation-header": "location = '/speculating'",
    "ctrl-dispatched": "const a = document.createElement('a'); a.href = OTHER + '/ctrl-dispatched'; document.body.append(a); a.dispatchEvent(new MouseEvent('click', {ctrlKey: true, bubbles: true, cancelable: true, view: window}))",
    "shift-dispatched": "const a = document.createElement('a'); a.href = OTHER + '/shift-dispatched'; document.body.append(a); a.dispatchEvent(new MouseEvent('click', {shiftKey: true, bubbles: true, cancelable: true, view: window}))",
    "middle-dispatched": "const a = document.createElement('a'); a.href = OTHER + '/middle-dispatched'; document.body.append(a); a.dispatchEvent(new MouseEvent('click', {button: 1, bubbles: true, cancelable: true, view: window}))",
    "shared-worker": "new SharedWorker('/shared.js')",
    "source-map": "await new Promise(done => { const s = document.createElement('script'); s.onload = done; s.src = '/warns.js'; document.body.append(s) })",
    "source-map-redirect": "await new Promise(done => { const s = document.createElement('script'); s.onload = done; s.src = '/warns-too.js'; document.body.append(s) })",
    "mapped": "await fetch(OTHER.replace('localhost', '[::ffff:127.0.0.1]') + '/mapped', {mode: 'no-cors'}).catch(() => 0)",
}
# How the mouse follows links.
CLICKS = {
    "ctrl-click": {"modifiers": ["Control"]},
    "shift-click": {"modifiers": ["Shift"]},
    "middle-click": {"button": "middle"},
}
# Ways that no DevTools session sees, so that only the way out blocks them.
UNSEEN = {"ctrl-dispatched", "shift-dispatched", "middle-dispatched", "speculation-shadow"}


def sites(ctx):
    other = Site(ctx, {})
    address = other.url.replace("127.0.0.1", "localhost")
    rules = {"prefetch": [{"urls": [f"{address}/speculation-header"], "eagerness": "immediate"}]}
    own = Site(ctx, {
        "/": page("<title>own</title><link rel=icon href=data:,>" + "".join(
            f"<p><a id={name} href={address}/{name}>{name}</a>" for name in CLICKS)),
        "/next": page("<title>next</title><link rel=icon href=data:,>"),
        "/service.js": (200, SCRIPT, ("addEventListener('message', e => e.waitUntil(new Promise(done => setTimeout(done, 700)).then("
                                      f"() => fetch('{address}/service-worker-left', {{mode: 'no-cors'}})).catch(() => 0)))").encode()),
        "/shared.js": (200, SCRIPT, f"fetch('{address}/shared-worker', {{mode: 'no-cors'}}).catch(() => 0)".encode()),
        "/warns.js": (200, SCRIPT, f"console.warn('w')\n//# sourceMappingURL={address}/source-map".encode()),
        "/warns-too.js": (200, SCRIPT, b"console.warn('w')\n//# sourceMappingURL=/map"),
        "/map": (302, {"Location": address + "/source-map-redirect"}, b""),
        "/speculating": (200, {"Content-Type": "text/html", "Speculation-Rules": '"/rules.json"'}, b"<title>speculating</title>"),
        "/rules.json": (200, {"Content-Type": "application/speculationrules+json"}, json.dumps(rules).encode()),
    })
    return own, other, address


def walk(ctx, own, other, address, *rules, names=(*ROADS, *CLICKS), arrived=None):
    """Tries these ways, each from a fresh page; other.requests then has what arrived. Returns the run."""
    other.requests.clear()
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *rules, *ctx.browser_args()])
    talk.ask("start", {"url": own.url + "/", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})
    for name in names:
        talk.ask("navigate", {"url": own.url + "/", "label": name})
        if name in CLICKS:
            talk.ask("click", {"selector": f"#{name}", **CLICKS[name]})
        else:
            talk.ask("evaluate", {"expression": f"(async () => {{ const OTHER = {json.dumps(address)}; {ROADS[name]}; return 1 }})()",
                                  "label": name})
        if arrived and not name.endswith(("pagehide", "hidden", "unload")):
            arrived(name)
        talk.ask("navigate", {"url": own.url + "/next", "label": "left"})
        if arrived:
            arrived(name)
    if not arrived:
        talk.ask("wait", {"ms": 1500})
    talk.close_stdin()
    return talk.wait()


def run(ctx):
    own, other, address = sites(ctx)
    every = {*ROADS, *CLICKS}
    open_roads = check_open(ctx, own, other, address)
    ctx.expect(open_roads == every, f"roads that lead nowhere without rules: {sorted(every - open_roads)}")
    rules = ("--allow", own.url)
    walk(ctx, own, other, address, *rules)
    ctx.expect(not other.requests, f"{rules} lets through: {sorted(other.reached())}")


def run_in_chrome(ctx):
    """In the headless shell, rules alone block what is tried here, and a hint to connect has no effect."""
    own, other, address = sites(ctx)
    check_without_way_out(ctx, own, other, address, {"ctrl-dispatched"})
    walk(ctx, own, other, address, "--allow", own.url, names=[name for name in (*ROADS, *CLICKS) if name in UNSEEN])
    ctx.expect(not other.requests, f"rules let through: {sorted(other.reached())}")
    check_hint(ctx, own)


def run_denied(ctx):
    own, other, address = sites(ctx)
    check_without_way_out(ctx, own, other, address, UNSEEN)
    walk(ctx, own, other, address, "--deny", address, "--deny", "private", "--allow", own.url, "--allow", "*")
    ctx.expect(not other.requests, f"--deny lets through: {sorted(other.reached())}")


def check_without_way_out(ctx, own, other, address, names):
    """Rules alone do not block these ways, and a warning says so."""
    # In the order of ROADS: the last ones open tabs, and Chrome prefetches nothing for a page behind another tab.
    ran = walk(ctx, own, other, address, "--allow", own.url, "--chrome-arg", "--no-proxy-server",
               names=[name for name in ROADS if name in names], arrived=arrival(other, names))
    ctx.expect(names <= other.reached(), f"these do not need the way out: {sorted(names - other.reached())}")
    ctx.expect("uses another proxy" in ran.text, "no warning that there is no way out")


def connections_of_a_hint(ctx, own, *rules):
    """Returns how often a page's <link rel=preconnect> connects to a server, which sends no request."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(1)
        href = f"http://localhost:{server.getsockname()[1]}"
        talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *rules, *ctx.browser_args()])
        talk.ask("start", {"url": own.url + "/"})
        talk.ask("evaluate", {"expression": f"const a = document.createElement('link'); a.rel = 'preconnect'; a.href = '{href}'; document.head.append(a)"})
        talk.ask("wait", {"ms": 500})
        talk.close_stdin()
        talk.wait()
        try:
            server.accept()[0].close()
            return True
        except TimeoutError:
            return False


def check_hint(ctx, own):
    ctx.expect(connections_of_a_hint(ctx, own), "preconnect leads nowhere without rules")
    ctx.expect(not connections_of_a_hint(ctx, own, "--allow", own.url), "preconnect gets out")


def arrival(other, names):
    """Waits until a request by one of these ways has arrived, or is not to be expected any more."""
    def arrived(name):
        processes.wait_until_gone(lambda: [] if name in other.reached() or name not in names else [name], 3)
    return arrived


def check_open(ctx, own, other, address):
    """Without rules; returns the ways that lead there."""
    walk(ctx, own, other, address, arrived=arrival(other, {*ROADS, *CLICKS}))
    return other.reached() & {*ROADS, *CLICKS}
