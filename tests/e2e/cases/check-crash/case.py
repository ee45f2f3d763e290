"""check: the browser is killed during a suite; only the running checks are run again, and all pass."""
from checks import Checks
from faults import kill

BROWSER = "any"
NAMES = ["colour", "layout", "crash", "row"]


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

    # A page that always crashes its process is an error, and the others pass; here it is the first page of the run, before
    # the browser's version is known. A page in the middle crashes once.
    by_name = {check["name"]: check for check in checks.suite["checks"]}
    checks.suite["checks"] = [by_name["crash"], by_name["colour"], {**by_name["crash"], "name": "once"}, by_name["row"]]
    checks.save()
    asked.clear()

    def crash_page():
        asked.append(True)
        if len(asked) <= 4:  # three attempts of the first page, one of the other
            kill(ctx, "renderer")
        return 200, {}, b""

    checks.site.answers["/crash.js"] = crash_page
    checks.run("--jobs", "1", "--retries", "0", exit_code=1)
    checks.expect_states({"crash@desktop": "error", "colour@desktop": "passed", "once@desktop": "new", "row@desktop": "passed"})
    found = checks.by_id()
    ctx.expect(found["crash@desktop"]["errorCode"] == "PAGE_CRASHED", f"{found['crash@desktop']}")
    ctx.expect(found["once@desktop"]["attempts"] == 2, f"{found['once@desktop']}")
