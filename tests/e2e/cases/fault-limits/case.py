"""After a number of failures, consecutive or total, the browser is closed; later actions are answered but not run, until a
`start`, which counts anew."""
from faults import Talk, arrived, board, chrome, until

BROWSER = "any"
OVER = {"success": False, "errorCode": "LIMIT_EXCEEDED"}


def run(ctx):
    talk = Talk(ctx)

    def session(pattern, what, exceeded, **limits):
        """f: an action that fails, s: one that succeeds."""
        talk.do({"success": True, "metrics": {"totalErrors": 0, "consecutiveErrors": 0}}, "start", what, url=board(ctx), **limits)
        row = total = 0
        for step in pattern:
            if step == "f":
                row, total = row + 1, total + 1
                talk.do({"success": False, "errorCode": "EVAL_ERROR",
                         "metrics": {"totalErrors": total, "consecutiveErrors": row}},
                        "evaluate", what, expression="nothing.at.all")
            else:
                row = 0
                talk.do({"success": True, "metrics": {"totalErrors": total, "consecutiveErrors": 0}},
                        "evaluate", what, expression="1")
        if exceeded:
            # At once, although the stream is still open.
            until(lambda: not chrome(ctx), f"{what}: the browser ends")
            name = what.replace(" ", "-")
            talk.do(OVER, "evaluate", what, expression=f"tell('{name}')")
            ctx.expect(arrived(ctx, name) == 0, f"{what}: an action was run after the limit")
            ctx.expect(not chrome(ctx), f"{what}: a browser was started after the limit")
            talk.do("ok", "stop", what)
        else:
            talk.do("ok", "evaluate", what, expression="1")

    session("ffsffs", "a success between", False)
    session("ffsffsffsffsff", "ten in all", True)
    session("fff", "three in a row", True)
    session("f" * 12, "no limits", False, maxConsecutiveErrors=0, totalErrorThreshold=0)
    session("f", "one", True, maxConsecutiveErrors=1)
    session("fsf", "two in all", True, maxConsecutiveErrors=3, totalErrorThreshold=2)
    session("f", "anew", False, maxConsecutiveErrors=3, totalErrorThreshold=2)
    done = talk.end()
    ctx.expect(done.exit == 1, f"exit {done.exit}")
    ctx.match(done.summary, {"aborted": False, "totalErrors": {"$ge": 1}, "consecutiveErrors": 0,
                             "lastAction": {"$absent": False}}, "summary")

    # In a batch file, with the usual limits.
    steps = [("start", {"url": board(ctx)}), *[("evaluate", {"expression": "nope"})] * 3,
             *[("evaluate", {"expression": "tell('late')"})] * 2]
    result = ctx.run_batch(steps, "--screenshots", "none")
    ctx.expect(result.exit == 1, f"a file: exit {result.exit}")
    codes = [response.get("errorCode") for response in result.responses]
    ctx.expect(codes == [None] + ["EVAL_ERROR"] * 3 + ["LIMIT_EXCEEDED"] * 2, f"a file: {codes}")
    ctx.match(result.summary, {"aborted": True, "actions": 6, "failed": 5}, "a file: summary")
    ctx.expect(arrived(ctx, "late") == 0, "a file: an action was run after the limit")
