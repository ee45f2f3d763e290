"""Positions in scripts of this machine are shown as positions in their sources: for which scripts, and how long calls wait
for them."""
import asyncio
import base64
import json
import re
import signal
import time
import urllib.request

from answers import Site
from consoled import Console, called, consoled, envelope, hear, requires
from source_maps import mappings

BROWSER = "any"
SCRIPT = "function a(){throw new Error('x')}function b(){console.log('said');a()}b();"
THROW, CALL = SCRIPT.index("throw") + 1, SCRIPT.index("a()}b") + 1
SLOW_S = 8


def source_map(first_line=10):
    return json.dumps({"version": 3, "sources": ["../src/app.ts"], "names": ["a", "b"], "sourcesContent": ["x" * 1000],
                       "mappings": mappings([(0, 0, 0, 0), (THROW - 1, 0, first_line, 4), (CALL - 1, 0, 20, 2)])}).encode()


class Shop:
    """A development server. Its page is `page`."""

    def __init__(self, ctx):
        inside = "data:application/json;base64," + base64.b64encode(source_map()).decode()
        references = {"served": "maps/served.js.map", "inside": inside, "missing": "nowhere.map", "broken": "maps/broken.map",
                      "plain": None, "slow": "maps/slow.map", "moved": "maps/moved.map", "built": "maps/built.map",
                      "elsewhere": "http://0.0.0.0:PORT/js/maps/served.js.map", "large": "maps/large.map"}
        self.built = 10
        answers = {"/js/maps/served.js.map": (200, {}, source_map()), "/js/maps/broken.map": (200, {}, b'{"mappings": "???"'),
                   "/js/maps/large.map": (200, {}, source_map() + b" " * (17 << 20)),
                   "/js/maps/slow.map": self.slow, "/js/maps/built.map": lambda: (200, {}, source_map(self.built)),
                   "/js/maps/moved.map": (302, {"Location": "/js/maps/served.js.map"}, b""),
                   "/js/gone.js": (302, {"Location": "/js/served.js"}, b"")}
        self.site = Site(ctx, answers)
        self.port = self.site.url.rsplit(":", 1)[1]
        for name, reference in references.items():
            comment = f"\n//# sourceMappingURL={reference}\n".replace("PORT", self.port) if reference else ""
            answers[f"/js/{name}.js"] = 200, {"Content-Type": "text/javascript"}, (SCRIPT + comment).encode()
        self.page = self.site.url + "/"

    def slow(self):
        time.sleep(SLOW_S)
        return 200, {}, source_map()

    def script(self, name):
        return f"{self.site.url}/js/{name}.js"

    def asked(self, part):
        return [path for _, path, _ in self.site.requests if part in path]


def said(shop, text, name=None, tab=1, page=None, url=None, method="log", **more):
    """A call from the `throw` of a script."""
    if name or url:
        more["location"] = {"url": url or shop.script(name), "line": 1, "column": THROW}
    message = json.loads(called(method, text, tab=tab, **more))
    message["source"]["url"] = shop.page if page is None else page
    return json.dumps(message)


def line_of(console):
    while (line := console.process.line(20))["kind"] != "console":
        pass
    return line


def run(ctx):
    requires()
    shop = Shop(ctx)
    with consoled(ctx) as console:
        for part in (mapped, unmapped, refused, order, limits, built):
            asyncio.run(part(ctx, console, shop))
        gone(ctx, console, shop)
    switched_off(ctx)
    under_rules(ctx)
    in_text(ctx)
    page_of_ours(ctx)


