"""Ways to another origin as a table of places and methods: more than 200 work without rules, and none under them."""
import json

import processes
from answers import Site, page

TIER = "long"
TIME_LIMIT = 240
LEAST = 200  # ways that work without rules: some combinations do not work in any browser

# Methods of a document; P is the address, TO a URL of the own origin that redirects there. Each is the body of a
# function that need not wait.
WAYS = {
    "fetch": "fetch(P, {mode: 'no-cors'}).catch(() => 0)",
    "fetch-cors": "fetch(P).catch(() => 0)",
    "fetch-post": "fetch(P, {method: 'POST', mode: 'no-cors', body: 'x'}).catch(() => 0)",
    "fetch-keepalive": "fetch(P, {mode: 'no-cors', keepalive: true}).catch(() => 0)",
    "fetch-redirect": "fetch(TO, {mode: 'no-cors'}).catch(() => 0)",
    "xhr": "const x = new XMLHttpRequest(); x.open('GET', P); x.send()",
    "xhr-post": "const x = new XMLHttpRequest(); x.open('POST', P); x.send('x')",
    "beacon": "navigator.sendBeacon(P, 'x')",
    "eventsource": "const e = new EventSource(P); e.onerror = () => e.close()",
    "import": "import(P).catch(() => 0)",
    "image": "new Image().src = P",
    "image-redirect": "new Image().src = TO",
    "srcset": "add('img', {srcset: P + ' 1x'})",
    "poster": "add('video', {poster: P})",
    "video": "add('video', {src: P, preload: 'auto'})",
    "audio": "add('audio', {src: P, preload: 'auto'})",
    "source": "const v = document.createElement('video'); v.preload = 'auto'; v.innerHTML = `<source src='${P}'>`; document.body.append(v)",
    "input": "add('input', {type: 'image', src: P})",
    "svg": "const d = document.createElement('div'); d.innerHTML = `<svg width=9 height=9><image href='${P}' width=9 height=9 /></svg>`; document.body.append(d)",
    "table": "const t = document.createElement('div'); t.innerHTML = `<table background='${P}'><tr><td>x</table>`; document.body.append(t)",
    "background": "const d = document.createElement('div'); d.style.cssText = `width:9px;height:9px;background:url(${P})`; document.body.append(d)",
    "mask": "const d = document.createElement('div'); d.style.cssText = `width:9px;height:9px;background:red;mask-image:url(${P})`; document.body.append(d)",
    "list-image": "const d = document.createElement('ul'); d.innerHTML = '<li>x'; d.style.listStyleImage = `url(${P})`; document.body.append(d)",
    "content": "add('style', {textContent: `body::after { content: url(${P}) }`})",
    "css-import": "add('style', {textContent: `@import '${P}';`})",
    "font": "const n = 'f' + Math.random().toString(36).slice(2); add('style', {textContent: `@font-face { font-family: ${n}; src: url(${P}) }`}); const d = document.createElement('p'); d.style.fontFamily = n; d.textContent = 'text'; document.body.append(d)",
    "font-face": "new FontFace('g', `url(${P})`).load().catch(() => 0)",
    "style": "add('link', {rel: 'stylesheet', href: P})",
    "preload": "add('link', {rel: 'preload', as: 'image', href: P})",
    "preload-font": "add('link', {rel: 'preload', as: 'font', crossOrigin: '', href: P})",
    "preload-script": "add('link', {rel: 'preload', as: 'script', href: P})",
    "modulepreload": "add('link', {rel: 'modulepreload', href: P})",
    "prefetch": "add('link', {rel: 'prefetch', href: P})",
    "script": "add('script', {src: P})",
    "script-redirect": "add('script', {src: TO})",
    "module": "add('script', {type: 'module', src: P})",
    "frame": "add('iframe', {src: P})",
    "frame-redirect": "add('iframe', {src: TO})",
    "object": "add('object', {data: P, width: 9, height: 9})",
    "embed": "add('embed', {src: P, width: 9, height: 9})",
    "form": "const n = 'n' + Math.random().toString(36).slice(2); const i = document.createElement('iframe'); i.name = n; document.body.append(i); const f = document.createElement('form'); f.action = P; f.method = 'post'; f.target = n; document.body.append(f); f.submit()",
    "ping": "const a = document.createElement('a'); a.href = '#h'; a.ping = P; document.body.append(a); a.click()",
}
# The same for workers; a service worker has no XMLHttpRequest.
IN_WORKERS = {name: WAYS[name] for name in ("fetch", "fetch-cors", "fetch-post", "fetch-keepalive", "fetch-redirect", "xhr", "xhr-post", "eventsource", "font-face")}
IN_WORKERS["import-scripts"] = "try { importScripts(P) } catch (error) { }"
# The places that run them: `code` is the text of a script that tries all methods.
PLACES = {
    "page": "(0, eval)(code('page'))",
    "blank-frame": "const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.eval(code('blank-frame'))",
    "own-frame": "const f = document.createElement('iframe'); f.src = '/blank'; f.onload = () => f.contentWindow.eval(code('own-frame')); document.body.append(f)",
    "srcdoc-frame": "const f = document.createElement('iframe'); f.srcdoc = '<body><script>' + code('srcdoc-frame') + '<' + '/script>'; document.body.append(f)",
    "sandboxed-frame": "const f = document.createElement('iframe'); f.sandbox = 'allow-scripts allow-forms'; f.srcdoc = '<body><script>' + code('sandboxed-frame') + '<' + '/script>'; document.body.append(f)",
    "blob-frame": "const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob(['<body><script>' + code('blob-frame') + '<' + '/script>'], {type: 'text/html'})); document.body.append(f)",
    "popup": "const w = open('about:blank'); w.eval(code('popup'))",
    "own-popup": "const w = open('/blank'); w.onload = () => w.eval(code('own-popup'))",
    "worker": "new Worker(URL.createObjectURL(new Blob([code('worker')])))",
    "own-worker": "const w = new Worker('/worker.js'); w.postMessage(code('own-worker'))",
    "module-worker": "new Worker(URL.createObjectURL(new Blob([code('module-worker')], {type: 'text/javascript'})), {type: 'module'})",
    "nested-worker": "new Worker(URL.createObjectURL(new Blob([`new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code('nested-worker'))}])))`])))",
    "frame-worker": "const f = document.createElement('iframe'); document.body.append(f); const c = code('frame-worker'); f.contentWindow.eval(`new Worker(URL.createObjectURL(new Blob([${JSON.stringify(c)}])))`)",
    "service-worker": "const r = await navigator.serviceWorker.register('/worker.js'); (r.installing || r.active).postMessage(code('service-worker'))",
}


