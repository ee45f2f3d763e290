"""console: windows and tabs that are opened later are reported from their first message, however they were opened."""
import contextlib
import datetime
import signal
import time

from answers import Site
from consoled import console
from harness import Failure
from foreign import foreign_browser
from warm import warm_sessions
from processes import SLOWNESS

FRAMED = ("script", "noopener", "ctrl", "blank")
PATIENT = ("--timeout", str(round(30000 * SLOWNESS)))


def run(ctx):
    opened(ctx)
    sent(ctx)
    warm(ctx)
    of_a_person(ctx)


def lines_until(process, holds, lines=None, seconds=30):
    """Adds lines to the list until `holds` is true for it."""
    lines = [] if lines is None else lines
    end = time.monotonic() + seconds * SLOWNESS
    while not holds(lines):
        try:
            lines.append(process.line(max(0.1, end - time.monotonic())))
            lines[-1]["readAt"] = time.time()
        except Failure as failure:
            raise Failure(f"{failure}; there were {[(line.get('text') or line.get('reason'), tab_id(line)) for line in lines]}") from None
    return lines


def tab_id(line):
    return line.get("source", {}).get("tabId")


def texts(lines, tab):
    return [line["text"].split("\n")[0] for line in lines if line["kind"] == "console" and tab_id(line) == tab]


def has_values_or_is_late(line, whole, beginning):
    """Whether the line has the values of its call; only their beginnings will do 2 s after it, which a page has to send them."""
    called = datetime.datetime.fromisoformat(line["timestamp"].replace("Z", "+00:00")).timestamp()
    text = line["text"].split("\n")[0]
    return text == whole or text == beginning and line["readAt"] - called >= 2


def has(*parts):
    return lambda lines: all(any(part in line.get("text", "") for line in lines) for part in parts)


def is_closed(tab):
    return lambda lines: any(line.get("status") == "disconnected" and tab_id(line) == tab for line in lines)


def every_window(*hops):
    said = [f"{what} {name}" for name in FRAMED for what in ("first of", "frame of", "worker of", "loaded", "nobody caught")]
    return has("the opener", "written from outside", "quick", "hop ?noopener", *hops, *said)


def check_windows(ctx, lines):
    tabs = {tab_id(line) for line in lines if line["kind"] == "console"}
    ctx.expect(len(tabs) == 7, f"tabs: {tabs}")
    for name in FRAMED:
        first = next(line for line in lines if f"first of {name}" in line.get("text", ""))
        said = texts(lines, tab_id(first))
        before = [f"hop ?{name}"] if name in ("noopener", "ctrl") else []
        ctx.expect(said[:len(before) + 2] == [*before, first["text"], "▼ in a group"], f"{name}: {said}")
        ctx.expect(has_values_or_is_late(first, f"first of {name} {{deep: 'changed later'}}", f"first of {name} {{deep: Object}}"), f"{name}: {first}")
        for number, what in ((1, "frame"), (2, "worker")):
            line = next(line for line in lines if tab_id(line) == tab_id(first) and f"{what} of {name}" in line.get("text", ""))
            ctx.expect(has_values_or_is_late(line, f"{what} of {name} {{a: [{number}]}}", f"{what} of {name} {{a: Array(1)}}"), f"{what}: {line}")
        ctx.expect(f"loaded {name}" in said, f"loaded {name}: {said}")
        ctx.expect(any(f"nobody caught {name}" in text for text in said), f"an exception in {name}: {said}")
        ctx.match(first, {"groups": 0, "source": {"url": {"$regex": rf"popup\.html\?{name}$"}}}, name)
        ctx.expect(any(line.get("status") == "connected" and tab_id(line) == tab_id(first) for line in lines), f"{name} is announced")
    bare = next(line for line in lines if "written from outside" in line.get("text", ""))
    ctx.match(bare, {"source": {"url": "about:blank"}}, "about:blank")
    ctx.expect(has_values_or_is_late(bare, "written from outside {deep: {er: {still: [1]}}}", "written from outside {deep: Object}"), f"{bare}")
    short = [line["text"] for line in lines if line["kind"] == "console" and ("Array(1)" in line["text"] or ": Object}" in line["text"])]
    ctx.expect(len(short) <= 3, f"of the 13 values, only the beginnings: {short}")


def opened(ctx):
    with console(ctx, ctx.origin + "/case/opener.html", "--temp-profile", *PATIENT, *ctx.browser_args()) as process:
        lines = lines_until(process, every_window("hop ?ctrl"))
        quick = next(tab_id(line) for line in lines if line.get("text") == "quick")
        lines_until(process, is_closed(quick), lines)
    check_windows(ctx, lines)