async def mapped(ctx, console, shop):
    """In locations and stacks, of Chrome and Firefox, with both names of the host; the script is requested once."""
    source = {"url": f"{shop.site.url}/js/src/app.ts", "line": 11, "column": 5}
    script = shop.script("served")
    v8 = f"Error: x {script}:1:{THROW}\n    at a ({script}:1:{THROW})\n    at async {script}:1:{CALL}\n    at c (https://x/y.js:1:2)"
    v8_mapped = (f"Error: x {script}:1:{THROW}\n    at a ({source['url']}:11:5)\n    at async {source['url']}:21:3\n"
                 "    at c (https://x/y.js:1:2)")
    firefox, firefox_mapped = f"httpGet@{script}:1:{THROW}\n@{script}:1:{CALL}\n", f"httpGet@{source['url']}:11:5\n@{source['url']}:21:3\n"
    error = {"type": "error", "value": f"Error: x {script}:1:{THROW}", "stack": v8}
    async with console.connect() as peer:
        await peer.send(said(shop, "one", "served"))
        place = {"url": script, "line": 1, "column": THROW}
        ctx.match(line_of(console), {"text": "one", "location": source, "generatedLocation": place}, "location")
        message = json.loads(said(shop, "", "served", method="trace", stack=firefox))
        message["payload"]["args"] = [error, {"type": "object", "value": {"inner": {**error, "value": "", "stack": firefox}}},
                                      {"type": "string", "value": f"seen:{v8[v8.index(chr(10)):]}"}]
        await peer.send(json.dumps(message))
        line = line_of(console)
        ctx.expect(line["stack"] == firefox_mapped, f"a stack of Firefox: {line['stack']}")
        args = line["args"]
        ctx.expect(args[0]["stack"] == v8_mapped, f"a stack of Chrome: {args[0]['stack']}")
        ctx.expect(args[1]["value"]["inner"]["stack"] == firefox_mapped, f"inside of an object: {args[1]}")
        ctx.expect(args[2]["value"] == f"seen:{v8_mapped[v8_mapped.index(chr(10)):]}", f"a stack as text: {args[2]}")
        ctx.expect("app.ts:11:5" in line["text"], f"text: {line['text']}")
        for host in ("localhost", "shop.localhost"):
            url = f"http://{host}:{shop.port}/js/inside.js"
            await peer.send(said(shop, host, url=url, page=f"http://{host}:{shop.port}/"))
            ctx.match(line_of(console), {"text": host, "location": {"url": f"http://{host}:{shop.port}/src/app.ts", "line": 11}}, host)
        hosts = [headers["Host"] for _, path, headers in shop.site.requests if "inside" in path]
        ctx.expect(hosts == [f"localhost:{shop.port}", f"shop.localhost:{shop.port}"], f"hosts: {hosts}")
        ctx.expect(shop.asked("served") == ["/js/served.js", "/js/maps/served.js.map"], f"asked: {shop.asked('served')}")
        ctx.expect(all(method == "GET" and "Cookie" not in headers for method, _, headers in shop.site.requests), "how it asks")


async def unmapped(ctx, console, shop):
    """Without an available map, and if a position is not in it, the position is unchanged."""
    async with console.connect() as peer:
        for name in ("missing", "broken", "plain", "moved", "gone", "elsewhere", "nowhere", "large"):
            await peer.send(said(shop, name, name))
            ctx.match(line_of(console), {"text": name, "location": {"url": shop.script(name), "line": 1, "column": THROW},
                                         "generatedLocation": {"$absent": True}}, name)
            ctx.expect(len(shop.asked(f"/{name}.js")) == 1, f"{name}: {shop.asked(name)}")
        ctx.expect(shop.asked("large.map") and shop.asked("nowhere.map"), "maps that are named are asked for")
        ctx.expect(len(shop.asked("served")) == 2, f"a redirection, or an address of another machine, was followed: {shop.asked('served')}")
        message = json.loads(said(shop, "line alone", "served"))
        del message["payload"]["location"]["column"]
        await peer.send(json.dumps(message))
        ctx.match(line_of(console), {"location": {"url": shop.script("served"), "line": 1, "column": {"$absent": True}}}, "no column")


