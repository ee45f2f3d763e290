"""A long action delays only later actions of its session; it can be cancelled, and waiting for it is limited."""
import signal
import time

from warm import warm_sessions

BROWSER = "any"
LONG = ("wait", "--ms", "60000", "--timeout", "70000")


def run(ctx):
    with warm_sessions(ctx) as warm:
        warm.start("slow", "/shop/", "--temp-profile")
        warm.start("other", "/", "--temp-profile")
        waiting = warm.begin("act", "--session", "slow", *LONG)
        warm.await_state("slow", "running")

        ctx.expect(warm.fine("evaluate", "1", session="other") == "1\n", "another session answers")
        logs = warm.act("logs", session="slow", seconds=10)
        ctx.expect(logs.exit == 0 and "no stock figure" in logs.out, f"logs of the busy session: {logs.text}")
        requests = warm.act("network", "--failed", session="slow", seconds=10)
        ctx.expect("summer-sale.jpg" in requests.out, f"requests of the busy session: {requests.text}")
        ctx.match(warm.list()["slow"], {"state": "running", "action": "wait"}, "list says what runs")
        info = warm.call("session", "info", "slow", seconds=10)
        ctx.expect("running wait" in info.out, f"info of the busy session: {info.text}")

        # A request that cannot begin in time is answered with the reason.
        lines = warm.request(version=warm.version(), op="act", session="slow", beginMs=500,
                             instructions='{"type":"evaluate","expression":"1"}')
        ctx.match(lines[0], {"kind": "error", "errorCode": "TIMEOUT", "error": {"$regex": "busy with wait"}}, "late")

        # Ctrl-C of a waiting client does not affect the running one.
        behind = warm.begin("act", "--session", "slow", "evaluate", "2")
        time.sleep(0.3)
        behind.send_signal(signal.SIGINT)
        time.sleep(0.3)
        ctx.match(warm.list()["slow"], {"state": "running", "action": "wait"}, "the other's action goes on")
        waiting.send_signal(signal.SIGINT)
        cancelled = warm.end(waiting, 20)
        ctx.expect(cancelled.exit == 130 and "CANCELLED" in cancelled.text, f"{cancelled.exit}: {cancelled.text}")
        ctx.expect(warm.end(behind, 20).exit == 130, "the one that waited")
        ctx.expect(warm.fine("evaluate", "3", session="slow") == "3\n", "the next action is right")

        # A client that is killed ends its action.
        killed = warm.begin("act", "--session", "slow", *LONG)
        warm.await_state("slow", "running")
        killed.kill()
        warm.end(killed)
        warm.await_state("slow", "idle", 10)

        # A hanging page gives an answer in time, and is replaced by a new one.
        wedged = warm.act("evaluate", "for (;;) {}", "--timeout", "1500", session="slow", seconds=30)
        ctx.expect(wedged.exit == 1 and "TIMEOUT" in wedged.text, f"{wedged.exit}: {wedged.text}")
        ctx.expect(warm.fine("evaluate", "4", session="slow") == "4\n", "the page is back")

        # A session is stopped during an action.
        waiting = warm.begin("act", "--session", "slow", *LONG)
        warm.await_state("slow", "running")
        ctx.expect(warm.call("session", "stop", "slow", seconds=20).exit == 0, "stop while it runs")
        ended = warm.end(waiting, 10)
        ctx.expect(ended.exit == 1 and "CANCELLED" in ended.text, f"its client: {ended.exit}: {ended.text}")
