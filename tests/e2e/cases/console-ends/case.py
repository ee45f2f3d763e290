"""console --session: the end of a session, its daemon or its browser is reported at once, and a restarted browser is
followed."""
import contextlib
import os
import signal
import time

from consoled import check_end
from processes import SLOWNESS
from warm import warm_sessions

BROWSER = "any"


def run(ctx):
    ends(ctx)


def lines_until(process, holds, seconds=30):
    lines = []
    end = time.monotonic() + seconds * SLOWNESS
    while not lines or not holds(lines[-1]):
        lines.append(process.line(max(0.1, end - time.monotonic())))
    return lines


def says(text):
    return lambda line: text in line.get("text", "")


@contextlib.contextmanager
def followed(ctx, sessions, *options):
    """Yields a session, and a console that already follows it."""
    sessions.start("one", "/case/page.html", "--temp-profile", *options)
    process = ctx.start(["console", "--json", "--session", "one"])
    said = False
    end = time.monotonic() + 20 * SLOWNESS
    while not said and time.monotonic() < end:
        sessions.fine("evaluate", "console.log('poke'), 1", session="one")
        with contextlib.suppress(Exception):
            said = bool(lines_until(process, says("poke"), 1))
    ctx.expect(said, "a warm session is not heard")
    yield process


def browser_of(sessions):
    return sessions.call("session", "info", "one", "--json").json["browserPid"]


def ends(ctx):
    """The end of a warm session is reported at once, without an action; so are the end of its browser and its restart."""
    with warm_sessions(ctx) as sessions, followed(ctx, sessions) as process:
        os.kill(browser_of(sessions), signal.SIGKILL)
        lines_until(process, lambda line: line.get("status") == "reconnecting" and "browser" in line["reason"])
        sessions.fine("evaluate", "console.log('there again'), 1", session="one")
        lines = lines_until(process, says("there again"))
        ctx.expect(any(line.get("status") == "connected" for line in lines), f"it is back: {lines}")
        os.kill(sessions.call("session", "list", "--json").json["daemon"]["pid"], signal.SIGKILL)
        check_end(ctx, process, 3, "the daemon of warm sessions has gone")
        sessions.socket.unlink()
    with warm_sessions(ctx) as sessions:
        chrome = ctx.work / "chrome-link"
        chrome.symlink_to(ctx.options.chrome or "/usr/bin/chromium")
        with followed(ctx, sessions, "--chrome", chrome) as process:
            chrome.unlink()
            os.kill(browser_of(sessions), signal.SIGKILL)
            failed = sessions.act("evaluate", "1", session="one")
            ctx.expect(failed.exit == 1, f"no browser: {failed.text}")
            check_end(ctx, process, 3, "the session one has no browser any more")