async def refused(ctx, console, shop):
    """Other machines are not asked, nor is this one for pages from other machines."""
    with urllib.request.urlopen(f"http://0.0.0.0:{shop.port}/js/plain.js?reached", timeout=10) as answer:
        ctx.expect(answer.status == 200, "0.0.0.0 leads nowhere: the test shows nothing")
    before = len(shop.site.requests)
    async with console.connect() as peer:
        for url, page in ((shop.page, None), (shop.page, shop.page + "#here"), (f"http://0.0.0.0:{shop.port}/js/inside.js", None), (f"https://127.0.0.1:{shop.port}/js/inside.js", None),
                          (f"http://user@127.0.0.1:{shop.port}/js/inside.js", None),
                          (f"ws://127.0.0.1:{shop.port}/js/inside.js", None), (f"http://127.0.0.1:{shop.port}/other.js", "https://example.com/"),
                          (f"http://127.0.0.1:{shop.port}/other.js", "unknown")):
            await peer.send(said(shop, url, url=url, page=page))
            ctx.match(line_of(console), {"text": url, "location": {"url": url, "line": 1}}, url)
    ctx.expect(len(shop.site.requests) == before, f"asked: {shop.site.requests[before:]}")


async def order(ctx, console, shop):
    """While a script is being fetched its tab waits, in order and at most 1 s; other tabs do not."""
    async with console.connect() as peer:
        began = time.monotonic()
        await peer.send(said(shop, "slow", "slow"))
        for number in range(50):
            await peer.send(said(shop, f"behind {number}", method="group" if number == 0 else "count"))
        await peer.send(said(shop, "other", tab=2))
        await peer.send(json.dumps(envelope("ping", {"id": 1})))
        ctx.expect((await hear(peer))["type"] == "pong", "a ping is not answered meanwhile")
        ctx.expect(line_of(console)["text"] == "other", "another tab waits, too")
        line = line_of(console)
        took = time.monotonic() - began
        ctx.match(line, {"text": "slow", "location": {"url": shop.script("slow"), "line": 1}}, "a slow map")
        ctx.expect(0.8 <= took < SLOW_S - 2, f"it waits {took:.1f} s for a slow map")
        texts = [line_of(console)["text"] for _ in range(50)]
        ctx.expect(texts == ["▼ behind 0"] + [f"behind {n}: 1" for n in range(1, 50)], f"order: {texts}")
        # After one wait in vain there are no further waits: lines of other tabs do not overtake.
        await peer.send(said(shop, "again", "slow"))
        await peer.send(said(shop, "beside", tab=2))
        ctx.match(line_of(console), {"text": "again", "location": {"url": shop.script("slow")}}, "slow again")
        ctx.match(line_of(console), {"text": "beside"}, "another tab")


async def limits(ctx, console, shop):
    """A tab with more than 1000 calls, or 1 MB, meanwhile gets them unmapped; nothing is lost."""
    for count, pad in ((1500, ""), (30, "x" * 50000)):
        name = f"slow.js?{count}#"
        async with console.connect() as peer:
            await peer.send(said(shop, "first", url=f"{shop.site.url}/js/{name}"))
            await peer.send("[" + ",".join(said(shop, f"{number}{pad}") for number in range(count)) + "]")
            # Printed before later calls of another tab, which would overtake a waiting one.
            await peer.send(said(shop, "beside", tab=2))
            ctx.match(line_of(console), {"text": "first"}, "the first")
            texts = [line_of(console)["args"][0]["value"] for _ in range(count)]
            ctx.expect(texts == [f"{number}{pad}" for number in range(count)], f"{len(texts)} of {count} events in order")
            ctx.match(line_of(console), {"text": "beside"}, "another tab")


async def built(ctx, console, shop):
    """A rebuilt script is requested again."""
    async with console.connect() as peer:
        for line, wait in ((10, 5.3), (30, 0)):
            shop.built = line
            await peer.send(said(shop, "built", "built"))
            ctx.match(line_of(console), {"location": {"line": line + 1}}, f"built with line {line}")
            await asyncio.sleep(wait)


def gone(ctx, console, shop):
    """Calls of a client that disconnects at once are printed completely."""
    async def talk():
        async with console.connect() as peer:
            await peer.send(said(shop, "last", url=shop.script("served") + "?gone"))

    asyncio.run(talk())
    ctx.match(line_of(console), {"text": "last", "location": {"line": 11}}, "the last words")
    ctx.match(console.process.line(), {"kind": "console_connection", "status": "gone"}, "gone")


