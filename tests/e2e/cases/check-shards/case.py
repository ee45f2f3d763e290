"""check: --shard and merge, --tag, --max-failures, an interrupt, output for GitHub."""
import signal
import time

from checks import Checks

BROWSER = "any"
NAMES = ["colour", "steady", "layout", "antialias", "row"]


def run(ctx):
    checks = Checks(ctx, NAMES, viewports={"desktop": {"width": 400, "height": 300}, "phone": {"width": 200, "height": 300}})
    checks.suite["checks"].sort(key=lambda check: NAMES.index(check["name"]))
    checks.save()
    checks.run(exit_code=0)
    checks.show("after")
    for shard in (1, 2):
        checks.run("--shard", f"{shard}/2", "--report", f"part-{shard}", "--retries", "0")
    parts = [set(checks.states(f"part-{shard}")) for shard in (1, 2)]
    ctx.expect(sum(map(len, parts)) == 6 and len(set.union(*parts)) == 6, f"{parts}")
    merged = checks.run("part-1", "part-2", "--report", "whole", suite="merge", exit_code=1)
    checks.expect_states({"colour@desktop": "failed", "layout@desktop": "failed", "steady@phone": "passed"}, "whole", "merged: ")
    ctx.expect(checks.results("whole")["complete"], "the whole is not complete")
    ctx.expect("whole/index.html" in merged.stdout.decode(), merged.text)
    for part in ("part-1", "part-2"):
        checks.run(part, "--report", "holes", suite="merge", exit_code=1)
        ctx.expect(not checks.results("holes")["complete"], f"only {part}: a missing shard went unnoticed")

    summary = ctx.work / "summary.md"
    ctx.environment.update(GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary))
    told = checks.run("--tag", "smoke", "--fail-fast", "--jobs", "1", "--retries", "0", "--report", "fast", exit_code=1)
    ctx.expect(checks.states("fast") == {"colour@desktop": "failed", "steady@desktop": "notRun", "steady@phone": "notRun"},
               f"{checks.states('fast')}")
    ctx.expect(not checks.results("fast")["complete"], "ended early, and complete")
    ctx.expect("::error" in told.stdout.decode() and "colour&#64;desktop" in summary.read_text(), told.text)
    del ctx.environment["GITHUB_ACTIONS"], ctx.environment["GITHUB_STEP_SUMMARY"]

    # The report has what was done before the interrupt.
    def slow():
        time.sleep(3)
        return checks.site.answers["/colour.html"]

    checks.site.answers["/antialias.html"] = slow
    process = ctx.start(["check", "smoke.json", "--jobs", "1", "--report", "broken-off", "--retries", "0", "--filter=layout", "--filter=antialias",
                         "--filter=row", *ctx.browser_args()])
    deadline = time.monotonic() + 40
    while not any(path == "/antialias.html" for _, path, _ in checks.site.requests[-1:]) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.signal(signal.SIGINT)
    ended = process.wait(30, complete=False)
    ctx.expect(ended.exit == 130, f"exit {ended.exit}: {ended.text}")
    states = checks.states("broken-off")
    ctx.expect([states[f"{name}@desktop"] for name in ("layout", "antialias", "row")] == ["failed", "notRun", "notRun"], f"{states}")
