"""check: unwritable outputs are reported before the first page is opened, with a remedy."""
import json

from answers import Site, page

BROWSER = "any"


def run(ctx):
    site = Site(ctx, {"/": page("here")})
    ctx.file("smoke.json", json.dumps({"baseUrl": site.url + "/", "checks": [{"name": "home", "url": "/"}]}))
    ctx.file("file", "no folder")
    (ctx.work / "taken/results.json").mkdir(parents=True)
    (ctx.work / "taken-images").mkdir()
    (ctx.work / "folder").mkdir()
    ctx.file("taken-images/images", "no folder")

    def refused(args, *words, environment=None):
        ctx.environment.update(environment or {})
        done = ctx.run(["check", "smoke.json", *args, *ctx.browser_args()], seconds=60, complete=False)
        for name in environment or {}:
            del ctx.environment[name]
        ctx.expect(done.exit == 2, f"{args}: exit {done.exit}: {done.text}")
        ctx.expect(all(word in done.stderr for word in words), f"{args}: {done.stderr}")
        ctx.expect(not site.requests, f"{args}: a page was opened before")

    refused(["--report", "file"], "file", "--report DIR")
    refused(["--report", "file/below"], "file/below", "--report DIR")
    refused(["--report", "/proc/report"], "/proc/report", "--report DIR")
    refused(["--report", "taken"], "taken/results.json", "it is a folder", "--report DIR")
    refused(["--report", "taken-images"], "taken-images/images", "--report DIR")
    refused(["--junit", "file/junit.xml"], "file", "--junit FILE")
    refused(["--junit", "folder"], "folder", "it is a folder", "--junit FILE")
    refused(["--junit", "/proc/junit.xml"], "/proc", "--junit FILE")
    refused([], "nowhere/summary.md", "GITHUB_STEP_SUMMARY", environment={"GITHUB_STEP_SUMMARY": "nowhere/summary.md"})
    ctx.expect(not (ctx.work / "smoke.baselines").exists(), "a baseline was written")

    # Missing folders are created.
    done = ctx.run(["check", "smoke.json", "--report", "a/b/report", "--junit", "c/d/junit.xml", *ctx.browser_args()],
                   seconds=60, complete=False)
    ctx.expect(done.exit == 0, f"exit {done.exit}: {done.text}")
    for name in ("a/b/report/index.html", "c/d/junit.xml"):
        ctx.expect((ctx.work / name).is_file(), f"no {name}")
    left = [path.name for path in ctx.work.rglob(".try-*")]
    ctx.expect(not left, f"left behind: {left}")
