"""Values of all kinds as console prints them, compared with the console panel of Chrome's own DevTools for the same page."""
import asyncio
import pathlib
import signal
import subprocess
import time

from bridge import tab_of
from consoled import requires
from foreign import foreign_browser
from harness import ROOT, Failure
from terminal import Terminal, compare_picture

PAGES = pathlib.Path(__file__).parent / "pages"
LAST = "that was all"

# Our text where it differs from Chrome's, and why.
DIFFERENT = {
    # Texts are printed unquoted, whatever precedes them.
    "true false undefined 'x'": "true false undefined x",
    # The content of an element is not printed.
    '<div id="app" class="big wide"></div>': '<div id="app" class="big wide">',
    '"text"': "#text 'text'",
    # ... and these two sometimes have the short names that DevTools use until the document is loaded.
    "div#app.big.wide": '<div id="app" class="big wide">',
    "#text": "#text 'text'",
    "NodeList [p]": "NodeList(1) [<p>]",
    "HTMLCollection [p]": "HTMLCollection(1) [<p>]",
    "#document (PAGE)": "#document",
    "Window {window: Window, self: Window, document: document, name: '', location: Location, …}": "Window",
    # Internal slots with their names, as Chrome shows them when unfolded.
    "Promise {<fulfilled>: 5}": "Promise {[[PromiseState]]: 'fulfilled', [[PromiseResult]]: 5}",
    "Promise {<pending>}": "Promise {[[PromiseState]]: 'pending', [[PromiseResult]]: undefined}",
    "steps {<suspended>}": "steps {[[GeneratorState]]: 'suspended'}",
    "Number {3}": "Number {[[PrimitiveValue]]: 3}",
    # In UTC, and to the millisecond.
    "Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)": "1970-01-01T00:00:00.000Z",
    "WeakMap {}": "WeakMap",
    "WeakSet {}": "WeakSet",
    "Arguments(2) [1, 'b', callee: ƒ, Symbol(Symbol.iterator): ƒ]": "Arguments(2) [1, 'b']",
    "Uint8Array(2) [1, 2, buffer: ArrayBuffer(2), byteLength: 2, byteOffset: 0, length: 2, "
    "Symbol(Symbol.toStringTag): 'Uint8Array']": "Uint8Array(2) [1, 2]",
    # Locations with the complete address, and the stack of an error that is an argument.
    "Error: no\n    at kinds.html:20:102": "Error: no\n    at PAGE:20:102",
    "{e: Error: no\n    at PAGE:22:85}": "{e: Error: no}",
    # A terminal cannot unfold: the whole value is printed, on several lines if it is long.
    "(3) [1, {…}, Array(1)]": "(3) [1, {a: 1}, [2]]",
    "{a: {…}}": "{a: {b: {c: {}}}}",
    "Map(1) {{…} => Array(1)}": "Map(1) {{k: 1} => [2]}",
    "{a: 1} {again: {…}, twice: {…}}": "{a: 1} {again: {a: 1}, twice: {a: 1}}",
    "{first: {…}}": "{first: {a: 1}}",
    "{name: 'circle', self: {…}}": "{name: 'circle', self: [Circular]}",
    "URL {origin: 'http://a.b', protocol: 'http:', username: '', password: '', host: 'a.b', …}":
        "URL {\n  origin: 'http://a.b',\n  protocol: 'http:',\n  username: '',\n  password: '',\n  host: 'a.b',\n  …\n}",
    "{3: 4, odd key: 1, w: Window, p: Promise, y: Symbol(z), f: ƒ, …}":
        "{\n  3: 4,\n  'odd key': 1,\n  f: ƒ (),\n  w: Window,\n  p: Promise,\n  y: Symbol(…),\n  "
        "d: 1970-01-01T00:00:00.000Z\n}",
    f"(40) [{', '.join(str(i * 1000) for i in range(40))}]":
        "(40) [\n  0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10000, 11000,\n"
        "  12000, 13000, 14000, 15000, 16000, 17000, 18000, 19000, 20000, 21000,\n"
        "  22000, 23000, 24000, 25000, 26000, 27000, 28000, 29000, 30000, 31000,\n"
        "  32000, 33000, 34000, 35000, 36000, 37000, 38000, 39000\n]",
    "{key0: 0, key1: 1, key2: 2, key3: 3, key4: 4, …}":
        "{\n" + "".join(f"  key{i}: {i},\n" for i in range(11)) + "  key11: 11\n}",
}


