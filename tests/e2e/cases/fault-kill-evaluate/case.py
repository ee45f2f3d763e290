"""The browser is killed before, during and after a script, and during a wait."""
import signal

from faults import (NOT_REPEATED, RECOVERED, REPEATED, UNTOUCHED, Talk, arrived, board, chrome, kill,
                    send, wait_for)

BROWSER = "any"


# Becomes true a while after its first evaluation on the page.
SLOWLY = "window.since ??= performance.now(), tell('asked'), performance.now() - since > 1500"
AWAITED = "fetch('/count?name=awaited&ms=3000').then((answer) => answer.json())"


def run(ctx):
    url = board(ctx, 100)
    talk = Talk(ctx)
    talk.start(url)
    kill(ctx)
    talk.do({**RECOVERED, "result": "once"}, "evaluate", "killed before", expression="tell('once')")
    ctx.expect(arrived(ctx, "once") == 1, f"the script ran {arrived(ctx, 'once')} times")

    talk.send("evaluate", expression="tell('running', 10000)")
    wait_for(ctx, "running")
    kill(ctx)
    talk.answer({**NOT_REPEATED, "url": url}, "killed while it runs")
    ctx.expect(arrived(ctx, "running") == 1, f"the script ran {arrived(ctx, 'running')} times")

    talk.send("evaluate", expression=AWAITED)
    wait_for(ctx, "awaited")
    kill(ctx)
    talk.answer({**NOT_REPEATED, "url": url}, "killed while it is awaited")
    ctx.expect(arrived(ctx, "awaited") == 1, f"the script ran {arrived(ctx, 'awaited')} times")

    talk.send("evaluate", expression=AWAITED,
              retryOptions={"retryOnErrors": ["TargetClosedError"]})
    wait_for(ctx, "awaited", 2)
    kill(ctx)
    talk.answer({**REPEATED, "result": {"count": 3}}, "killed while it is awaited, repeated")

    # A wait has no side effects: it is repeated.
    talk.send("wait", expression=SLOWLY)
    wait_for(ctx, "asked")
    kill(ctx)
    talk.answer({"success": True, "recovered": True}, "killed during a wait")

    talk.do({**UNTOUCHED, "result": "last"}, "evaluate", expression="tell('last')")
    kill(ctx)
    talk.do({**RECOVERED, "result": url}, "evaluate", "killed after", expression="location.href")
    ctx.expect(arrived(ctx, "last") == 1, f"the script ran {arrived(ctx, 'last')} times")

    # Killed a moment ago: the process has not ended yet, and its pipe is open.
    for i in range(2):
        send(chrome(ctx), signal.SIGKILL)
        talk.do({**RECOVERED, "result": i}, "evaluate", "killed just now", expression=f"tell('just{i}'), {i}")
        ctx.expect(arrived(ctx, f"just{i}") == 1, f"script {i} ran {arrived(ctx, f'just{i}')} times")
    talk.end()