def sent(ctx):
    """The same, sent by `run` to a server."""
    server = ctx.start(["console", "--json", "--port", "0"])
    url = server.line(20)["url"]
    batch = ctx.start(["run", "-", "--screenshots", "none", "--temp-profile", *PATIENT, "--console-bridge", url, *ctx.browser_args()])
    batch.send('{"type": "start", "url": "%s"}\n' % (ctx.origin + "/case/opener.html"))
    lines = lines_until(server, every_window("hop ?ctrl"))
    batch.close_stdin()
    ctx.expect(batch.popen.wait(30 * SLOWNESS) == 0, f"run: {batch.stderr.decode()[-600:]}")
    check_windows(ctx, lines)
    server.signal(signal.SIGTERM)
    ctx.expect(server.popen.wait(20 * SLOWNESS) == 0, "the server")


def warm(ctx):
    """Windows that exist before, and those opened later; by real mouse clicks."""
    with warm_sessions(ctx) as sessions:
        sessions.start("w", "/case/links.html?before", "--temp-profile")
        sessions.fine("click", "#blank", session="w")
        sessions.fine("wait", "--expression", "opened.saysSo", session="w")
        process = ctx.start(["console", "--json", "--session", "w"])
        lines = []
        end = time.monotonic() + 30 * SLOWNESS
        while not has("poke")(lines) and time.monotonic() < end:  # it follows when the first call is printed
            sessions.fine("evaluate", "console.log('poke'), 1", session="w")
            with contextlib.suppress(Exception):
                lines_until(process, has("poke"), lines, 1)
        sessions.fine("click", "#ctrl", "--modifiers", "Control", session="w")
        lines_until(process, has("hop ?ctrl", "loaded ctrl", "worker of ctrl"), lines)
        tab = next(tab_id(line) for line in lines if line.get("text") == "hop ?ctrl")
        ctx.expect(tab != 1 and texts(lines, tab)[0] == "hop ?ctrl", f"{texts(lines, tab)}")
        sessions.fine("evaluate", "opened.postMessage('now', '*'), 1", session="w")
        lines_until(process, has("told now"), lines)
        before = next(tab_id(line) for line in lines if "told now" in line.get("text", ""))
        ctx.expect(texts(lines, before) == ["told now {a: [1]}"], f"what was said before is not told: {texts(lines, before)}")
        sessions.fine("evaluate", "opened.close(), 1", session="w")
        lines_until(process, is_closed(before), lines)
        sessions.call("session", "stop", "w")
        ctx.expect(process.popen.wait(20 * SLOWNESS) == 0, "it ends with the session")


def of_a_person(ctx):
    """Tabs of another browser: those opened later, and popups, which stay open; also those of tabs that are not followed."""
    with foreign_browser(ctx, "--disable-popup-blocking") as theirs:
        first = theirs.open(ctx.origin + "/case/links.html?first")
        with console(ctx, "--connect", theirs.http) as process:
            lines = lines_until(process, has("links ?first"))
            site = Site(ctx, {"/go": (404, {}, b"")})
            opener = theirs.open(ctx.origin + "/case/gate.html?" + site.url)
            lines_until(process, has("waiting"), lines)
            site.answers["/go"] = 200, {"Access-Control-Allow-Origin": "*"}, b""
            lines_until(process, every_window(), lines)
            said = [line["text"] for line in lines if "first of script" in line.get("text", "")]
            ctx.expect(len(said) == 1, f"said once: {said}")
            tab = next(tab_id(line) for line in lines if line.get("text") == "the opener")
            theirs.ask_text(f"/json/close/{opener}")
            lines_until(process, is_closed(tab), lines)
            theirs.open(ctx.origin + "/case/links.html?third")
            lines_until(process, has("links ?third"), lines)
            ctx.expect(all(line.get("status") != "gone" for line in lines), "every tab that was announced is followed")
        urls = {url.split("/")[-1] for url in theirs.tabs().values()}
        ctx.expect({"popup.html?script", "popup.html?ctrl"} <= urls, f"their popups stay: {urls}")
        # A script that opens a window is paused until the client that follows another tab has resumed it.
        with console(ctx, "--connect", theirs.http, "--tab", first) as process:
            lines_until(process, has("links ?first"))
            theirs.open(ctx.origin + "/case/opener.html?beside")
            end = time.monotonic() + 20 * SLOWNESS
            while "quick.html" in str(theirs.tabs()) or str(theirs.tabs()).count("popup.html?blank") < 2:
                if not ctx.expect(time.monotonic() < end, f"a page that is not followed hangs: {theirs.tabs()}"):
                    break
                time.sleep(0.05)
