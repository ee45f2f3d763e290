"""Sessions of one profile share its browser and logins, isolated ones do not; a tab that a person has open is adopted."""
import processes
from foreign import foreign_browser
from warm import warm_sessions

BROWSER = "any"


def run(ctx):
    with warm_sessions(ctx) as warm:
        warm.start("one", "/", "--project", "shared")
        warm.start("two", "/", "--project", "shared")
        warm.start("apart", "/", "--project", "shared", "--isolated")
        sessions = warm.list()
        ctx.expect(len({session["browserPid"] for session in sessions.values()}) == 1, f"one browser: {sessions}")
        warm.fine("evaluate", "document.cookie = 'login=yes; path=/'", session="one")
        ctx.expect("login=yes" in warm.fine("evaluate", "document.cookie", session="two"), "the login is shared")
        ctx.expect("login" not in warm.fine("evaluate", "document.cookie", session="apart"), "it is not, isolated")
        warm.fine("open", ctx.origin + "/shop/", session="one")
        ctx.expect(warm.fine("evaluate", "location.pathname", session="two") == "/\n", "each has a tab of its own")

        other = warm.act("evaluate", "1", "--project", "elsewhere", session="one")
        ctx.expect(other.exit == 2 and "another browser" in other.err, f"another profile: {other.text}")

        ctx.expect(warm.call("session", "stop", "one").exit == 0, "stop")
        ctx.expect(warm.fine("evaluate", "1 + 1", session="two") == "2\n", "the browser goes on for the others")
        warm.call("session", "stop", "two")
        warm.call("session", "stop", "apart")
        warm.start("again", "/", "--project", "shared")
        ctx.expect(warm.fine("evaluate", "1 + 2", session="again") == "3\n", "the profile is free again")

        with foreign_browser(ctx) as theirs:
            mine = theirs.open(ctx.origin + "/shop/")
            # The list may have a URL before its document is loaded.
            processes.wait_until_gone(lambda: [] if "Tideline" in titles(theirs)[mine] else [mine], 10)
            tabs = len(theirs.tabs())
            opened = warm.act("evaluate", "location.pathname", "--connect", theirs.http, "--tab", "*/shop/*",
                              session="adopted")
            ctx.expect(opened.exit == 0 and opened.out == "/shop/\n", f"--connect --tab: {opened.text}")
            ctx.expect(warm.call("session", "stop", "adopted").exit == 0, "stop of the adopted one")
            ctx.expect(mine in theirs.tabs() and len(theirs.tabs()) == tabs, "their tabs stay as they were")
            ctx.expect(theirs.process.poll() is None, "their browser goes on")


def titles(theirs):
    return {tab["id"]: tab["title"] for tab in theirs.ask("/json/list")}
