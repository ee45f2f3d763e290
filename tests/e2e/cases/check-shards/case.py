"""check: --shard and merge, --tag, --max-failures, an interrupt, output for GitHub."""
import signal
import time

from checks import Checks

BROWSER = "any"
NAMES = ["steady", "colour", "layout", "tall", "row"]


def run(ctx):
    checks = Checks(ctx, NAMES)
    checks.run(exit_code=0)
    checks.show("after")
    for shard in (1, 2, 3):
        checks.run("--shard", f"{shard}/3", "--report", f"part-{shard}", "--retries", "0")
    parts = [set(checks.states(f"part-{shard}")) for shard in (1, 2, 3)]
    ctx.expect(sum(map(len, parts)) == 6 and len(set.union(*parts)) == 6, f"{parts}")
    merged = checks.run("part-1", "part-2", "part-3", "--report", "whole", suite="merge", exit_code=1)
    checks.expect_states({"colour@desktop": "failed", "layout@desktop": "failed", "steady@phone": "passed"}, "whole", "merged: ")
    ctx.expect(checks.results("whole")["complete"], "the whole is not complete")
    ctx.expect("whole/index.html" in merged.stdout.decode(), merged.text)
    checks.run("part-1", "part-3", "--report", "holes", suite="merge", exit_code=1)
    ctx.expect(not checks.results("holes")["complete"], "a missing shard went unnoticed")

    summary = ctx.work / "summary.md"
    ctx.environment.update(GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary))
    told = checks.run("--tag", "smoke", "--retries", "0", "--report", "tagged", exit_code=1)
    ctx.expect(set(checks.states("tagged")) == {"steady@desktop", "steady@phone", "colour@desktop"}, f"{checks.states('tagged')}")
    ctx.expect("::error" in told.stdout.decode() and "colour&#64;desktop" in summary.read_text(), told.text)
    del ctx.environment["GITHUB_ACTIONS"], ctx.environment["GITHUB_STEP_SUMMARY"]

    checks.run("--fail-fast", "--jobs", "1", "--retries", "0", "--report", "fast", exit_code=1)
    states = checks.states("fast")
    ctx.expect(list(states.values()).count("failed") == 1 and "notRun" in states.values(), f"{states}")
    ctx.expect(not checks.results("fast")["complete"], "ended early, and complete")

    # The report has what was done before the interrupt.
    def slow():
        time.sleep(3)
        return checks.site.answers["/steady.html"]

    checks.site.answers["/tall.html"] = slow
    process = ctx.start(["check", "smoke.json", "--jobs", "1", "--report", "broken-off", "--retries", "0", *ctx.browser_args()])
    deadline = time.monotonic() + 40
    while not any(path == "/tall.html" for _, path, _ in checks.site.requests[-1:]) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.signal(signal.SIGINT)
    ended = process.wait(30, complete=False)
    ctx.expect(ended.exit == 130, f"exit {ended.exit}: {ended.text}")
    states = checks.states("broken-off")
    ctx.expect(states["steady@desktop"] == "passed" and states["tall@desktop"] == "notRun", f"{states}")
