"""check: errors of the suite, the command line or the machine, and their exit codes."""
import json

from checks import Checks


def run(ctx):
    checks = Checks(ctx, ["colour"])
    for name, content, words in (
            ("broken.json", "{", ["broken.json:1:"]),
            ("unknown.json", '{"checks":[{"name":"a","url":"http://localhost/","treshold":1},{"name":"b"}]}',
             ["treshold", "threshold", "checks[1]"]),
            ("range.json", '{"checks":[{"name":"a","url":"http://localhost/","threshold":2}]}', ["threshold"])):
        ctx.file(name, content)
        run = checks.run("--chrome", ctx.mark_chrome(), suite=name, exit_code=2)
        for word in words:
            ctx.expect(word in run.stderr, f"{name}: \"{word}\" is not in {run.stderr}")
    ctx.expect(not ctx.marked(), "a browser was started for a suite that is not valid")
    for args, words in ((["--shard", "4/3"], "4/3"), (["--update=al"], "missing"), (["--jobs", "0"], "0"),
                        (["--preset", "ci"], "viewports"), (["stray"], "--filter stray"),
                        (["--filter", "nobody"], "no check is selected"), (["--approve", "colour"], "results.json")):
        run = checks.run(*args, exit_code=2)
        ctx.expect(words in run.stderr, f"{args}: {run.stderr}")
    run = checks.run("--chrome", "/nowhere/chrome", exit_code=3)
    ctx.expect("/nowhere/chrome" in run.stderr, run.stderr)
    (ctx.work / "file").write_text("")
    run = checks.run("--report", "file", exit_code=2)
    ctx.expect("file" in run.stderr, run.stderr)

    # A report that cannot be written is an error before any check runs.
    (ctx.work / "taken" / "results.json").mkdir(parents=True)
    checks.run("--report", "taken", exit_code=2)
    # So is a run that runs no check.
    checks.suite["checks"][0]["skip"] = True
    checks.save()
    run = checks.run(exit_code=1)
    ctx.expect("no check was run" in run.stderr, run.text)

    checks.site.answers["/about"] = checks.site.answers["/colour.html"]
    made = ctx.run(["check", "--init", "first.json", checks.site.url + "/colour.html", checks.site.url + "/about"], complete=False)
    ctx.expect(made.exit == 0, made.text)
    suite = json.loads((ctx.work / "first.json").read_text())
    ctx.expect([check["name"] for check in suite["checks"]] == ["colour", "about"], f"{suite}")
    checks.run(suite="first.json", exit_code=0)
    again = ctx.run(["check", "--init", "first.json", checks.site.url + "/"], complete=False)
    ctx.expect(again.exit == 2 and "first.json" in again.stderr, again.text)

    # The server of the suite: a missing one, and one that exits.
    checks.suite.update(server={"command": ["/bin/sh", "-c", "echo not today; exit 4"], "url": "http://127.0.0.1:1/", "timeout": 5000})
    del checks.suite["checks"][0]["skip"]
    checks.save()
    run = checks.run()
    ctx.expect(run.exit != 0 and "not today" in run.stderr, f"exit {run.exit}: {run.text}")
