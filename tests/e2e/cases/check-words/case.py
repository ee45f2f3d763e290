"""check: warnings of a passing run: selectors that match nothing, baselines without an origin file, flaky checks."""
import itertools
import json

from answers import Site, page

BROWSER = "any"
LONG = "<body style='margin: 0'><div id=box style='width: 200px; height: 100px; background: %s'></div><i id=late></i>"


def run(ctx):
    site = Site(ctx, {"/": page(LONG % "navy"), "/about": page(LONG % "teal")})
    suite = {
        "baseUrl": site.url + "/",
        "viewports": {"small": {"width": 300, "height": 200}, "wide": {"width": 400, "height": 200}},
        "defaults": {"mask": [".nowhere"]},
        "checks": [{"name": "home", "url": "/", "hide": ["#late", "video"]}, {"name": "about", "url": "/about"}],
    }
    ctx.file("smoke.json", json.dumps(suite))

    def check(*args, code=0, operand="smoke.json"):
        done = ctx.run(["check", operand, "--jobs", "1", *args, *ctx.browser_args()], seconds=60, complete=False)
        ctx.expect(done.exit == code, f"{args}: exit {done.exit}: {done.text[-1500:]}")
        return done

    def results(report="smoke.report"):
        return json.loads((ctx.work / report / "results.json").read_text())

    # Selectors.
    said = check().stdout.decode()
    warnings = results()["warnings"]
    ctx.expect('mask: nothing matches ".nowhere" in 4 checks, such as home@small' in warnings, f"{warnings}")
    ctx.expect('hide: nothing matches "video" in 2 checks, such as home@small' in warnings, f"{warnings}")
    ctx.expect(len(warnings) == 2 and all(f"warning: {text}" in said for text in warnings), said)
    entry = results()["checks"][0]
    ctx.expect(len(entry["warnings"]) == 2, f"{entry}")
    suite["defaults"], suite["checks"][0]["hide"] = {}, []
    ctx.file("smoke.json", json.dumps(suite))

    # The file beside a baseline.
    folder = ctx.work / "smoke.baselines"
    texts = {name: (folder / name).read_text() for name in ("home@small.json", "about@wide.json")}
    (folder / "home@small.json").unlink()
    (folder / "about@wide.json").write_text("{")
    both = ("--filter=home@small", "--filter=about@wide")
    check("--ci", *both)
    warnings = results()["warnings"]
    ctx.expect(len(warnings) == 1 and "not known by which browser" in warnings[0], f"{warnings}")
    ctx.expect(not (folder / "home@small.json").exists(), "written in CI")
    check(*both)
    warnings = results()["warnings"]
    ctx.expect(len(warnings) == 1 and "is written anew: home@small (missing), about@wide (broken)" in warnings[0], f"{warnings}")
    ctx.match({name: (folder / name).read_text() for name in texts}, texts, "what was written anew")

    # Flaky: the failure is reported and shown; no warning is about the files, which were just written.
    colours = itertools.chain(["red"], itertools.repeat("navy"))
    site.answers["/"] = lambda: page(LONG % next(colours))
    summary = ctx.work / "summary.md"
    ctx.environment.update(GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary))
    said = check("--ci", *both, "--junit", "deep/er/junit.xml").stdout.decode()
    del ctx.environment["GITHUB_ACTIONS"], ctx.environment["GITHUB_STEP_SUMMARY"]
    ctx.expect(results()["warnings"] == [], f"{results()['warnings']}")
    entry = results()["checks"][0]
    reason = "passed in attempt 2; attempt 1: 20000 of 60000 pixels differ"
    ctx.expect(entry["status"] == "flaky" and entry["reason"].startswith(reason), f"{entry}")
    ctx.expect(set(entry["images"]) == {"actual", "expected", "diff"} and entry["comparison"]["diffPixels"] == 20000, f"{entry}")
    ctx.expect((ctx.work / "smoke.report/images/home@small.actual.png").read_bytes() !=
               (folder / "home@small.png").read_bytes(), "the picture is the one that passed")
    junit = (ctx.work / "deep/er/junit.xml").read_text()
    for place, text in (("summary", summary.read_text()), ("annotations", said), ("JUnit", junit)):
        ctx.expect("20000 of 60000 pixels differ" in text and "home" in text and ".diff.png" in text, f"{place}: {text}")
