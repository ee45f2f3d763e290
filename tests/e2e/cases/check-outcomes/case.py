"""check: each outcome on pages that changed; unchanged pages give identical bytes, also beside pages that move or fail
(--jobs 4)."""
import itertools
import xml.etree.ElementTree as ElementTree

from checks import Checks

BROWSER = "any"
STEADY = ["steady@desktop", "steady@phone", "tall@desktop", "row@desktop", "clicked@desktop"]
ALLOWED = ["colour-allowed@desktop", "antialias@desktop", "restless@desktop"]
CHANGED = ["colour@desktop", "layout@desktop", "antialias-counted@desktop", "flaky@desktop", "crash@desktop"]


def run(ctx):
    checks = Checks(ctx)
    alike = {"errors@desktop": "failed", "never@desktop": "error", "skipped@desktop": "skipped"}

    checks.run("--jobs", "2", "--retries", "0", exit_code=1)
    checks.expect_states({**{name: "new" for name in STEADY + ALLOWED + CHANGED}, **alike}, what="first: ")
    ctx.expect("errors@desktop.png" not in checks.baselines(), "a page with errors became a baseline")
    first = checks.pictures()

    checks.show("after")
    words = itertools.chain([b"two"], itertools.repeat(b"one"))
    checks.site.answers["/word"] = lambda: (200, {}, next(words))
    done = checks.run("--jobs", "4", "--junit", "junit.xml", exit_code=1)
    checks.expect_states({
        **{name: "passed" for name in STEADY + ALLOWED}, **alike, "colour@desktop": "failed", "layout@desktop": "failed",
        "antialias-counted@desktop": "failed", "flaky@desktop": "flaky", "crash@desktop": "passed",
    }, what="after: ")
    again = checks.pictures()
    differing = [name for name in STEADY if first[f"{name}.actual.png"] != again.get(f"{name}.actual.png")]
    ctx.expect(not differing, f"{differing} are other bytes")
    check_entries(ctx, checks.by_id())
    check_reports(ctx, checks.results(), done)


def check_entries(ctx, found):
    def expect(name, holds, what):
        ctx.expect(holds, f"{name}: {what}: {found[name]}")

    colour = found["colour@desktop"]["comparison"]
    expect("colour@desktop", colour["diffPixels"] == 1600 and not colour["layoutDiffers"], "1600 pixels")
    expect("colour@desktop", [(r["width"], r["height"]) for r in colour["regions"]] == [(40, 40)], "one region")
    expect("colour@desktop", set(found["colour@desktop"]["images"]) == {"actual", "expected", "diff"}, "its pictures")
    expect("colour@desktop", found["colour@desktop"]["approve"] ==
           "browser-runner check smoke.json --approve colour@desktop", "its command")
    expect("colour@desktop", found["colour@desktop"]["attempts"] == 2, "two attempts")
    expect("layout@desktop", found["layout@desktop"]["comparison"]["diffPixels"] > 1000, "much differs")
    counted = found["antialias-counted@desktop"]["comparison"]
    expect("antialias-counted@desktop", counted["diffPixels"] > 0, "pixels of an edge count")
    expect("antialias@desktop", found["antialias@desktop"]["comparison"]["antialiasedPixels"] > 0, "they are forgiven")
    expect("flaky@desktop", any("pixels differ" in text for text in found["flaky@desktop"]["earlier"]), "what was wrong")
    errors = found["errors@desktop"]
    expect("errors@desktop", any("the basket is empty" in text for text in errors["problems"]), "the console")
    expect("errors@desktop", any("no such thing" in text for text in errors["problems"]), "the exception")
    expect("errors@desktop", any("missing.js: HTTP status 404" in text for text in errors["problems"]), "the request")
    expect("errors@desktop", "approve" not in errors, "nothing to approve")
    expect("never@desktop", found["never@desktop"]["errorCode"] == "TIMEOUT" and
           "ready.selector" in found["never@desktop"]["reason"], "why")
    restless = found["restless@desktop"].get("unstable", [])
    expect("restless@desktop", any("never equal" in text and "canvas#noise" in text for text in restless), "where it moves")
    expect("skipped@desktop", found["skipped@desktop"]["reason"] == "not ready yet", "why")
    expect("steady@phone", found["steady@phone"]["width"] == 402 * 3, "its pixels")


def check_reports(ctx, results, done):
    totals = results["totals"]
    ctx.expect((totals["failed"], totals["error"], totals["flaky"], totals["skipped"]) == (4, 1, 1, 1), f"{totals}")
    ctx.expect(results["complete"] and "Chrome/" in results["environment"]["browser"], f"{results['environment']}")
    junit = ElementTree.parse(ctx.work / "junit.xml").getroot()
    suites = [junit] if junit.tag == "testsuite" else junit.findall("testsuite")
    counts = [sum(int(suite.get(key)) for suite in suites) for key in ("failures", "errors", "skipped")]
    ctx.expect(counts == [4, 1, 1], f"JUnit: {counts}")
    text = done.stdout.decode()
    for part in ("colour@desktop", "1600 of 120000 pixels differ", "smoke.report/index.html"):
        ctx.expect(part in text, f"\"{part}\" is not in {text}")
    ctx.expect((ctx.work / "smoke.report" / "index.html").stat().st_size > 10000, "index.html")
