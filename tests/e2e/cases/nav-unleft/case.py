"""Pages whose scripts never end can be left, and a late answer is awaited."""
from faults import Talk, wait_for
from processes import SLOWNESS

BROWSER = "any"
FINE = "http://127.0.0.1:8765/e2e/board.html"
# Half of it is for leaving the old page, the rest for the new one.
LEAVE_MS = round(5000 * SLOWNESS)


def run(ctx):
    talk = Talk(ctx, screenshots="explicit")
    fine, endless = ctx.adapt(FINE), ctx.adapt("http://127.0.0.1:8765/case/endless.html?")
    talk.start(fine)
    talk.do({"result": 1}, "evaluate", expression="document.cookie = 'kept=1;path=/'; sessionStorage.kept = localStorage.kept = 1")
    # The page answers while the server does not.
    talk.do({"success": True, "recovered": False, "attempts": 1}, "navigate", "to a slow server",
            url=ctx.adapt("http://127.0.0.1:8765/slow?ms=3000&headers=1"), timeout=round(5000 * SLOWNESS))
    ways = (("beforeunload", "navigate", {"url": fine}, fine), ("pagehide", "reload", {}, endless + "pagehide"),
            ("busy", "back", {}, fine))
    for event, leave, parameters, url in ways:
        talk.do({"success": True}, "navigate", url=fine)
        talk.do({"success": True}, "navigate", url=endless + event)
        if event == "busy":
            wait_for(ctx, event)
        left = talk.do({"success": True, "recovered": True, "url": url, "httpStatus": 200}, leave, f"{leave} from {event}",
                       **parameters, timeout=LEAVE_MS)
        logs = [log["message"] for log in left["logs"]]
        ctx.expect(any("could not be left" in text for text in logs), f"{event}: no log says so: {logs}")
        ctx.expect(not any("opened tab" in text for text in logs), f"{event}: a tab is made up: {logs}")
        talk.do({"result": [url, "kept=1", "1", "1"]}, "evaluate", f"after {event}",
                expression="[location.href, document.cookie, localStorage.kept, sessionStorage.kept]")
    # Closing a page does not run its beforeunload.
    talk.do("ok", "tab", op="new", url=endless + "beforeunload")
    talk.do("ok", "tab", op="close")
    talk.do("ok", "navigate", url=endless + "beforeunload")
    again = talk.do({"url": fine}, "start", "a second start", url=fine)
    logs = [log["message"] for log in again["logs"]]
    ctx.expect(not any("opened tab" in text for text in logs), f"a second start: a tab is made up: {logs}")
    talk.do("ok", "navigate", url=endless + "unload")
    talk.end()
