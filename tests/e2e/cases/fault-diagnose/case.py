"""The browser is killed during a step of diagnose: the step is repeated or not, as outside of diagnose."""
import signal

from faults import CRASHES, NO_LIMITS, TOLD, Talk, arrived, board, kill, wait_for

BROWSER = "any"


# Becomes true a while after its first evaluation on the page.
SLOWLY = "window.since ??= performance.now(), tell('asked'), performance.now() - since > 1500"


def step(kind, **parameters):
    return {"action": {"type": kind, **parameters}}


def run(ctx):
    url = board(ctx, 100)
    talk = Talk(ctx, timeout=15000)
    talk.start(url)

    # A wait has no side effects: it is repeated, and the steps continue.
    talk.send("diagnose", steps=[step("wait", expression=SLOWLY),
                                 {**step("evaluate", expression="tell('behind')"), "customCondition": "document.body"}])
    wait_for(ctx, "asked")
    kill(ctx)
    talk.answer({"success": True, "recovered": True, "logs": TOLD, "url": url, "result": {
        "passed": 2, "steps": [{"type": "wait", "success": True, "attempts": 2}, {"success": True, "attempts": 1}]}},
        "killed during a wait")
    ctx.expect(arrived(ctx, "behind") == 1, f"the step behind it ran {arrived(ctx, 'behind')} times")

    # A script is not repeated; the following step has the page again.
    talk.send("diagnose", automated=True, steps=[step("evaluate", expression="tell('running', 1500)"),
                                                 step("evaluate", expression="location.href")])
    wait_for(ctx, "running")
    kill(ctx)
    talk.answer({"success": False, "errorCode": CRASHES, "recovered": True, "url": url, "result": {
        "passed": 1, "failed": 1, "steps": [
            {"success": False, "attempts": 1, "errors": [{"condition": "action", "errorCode": CRASHES}]},
            {"success": True, "result": url}]}}, "killed during a script")
    ctx.expect(arrived(ctx, "running") == 1, f"the script ran {arrived(ctx, 'running')} times")
    talk.end()
    check_interrupt(ctx, url)


def check_interrupt(ctx, url):
    batch = ctx.batch([("start", {"url": url, **NO_LIMITS}),
                       ("diagnose", {"automated": True, "steps": [
                           step("evaluate", expression="tell('waiting')"), step("wait", ms=60000, timeout=90000),
                           step("evaluate", expression="tell('too late')")]})])
    process = ctx.start(["run", batch, "--temp-profile", "--screenshots", "none", *ctx.browser_args()])
    ctx.match(process.line(30), {"id": 1, "success": True}, "start")
    wait_for(ctx, "waiting")
    process.signal(signal.SIGINT)
    done = process.wait(20)
    ctx.expect(done.exit == 130, f"SIGINT: exit {done.exit}")
    ctx.expect(arrived(ctx, "too late") == 0, "a step was run behind the interrupt")
