"""check: the browser is killed in mid-suite; only the checks in flight are run again, and all pass."""
from checks import Checks
from faults import kill

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
    ctx.expect(len(asked) == 2, f"the page was loaded {len(asked)} times")
