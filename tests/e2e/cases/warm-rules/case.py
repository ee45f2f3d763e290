"""Sessions with the same rules about URLs share a browser, also while all of them open tabs; others are refused."""
from warm import warm_sessions

BROWSER = "any"

COUNT = 4


def run(ctx):
    rules = ("--project", "ruled", "--allow", ctx.origin, *ctx.browser_args())
    with warm_sessions(ctx) as warm:
        warm.start("s0", "/", *rules)
        # At once, while the rules hold new tabs: each opens a tab while others do.
        starts = [warm.begin("session", "start", f"s{i}", ctx.origin + "/", *rules) for i in range(1, COUNT)]
        for i, start in enumerate(starts, 1):
            answer = warm.end(start, 60)
            ctx.expect(answer.exit == 0, f"start s{i}: exit {answer.exit}, {answer.seconds} s: {answer.text}")
        sessions = warm.list()
        ctx.expect(len({session["browserPid"] for session in sessions.values()}) == 1, f"one browser: {sessions}")

        # Each opens another one, and popups, while the others do.
        popup = f"open('{ctx.origin}/shop/'); 1"
        for words in (("tab", "new", ctx.origin + "/shop/"), ("evaluate", popup)):
            acts = [warm.begin("act", "--session", f"s{i}", *words) for i in range(COUNT)]
            for i, act in enumerate(acts):
                answer = warm.end(act, 60)
                ctx.expect(answer.exit == 0, f"{words} of s{i}: {answer.seconds} s: {answer.text}")
        for i in range(COUNT):
            answer = warm.act("tab", session=f"s{i}")
            ctx.expect(answer.exit == 0 and answer.out.count("/shop/") >= 2, f"tabs of s{i}: {answer.text}")

        denied = warm.act("open", ctx.closed_origin + "/", session="s1")
        ctx.expect(denied.exit == 1 and "POLICY_DENIED" in denied.err, f"the rule of s1: {denied.text}")
        warm.call("session", "stop", "s0")
        denied = warm.act("open", ctx.closed_origin + "/", session="s2")
        ctx.expect(denied.exit == 1 and "POLICY_DENIED" in denied.err, f"the rule outlives s0: {denied.text}")

        for name, other in (("none", ()), ("more", ("--allow", ctx.origin, "--deny", "private"))):
            refused = warm.call("session", "start", name, ctx.origin + "/", "--project", "ruled", *other,
                                *ctx.browser_args())
            ctx.expect(refused.exit == 2 and "the same rules about URLs" in refused.err,
                       f"{name} rules: {refused.exit}: {refused.text}")