def is_worker(place):
    return place.endswith("worker")


def ways_of(place):
    return IN_WORKERS if is_worker(place) else WAYS


def code(own, address, place):
    """Returns the script that tries all methods from a place."""
    add = ("const add = (name, members) => { const e = document.createElement(name); Object.assign(e, members); "
           "document.body.append(e); };")
    ways = "\n".join(f"try {{ (() => {{ const P = '{address}/{place}.{name}', TO = '{own.url}/to-{place}.{name}'; {body} }})() }} catch (error) {{ }}"
                     for name, body in ways_of(place).items())
    return f"{{ {'' if is_worker(place) else add}\n{ways} }}"


def sites(ctx):
    other = Site(ctx, {})
    address = other.url.replace("127.0.0.1", "localhost")
    own = Site(ctx, {
        "/": page("<title>own</title><link rel=icon href=data:,>"), "/blank": page("<title>blank</title>"),
        "/worker.js": (200, {"Content-Type": "text/javascript"}, b"addEventListener('message', e => (0, eval)(e.data))"),
        **{f"/to-{place}.{name}": (302, {"Location": f"{address}/{place}.{name}"}, b"") for place in PLACES for name in ways_of(place)},
    })
    return own, other, address


def walk(ctx, own, address, *rules, arrived=None):
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *rules, *ctx.browser_args()])
    talk.ask("start", {"url": own.url + "/", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})
    for place, body in PLACES.items():
        talk.ask("navigate", {"url": own.url + "/"})
        text = json.dumps(code(own, address, place))
        talk.ask("evaluate", {"expression": f"(async () => {{ const code = () => {text}; {body}; return 1 }})()", "label": place, "timeout": 10000})
        if arrived:
            arrived(place)
        else:
            talk.ask("wait", {"ms": 1000})
    talk.close_stdin()
    return talk.wait()


def run(ctx):
    own, other, address = sites(ctx)

    def arrived(place):
        """Waits while more of them arrive."""
        wanted = {f"{place}.{name}" for name in ways_of(place)}
        processes.wait_until_gone(lambda: sorted(wanted - other.reached()), 3)
    walk(ctx, own, address, arrived=arrived)
    every = {f"{place}.{name}" for place in PLACES for name in ways_of(place)}
    roads = other.reached() & every
    ctx.expect(len(roads) >= LEAST, f"{len(roads)} of {len(every)} roads are open without rules; not: {sorted(every - roads)}")
    ctx.expect({road.split(".")[0] for road in roads} == set(PLACES), f"nothing comes from {sorted(set(PLACES) - {road.split('.')[0] for road in roads})}")
    ways = {road.split(".")[1] for road in roads}
    ctx.expect(ways == {*WAYS, *IN_WORKERS}, f"these lead nowhere from anywhere: {sorted({*WAYS, *IN_WORKERS} - ways)}")
    for rules in (("--allow", own.url), ("--deny", "private", "--allow", own.url, "--allow", "*")):
        other.requests.clear()
        walk(ctx, own, address, *rules)
        ctx.expect(not other.requests, f"{rules} lets through: {sorted(other.reached())}")