def run(ctx):
    requires()
    page = ctx.origin + "/case/kinds.html"
    ours = [text.replace(page, "PAGE") for text in printed(ctx, page)]
    chrome = asyncio.run(in_devtools(ctx, page, lambda texts: not differences(texts, ours)))
    problems = differences(chrome, ours)
    ctx.expect(not problems, "\n".join(problems))
    shown_in_colours(ctx, page)
    alike = sum(text == wanted for text, wanted in zip(ours, chrome))
    ctx.expect(alike >= 35, f"{alike} of {len(ours)} as in Chrome")


def shown_in_colours(ctx, page):
    columns = 84
    terminal = Terminal(columns)
    process = subprocess.Popen([ctx.options.binary, "console", page, "--temp-profile", *ctx.browser_args(), "--timestamp", "none",
                                "--source", "none"], stdin=subprocess.DEVNULL, stdout=terminal.slave, stderr=subprocess.DEVNULL,
                               cwd=ctx.work, env={**ctx.environment, "NO_COLOR": ""})
    try:
        text = terminal.read(LAST.encode(), 30)
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    finally:
        process.kill()
        process.wait()
        terminal.close()
    text = text.replace(page, "http://localhost:8000/").partition("\n")[2]
    compare_picture(ctx, ROOT / "docs/console-values.svg", text.rpartition("log: that was all")[0], columns)


def differences(chrome, ours):
    if len(ours) != len(chrome):
        return [f"{len(ours)} calls, {len(chrome)} in Chrome, the last {chrome[-1:]}"]
    # The one getter of the page: Chrome omits it until it is unfolded.
    return [f"value {index}: {text!r}, Chrome {wanted!r}" for index, (wanted, text) in enumerate(zip(chrome, ours))
            if text != DIFFERENT.get(wanted, wanted) and (wanted, text) != ("{}", "{a: (...)}")]


def printed(ctx, page):
    process = ctx.start(["console", "--json", page, "--temp-profile", *ctx.browser_args()])
    texts = []
    while LAST not in texts:
        line = process.line(30)
        texts += [line["text"]] if line["kind"] == "console" else []
    process.signal(signal.SIGTERM)
    process.popen.wait(30)
    return texts


async def in_devtools(ctx, page, is_all):
    """DevTools are attached before the page is opened: earlier calls would be shown without their members."""
    with foreign_browser(ctx, "--remote-allow-origins=*") as browser:
        async with tab_of(browser, "about:blank") as inspected:
            address = f"{browser.http.split('//')[1]}/devtools/page/{inspected.identity}"
            async with tab_of(browser, f"{browser.http}/devtools/inspector.html?ws={address}&panel=console") as devtools:
                # As high as all messages: hidden ones are not rendered.
                await devtools.call("Emulation.setDeviceMetricsOverride", width=1600, height=8000, deviceScaleFactor=1,
                                    mobile=False)
                end = time.monotonic() + 30
                while "ready" not in await shown(devtools):
                    if time.monotonic() > end:
                        raise Failure("DevTools did not come up")
                    await inspected.evaluate("console.log('ready')")
                await inspected.call("Page.navigate", url=page)
                end = time.monotonic() + 20
                texts = []
                while not is_all(texts) and time.monotonic() < end:  # elements and errors are drawn later
                    texts = [text.replace(page, "PAGE") for text in await shown(devtools) if text != "ready"]
                return texts


async def shown(devtools):
    """Returns the messages after a moment."""
    await asyncio.sleep(0.3)
    return await devtools.evaluate((PAGES / "devtools.js").read_text())
