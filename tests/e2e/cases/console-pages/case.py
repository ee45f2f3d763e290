"""console with driven pages: their calls are printed as made; frames, reloads, crashes, warm sessions, tabs of other
clients."""
import contextlib
import time

import faults
from answers import Site
from consoled import check_end, console
from foreign import foreign_browser
from processes import SLOWNESS
from warm import warm_sessions

BROWSER = "any"


def run(ctx):
    calls(ctx)
    worlds(ctx)
    reloads_and_crashes(ctx)
    titles(ctx)
    warm(ctx)
    connected(ctx)
    usage(ctx)


def lines_until(process, holds, seconds=30):
    """Returns all lines of calls and connections up to one for which `holds` is true."""
    lines = []
    end = time.monotonic() + seconds * SLOWNESS
    while not lines or not holds(lines[-1]):
        lines.append(process.line(max(0.1, end - time.monotonic())))
    return lines


def says(text):
    return lambda line: text in line.get("text", "") or text in line.get("reason", "")


def told(lines, text):
    """Returns the line of the call with this text."""
    return next((line for line in lines if text in line.get("text", "")), {"text": f"nothing with {text}"})


def calls(ctx):
    page = ctx.origin + "/case/calls.html"
    with console(ctx, page, "--temp-profile", *ctx.browser_args()) as process:
        lines = lines_until(process, says("nobody caught it"))
        while not any("in a frame" in line.get("text", "") for line in lines):
            lines += [process.line(20)]
    ctx.match(lines[0], {"kind": "console_connection", "status": "connected", "reason": page}, "the page is named")
    ctx.match(told(lines, "beginning"),
              {"method": "log", "level": "log", "source": {"tabId": 1, "url": page}, "groups": 0,
               "location": {"url": page, "line": 4, "column": 9},
               "text": "beginning {a: {b: (2) [1, 'x']}} Map(1) {1 => Set(1) {2}}"}, "values")
    ctx.match(told(lines, "within"), {"method": "info", "groups": 1}, "in a group")
    ctx.match(told(lines, "▼ G"), {"method": "group", "groups": 0}, "a group")
    ctx.match(told(lines, "(index)"), {"method": "table", "text": {"$regex": r"│ 0 +│ 1 +│ 2 +│"}}, "a table")
    counts = [line["text"] for line in lines if line.get("method") == "count"]
    ctx.expect(counts == ["clicks: 1", "clicks: 2"], f"counts: {counts}")
    ctx.match(told(lines, "load: "), {"method": "timeEnd", "text": {"$regex": r"^load: [\d.]+ ms$"}}, "a timer")
    ctx.match(told(lines, "not so"), {"method": "assert", "level": "error", "text": {"$regex": "^Assertion failed: not so"},
                                      "args": [{"type": "boolean", "value": False}, {"type": "string", "value": "not so"}]},
              "an assertion")
    ctx.match(told(lines, "Trace: here"), {"method": "trace", "text": {"$regex": r"calls\.html:14:9"}}, "a trace")
    ctx.match(told(lines, "self"), {"text": "{n: 1, self: [Circular]} (2) [{s: 1}, {s: 1}]"}, "circles and repetitions")
    ctx.match(told(lines, "inner"), {"args": [{"type": "object", "value": {"error": {"type": "error", "value": "TypeError: inner"}}},
                                              {"type": "object", "value": {"g": {"type": "accessor", "value": "(...)"}}}]},
              "an error within, and a getter that is not called")
    evil = told(lines, "evil")["text"]
    ctx.expect(not set(evil) & {"\x1b", "\u202e"}, f"not harmless: {evil!r}")
    ctx.match(told(lines, "in a frame"), {"method": "warn", "level": "warn"}, "a frame")
    ctx.match(told(lines, "nobody caught it"), {"method": "error", "text": {"$regex": "RangeError"}}, "an exception")


def worlds(ctx):
    """Two isolated worlds log in turn: the members of each object are read in its own world."""
    with console(ctx, ctx.origin + "/case/worlds.html", "--temp-profile", *ctx.browser_args()) as process:
        texts = [line.get("text") for line in lines_until(process, says("all turns"))]
    for who in ("page", "frame"):
        wanted = [f"{who} {{turn: [{turn}]}}" for turn in range(40)]
        said = [text for text in texts if text and text.startswith(who)]
        ctx.expect(said == wanted, f"{who}: {said}")