def switched_off(ctx):
    shop = Shop(ctx)

    async def talk(console):
        async with console.connect() as peer:
            await peer.send(said(shop, "off", "served"))
            ctx.match(line_of(console), {"location": {"url": shop.script("served")}}, "switched off")

    for args in (["console", "--json", "--port", "0"], ["serve", "--console-bridge=0"]):
        with consoled(ctx, *args, "--no-source-maps") as console:
            asyncio.run(talk(console))
    ctx.expect(not shop.site.requests, f"asked: {shop.site.requests}")
    with consoled(ctx, "serve", "--console-bridge=0") as console:
        async def served():
            async with console.connect() as peer:
                await peer.send(said(shop, "on", "served"))
                ctx.match(line_of(console), {"location": {"line": 11}}, "by serve")
        asyncio.run(served())


def under_rules(ctx):
    """What the rules forbid is not fetched."""
    shop = Shop(ctx)

    async def talk(console, name, place):
        async with console.connect() as peer:
            await peer.send(said(shop, "ruled", name))
            ctx.match(line_of(console), {"location": place}, f"under rules: {name}")

    with consoled(ctx, "console", "--json", "--port", "0", "--deny", "127.0.0.1") as console:
        asyncio.run(talk(console, "served", {"url": shop.script("served")}))
    ctx.expect(not shop.site.requests, f"asked: {shop.site.requests}")


def in_text(ctx):
    """Scripts of positions that are not shown are not requested."""
    for location in (["--location"], []):
        shop = Shop(ctx)
        console = ctx.start(["console", "--port", "0", "--timestamp", "none", *location])
        deadline = time.monotonic() + 20
        while not (url := re.search(rb"ws://\S+", console.stderr)) and time.monotonic() < deadline:
            time.sleep(0.01)

        async def talk():
            import websockets
            async with websockets.connect(url.group().decode()) as peer:
                await peer.send(said(shop, "shown", "served"))
                await asyncio.sleep(0.5)

        asyncio.run(talk())
        console.signal(signal.SIGTERM)
        ctx.expect(console.popen.wait(20) == 0, "it did not end well")
        for reader in console.readers:
            reader.join(5)
        text = console.stdout.decode()
        place = f" ({shop.site.url}/js/src/app.ts:11:5)" if location else ""
        ctx.expect(f"[{shop.site.url[7:]}] log: shown{place}\n" in text, f"{location}: {text}")
        ctx.expect(bool(shop.site.requests) == bool(location), f"{location}: {shop.site.requests}")


def page_of_ours(ctx):
    """Pages that the command opens are handled in the same way."""
    shop = Shop(ctx)
    shop.site.answers["/page"] = (200, {"Content-Type": "text/html"}, b'<!doctype html><link rel="icon" href="data:,">'
                                  b'<script>console.log("inline")</script><script src="/js/served.js"></script>')
    process = ctx.start(["console", "--json", f"{shop.site.url}/page", "--temp-profile", *ctx.browser_args()])
    lines = [line_of(Console(ctx, process, None)) for _ in range(3)]
    process.signal(signal.SIGTERM)
    ctx.expect(process.popen.wait(30) == 0, "it did not end well")
    source = f"{shop.site.url}/js/src/app.ts"
    ctx.match(lines[0], {"text": "inline", "location": {"url": f"{shop.site.url}/page"}}, "in the document")
    ctx.match(lines[1], {"text": "said", "location": {"url": source}, "generatedLocation": {"url": shop.script("served")}}, "in a script")
    ctx.match(lines[2], {"method": "error", "text": {"$regex": rf"at a \({source}:11:5\)\n +at b \({source}:21:3\)"}}, "an exception")
    ctx.expect(len(shop.asked("/page")) == 1 and len(shop.asked("served.js")) == 3, f"asked: {shop.site.requests}")
