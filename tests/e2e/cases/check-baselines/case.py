"""check: baselines are written, approved, updated, pruned; a missing one fails in CI; another environment is a warning."""
import json

from checks import Checks

BROWSER = "any"
NAMES = ["colour", "layout", "row"]


def run(ctx):
    checks = Checks(ctx, NAMES)
    checks.run("--ci", "--retries", "0", exit_code=1)
    checks.expect_states({"colour@desktop": "failed", "row@desktop": "failed"}, what="CI: ")
    ctx.expect(not checks.baselines(), "baselines were written in CI")
    check_approved_pictures(ctx, checks)
    # A picture taken by CI can be approved from its report.
    checks.run("--approve", "colour", "row@*", exit_code=0)
    approved = checks.baselines()
    ctx.expect(set(approved) == {"colour@desktop.png", "colour@desktop.json", "row@desktop.png", "row@desktop.json"},
               f"{set(approved)}")
    checks.run(exit_code=0)
    checks.expect_states({"colour@desktop": "passed", "layout@desktop": "new", "row@desktop": "passed"}, what="then: ")
    before = checks.baselines()
    ctx.expect({name: before[name] for name in approved} == approved, "what was equal was written again")
    for wanted, words in (("colour", "nothing to approve"), ("nobody", "no check \"nobody\"")):
        refused = checks.run("--approve", wanted, exit_code=2)
        ctx.expect(words in refused.stderr, refused.stderr)

    checks.show("after")
    checks.run("--update=missing", "--retries", "0", exit_code=1)
    checks.expect_states({"colour@desktop": "failed", "layout@desktop": "failed", "row@desktop": "passed"}, what="missing: ")
    ctx.expect(checks.baselines() == before, "--update=missing wrote what was there")
    checks.run("--update", "--filter", "colour", exit_code=0)
    checks.expect_states({"colour@desktop": "updated"}, what="changed: ")
    ctx.expect(len(checks.states()) == 1, f"--filter colour: {checks.states()}")
    now = checks.baselines()
    ctx.expect([name for name in now if now[name] != before[name]] == ["colour@desktop.png"], "only its picture is new")
    checks.run("--update=all", exit_code=0)
    checks.expect_states({"colour@desktop": "passed", "layout@desktop": "updated", "row@desktop": "passed"}, what="all: ")

    # Another environment; a broken baseline; a check that no longer exists.
    path = ctx.work / "smoke.baselines" / "row@desktop.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "browser": "Chrome/1.2.3"}))
    (ctx.work / "smoke.baselines" / "layout@desktop.png").write_bytes(b"no picture")
    checks.suite["checks"] = [check for check in checks.suite["checks"] if check["name"] != "colour"]
    checks.save()
    checks.run("--retries", "0", exit_code=1)
    results = checks.results()
    ctx.expect(results["stale"] == ["colour@desktop.png"], f"{results['stale']}")
    ctx.expect(any("Chrome/1.2.3" in text for text in results["warnings"]), f"{results['warnings']}")
    checks.expect_states({"row@desktop": "passed", "layout@desktop": "error"}, what="at last: ")
    ctx.expect("neither a PNG" in checks.by_id()["layout@desktop"]["reason"], f"{checks.by_id()['layout@desktop']}")
    pruned = checks.run("--prune", exit_code=0)
    ctx.expect("colour@desktop.png" in pruned.stdout.decode(), pruned.text)
    ctx.expect(not [name for name in checks.baselines() if name.startswith("colour")], f"{set(checks.baselines())}")


def check_approved_pictures(ctx, checks):
    """A report may come from another machine: paths that lead outside it, and files that are not pictures, do not become
    baselines."""
    report = next(path.parent for path in ctx.work.rglob("results.json"))
    picture = report / checks.by_id()["colour@desktop"]["images"]["actual"]
    content = picture.read_bytes()
    outside = ctx.file("outside.png", content)
    picture.unlink()
    for make, words in ((lambda: picture.symlink_to(outside), "leads outside the report"), (lambda: picture.write_text("no picture"), "is no picture"),
                        (lambda: picture.write_bytes(content[:60]), "is no picture"), (lambda: None, "cannot read")):
        make()
        refused = checks.run("--approve", "colour", exit_code=2)
        ctx.expect(words in refused.stderr and not checks.baselines(), refused.stderr)
        picture.unlink(missing_ok=True)
    picture.write_bytes(content)