FIRST = b"""<!DOCTYPE html><title>First</title><script>
setInterval(async () => {
    console.log('at first');
    (await fetch('/go')).ok && location.assign('/second');
}, 100);
</script>"""
SECOND = b"<!DOCTYPE html><title>Second</title><script>setInterval(() => console.log('at second'), 100)</script>"


def titles(ctx):
    """A page that navigates by itself: its lines get the title of the new document."""
    html = {"Content-Type": "text/html"}
    site = Site(ctx, {"/first": (200, html, FIRST), "/second": (200, html, SECOND)})
    first, second = site.url + "/first", site.url + "/second"
    with console(ctx, first, "--temp-profile", *ctx.browser_args()) as process:
        lines_until(process, lambda line: line.get("source") == {"tabId": 1, "url": first, "title": "First"})
        site.answers["/go"] = 200, {}, b""
        lines_until(process, lambda line: line.get("source") == {"tabId": 1, "url": second, "title": "Second"})


def reloads_and_crashes(ctx):
    pages = [ctx.origin + "/case/again.html", ctx.origin + "/case/again.html?two"]
    with console(ctx, *pages, "--temp-profile", *ctx.browser_args()) as process:
        lines = []
        while sum(line.get("text") == "ready" for line in lines) < 2:
            lines.append(process.line(30))
        for number in (1, 2):
            texts = [line["text"] for line in lines if line.get("source", {}).get("tabId") == number]
            ctx.expect(texts == ["load 1", "load 2", "load 3", "ready"], f"page {number}: {texts}")
        faults.kill(ctx, "renderer")
        lost, back = set(), set()
        while len(back) < 2:
            line = process.line(20)
            if line.get("status") == "reconnecting":
                ctx.expect(line["reason"] == "the page crashed", f"the reason: {line}")
                lost.add(line["connection"])
            elif line["kind"] == "console" and line["text"].startswith("load ") and line["connection"] in lost:
                back.add(line["connection"])


def warm(ctx):
    with warm_sessions(ctx) as sessions:
        sessions.start("one", "/case/again.html?three", "--temp-profile")
        process = ctx.start(["console", "--json", "--session", "one"])
        said = False
        end = time.monotonic() + 20
        while not said and time.monotonic() < end:  # it exists when the first call is received
            sessions.fine("evaluate", "console.error(new Error('warm'), {deep: {er: {still: [1]}}}), 1", session="one")
            with contextlib.suppress(Exception):
                said = bool(lines_until(process, says("warm"), 2))
        ctx.expect(said, "a warm session is not heard")
        sessions.fine("evaluate", "console.log({deep: {er: {still: [1]}}}), 1", session="one")
        line = lines_until(process, says("{deep"))[-1]
        ctx.match(line, {"text": {"$regex": r"\{deep: \{er: \{still: \[1\]\}\}\}$"},
                         "source": {"tabId": 1, "url": {"$regex": "again.html"}}}, "values of a warm session")
        sessions.call("session", "stop", "one")
        check_end(ctx, process, 0, "the session one was stopped")
        missing = ctx.run(["console", "--session", "none"])
        ctx.expect(missing.exit == 2, f"a session that is not there: {missing.exit} {missing.stderr}")


def connected(ctx):
    with foreign_browser(ctx) as theirs:
        mine = theirs.open(ctx.origin + "/case/again.html?four")
        tabs = len(theirs.tabs())
        with console(ctx, "--connect", theirs.http) as process:
            # The page logs at each load; earlier calls are printed as well.
            lines_until(process, says("load "))
        ctx.expect(mine in theirs.tabs() and len(theirs.tabs()) == tabs, "their tabs stay as they were")
        ctx.expect(theirs.process.poll() is None, "their browser goes on")


def usage(ctx):
    for args in (["http://x/", "--session", "s"], ["http://x/", "--port", "0"], ["--connect", "nowhere"]):
        run = ctx.run(["console", *args])
        ctx.expect(run.exit in (2, 3), f"console {args}: {run.exit} {run.stderr}")
    gone = ctx.run(["console", ctx.closed_origin, "--temp-profile", *ctx.browser_args()])
    ctx.expect(gone.exit == 1 and "refused" in gone.stderr.lower(), f"nobody there: {gone.exit} {gone.stderr}")
