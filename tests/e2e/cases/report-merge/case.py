"""`check merge`: the reports of shards become one, for people and for CI; mismatching ones are refused."""
import json
import pathlib
import shutil
import subprocess

from harness import ROOT, Failure

BROWSER = "any"


CHECKS, SHARDS = 60, 3


def make_shards(ctx):
    program = pathlib.Path(ctx.options.binary).resolve().parent / "tests" / "e2e" / "report_sample"
    if not program.is_file():
        raise Failure(f"{program} is missing: the tests were not built")
    for index in range(1, SHARDS + 1):
        subprocess.run([program, ctx.work / f"shard-{index}", str(CHECKS), str(index), str(SHARDS)],
                       check=True, timeout=60)
    subprocess.run([program, ctx.work / "all", str(CHECKS)], check=True, timeout=60)


def load(ctx, name):
    return json.loads((ctx.work / name / "results.json").read_text())


def merge(ctx, *args, wanted=1):
    result = ctx.run(["check", "merge", *args])
    ctx.expect(result.exit == wanted, f"merge {args}: exit {result.exit}: {result.stderr[-400:]}")
    return result


def check_whole(ctx):
    ctx.environment.update(GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(ctx.work / "summary.md"))
    result = merge(ctx, "shard-3", "shard-1", "shard-2", "--report", "my report", "--junit", "junit.xml")
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        del ctx.environment[name]
    one, merged = load(ctx, "all"), load(ctx, "my report")
    ctx.expect(merged["totals"] == one["totals"], f"totals {merged['totals']}, not {one['totals']}")
    ctx.expect(sorted(check["id"] for check in merged["checks"]) == sorted(check["id"] for check in one["checks"]), "ids")
    ctx.expect(merged["complete"] and "shard" not in merged, "not complete, or still a shard")
    pictures = {path for check in merged["checks"] for path in check.get("images", {}).values()}
    for path in pictures:
        same = (ctx.work / "my report" / path).read_bytes() == (ctx.work / "all" / path).read_bytes()
        ctx.expect(same, f"{path} is another picture")
    ctx.expect(len(pictures) > 10, f"{len(pictures)} pictures")
    # A shell can run the command.
    command = next(check["approve"] for check in merged["checks"] if "approve" in check)
    ctx.expect(command == "browser-runner check tests/smoke.json --report 'my report' --approve home-0000@desktop", command)
    lines = result.stdout.decode().splitlines()
    errors = [line for line in lines if line.startswith("::error ")]
    ctx.expect(len(errors) == merged["totals"]["failed"] + merged["totals"]["error"] <= 10, f"annotations: {errors}")
    ctx.expect(not any(line.startswith("::error::") for line in lines), "a page's text is a command to GitHub")
    ctx.expect("\x1b" not in result.text, "escape sequences where no terminal is")
    ctx.expect("report: my report/index.html" in lines, f"{lines[-5:]}")
    summary = (ctx.work / "summary.md").read_text()
    ctx.expect("<code>home-0000&#64;desktop</code>" in summary and "<script" not in summary, summary[:600])
    done = subprocess.run(["xmllint", "--noout", "--schema", ROOT / "fixtures/report/junit.xsd", ctx.work / "junit.xml"],
                          capture_output=True, text=True, timeout=60)
    ctx.expect(done.returncode == 0, f"junit.xml: {done.stderr[-400:]}")


def check_page(ctx):
    """The merged page has all checks."""
    run = ctx.run_batch([("start", {"url": (ctx.work / "my report" / "index.html").as_uri() + "#check=home-0000%40desktop"}),
                         ("wait", {"expression": "document.querySelector('.stage img')?.naturalWidth > 0"}),
                         ("evaluate", {"expression": "[document.querySelector('#found').innerText, window.hacked ?? null]"})],
                        "--screenshots", "none")
    ctx.expect(run.exit == 0, f"exit {run.exit}")
    ctx.match(run.response(3), {"result": [f"{CHECKS} checks", None]}, "the page")


def check_missing(ctx):
    merge(ctx, "shard-1", "shard-3", "--report", "two")
    merged = load(ctx, "two")
    ctx.expect(not merged["complete"], "complete without a shard")
    ctx.expect(any("shard 2 of 3 is missing" in text for text in merged["warnings"]), f"{merged['warnings']}")
    # Without the failed checks it still is not a success.
    results = load(ctx, "shard-2")
    results["checks"] = [check for check in results["checks"] if check["status"] == "passed"]
    shutil.copytree(ctx.work / "shard-2", ctx.work / "good")
    (ctx.work / "good" / "results.json").write_text(json.dumps(results))
    merge(ctx, "good", "--report", "part")


def check_refusals(ctx):
    for what, args, wanted in [
            ("twice", ["shard-1", "shard-1"], "are both shard 1"),
            ("another run", ["shard-1", "all"], "do not belong to one run"),
            ("nothing there", ["shard-1", "none"], "none/results.json"),
            ("no report", [], "needs the folders")]:
        result = merge(ctx, *args, "--report", "refused", wanted=2)
        ctx.match(result.stderr, {"$regex": wanted}, what)
        ctx.expect(not (ctx.work / "refused" / "index.html").exists(), f"{what}: a report was written")
    outside = ctx.work / "outside"
    shutil.copytree(ctx.work / "shard-1", outside)
    text = (outside / "results.json").read_text()
    (outside / "results.json").write_text(text.replace("images/home-0000@desktop.diff.png", "images/../../../secret.png"))
    ctx.match(merge(ctx, "outside", "--report", "refused", wanted=2).stderr,
              {"$regex": r"checks\[0\]\.images\.diff is no file in the folder images/"}, "a path that leads out")


def run(ctx):
    make_shards(ctx)
    check_whole(ctx)
    check_page(ctx)
    check_missing(ctx)
    check_refusals(ctx)
