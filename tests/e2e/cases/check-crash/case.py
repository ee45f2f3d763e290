"""check: the browser is killed during a suite; only the running checks are run again, and all pass."""
from checks import Checks
from faults import kill

BROWSER = "any"
NAMES = ["steady", "colour", "crash", "tall", "antialias"]


def run(ctx):
    checks = Checks(ctx, NAMES)
    checks.run(exit_code=0)
    asked = []

    def crash():
        asked.append(True)
        if len(asked) == 1:
            kill(ctx)
        return 200, {}, b""

    checks.site.answers["/crash.js"] = crash
    checks.run("--jobs", "2", "--retries", "0", exit_code=0)
    found = checks.by_id()
    ctx.expect(all(check["status"] == "passed" for check in found.values()), f"{checks.states()}")
    again = [name for name, check in found.items() if check["attempts"] > 1]
    ctx.expect("crash@desktop" in again and len(again) <= 2, f"run again: {again}")
    ctx.expect(len(asked) in (2, 3), f"the page was loaded {len(asked)} times")

    # A page that always crashes its process is an error, and the others pass.
    checks.site.answers["/crash.js"] = lambda: (kill(ctx, "renderer"), (200, {}, b""))[1]
    checks.run("--jobs", "1", "--retries", "0", exit_code=1)
    states = checks.states()
    ctx.expect(states.pop("crash@desktop") == "error" and set(states.values()) == {"passed"}, f"{checks.by_id()['crash@desktop']}, {states}")
    ctx.expect(checks.by_id()["crash@desktop"]["errorCode"] == "PAGE_CRASHED", f"{checks.by_id()['crash@desktop']}")

    # Also if it is the first page of the run, before the browser's version is known.
    checks.suite["checks"] = [check for check in checks.suite["checks"] if check["name"] == "crash"]
    checks.save()
    checks.run("--jobs", "1", "--retries", "0", exit_code=1)
    found = checks.by_id()["crash@desktop"]
    ctx.expect(found["status"] == "error" and "errorCode" in found, f"{found}")
