"""check --import of Lost Pixel's configuration: the script and the JSON give the same suite, what a script computes is said line by line,
its pictures become baselines, and the suites run to the end."""
import json

from answers import Site, page
from harness import ROOT

BROWSER = "any"
SCRIPT = ROOT / "fixtures/fuzz/fuzz_lost_pixel/pages.ts"


def run(ctx):
    site = Site(ctx, {path: page("<body style='margin: 0'><h1>Title</h1><p class=ad>Buy</p><p id=clock>12:00</p>") for path in ("/", "/about", "/wide")})

    def imported(source, output, *args, code=0):
        done = ctx.run(["check", "--import", source, "-o", output, *args], complete=False)
        ctx.expect(done.exit == code, f"{source}: exit {done.exit}: {done.text}")
        return done, [line.removeprefix("not taken: ") for line in done.stdout.decode().splitlines() if line.startswith("not taken: ")]

    script = SCRIPT.read_text().replace("http://127.0.0.1:3000", site.url)
    ctx.file("lostpixel.config.ts", script)
    _, left = imported("lostpixel.config.ts", "script.json")
    lines = script.splitlines()

    def line_of(text):
        return 1 + next(number for number, line in enumerate(lines) if text in line)

    expression = "an expression is not evaluated: write its value into the suite"
    ctx.expect(sorted(left) == sorted([
        f"line {line_of('getPath')}: path: {expression}", f"line {line_of('morePages')}: an item of a list: {expression}",
        f"line {line_of('BASE_URL')}: baseUrl: the last alternative of the expression is taken", "pageShots: computed: has no path",
        f"line {line_of('async beforeScreenshot')}: beforeScreenshot: scripts are not run: write \"actions\", or \"setup\" for a login",
        f"line {line_of('filterShot')}: filterShot: scripts are not run: write \"skip\", or choose with --filter"]), "\n".join(left))
    suite = json.loads((ctx.work / "script.json").read_text())
    ctx.match(suite, {"baseUrl": site.url + "/", "defaults": {"fullPage": True, "retries": 2, "ready": {"selector": "h1"}},
                      "viewports": {"desktop": {"width": 1280, "height": 720}, "w320": {"width": 320, "height": 720},
                                    "w1024": {"width": 1024, "height": 720}, "1000x600": {"width": 1000, "height": 600}}}, "the suite")
    ctx.expect(suite["checks"] == [
        {"name": "home-page", "url": "/", "viewports": ["desktop"], "mask": [".ad", "#clock"], "maxDiffRatio": 0.001},
        {"name": "about", "url": "/about?a=1", "viewports": ["w320", "w1024"], "mask": [".ad"], "maxDiffRatio": 0.05},
        {"name": "wide", "url": "/wide", "viewports": ["1000x600"], "mask": [".ad"], "maxDiffPixels": 12,
         "actions": [{"type": "wait", "ms": 20}]}], json.dumps(suite["checks"], indent=1))

    # The same as JSON.
    pages = [{"path": "/", "name": "Home page", "mask": [{"selector": "#clock"}]},
             {"path": "/about?a=1", "name": "about", "breakpoints": [320, 1024], "threshold": 0.05},
             {"path": "/wide", "name": "wide", "viewport": {"width": 1000, "height": 600}, "threshold": 12, "waitBeforeScreenshot": 20}]
    config = {"pageShots": {"pages": pages, "baseUrl": site.url, "mask": [{"selector": ".ad"}], "waitForSelector": "h1"},
              "flakynessRetries": 2, "threshold": 0.001}
    ctx.file("lostpixel.config.json", json.dumps(config))
    _, left = imported("lostpixel.config.json", "plain.json")
    ctx.expect(not left and json.loads((ctx.work / "plain.json").read_text()) == suite, f"{left}")

    ctx.run(["check", "script.json", *ctx.browser_args()], seconds=90, complete=False)
    found = json.loads((ctx.work / "script.report/results.json").read_text())["checks"]
    ctx.expect([entry["status"] for entry in found] == ["new"] * 4, f"{[(entry['id'], entry['status'], entry.get('reason')) for entry in found]}")
    # Lost Pixel's pictures, as it names them.
    folder = ctx.work / "baseline"
    folder.mkdir()
    for name, source in (("Home page", "home-page@desktop"), ("about__[w320px]", "about@w320"), ("about__[w1024px]", "about@w320"), ("wide", "wide@1000x600"),
                         ("gone", "wide@1000x600")):
        (folder / f"{name}.png").write_bytes((ctx.work / f"script.baselines/{source}.png").read_bytes())
    _, left = imported("lostpixel.config.json", "again.json", "--baselines", "baseline")
    taken = {path.name for path in (ctx.work / "again.baselines").iterdir()}
    ctx.expect(taken == {"home-page@desktop.png", "about@w320.png", "wide@1000x600.png"}, f"{taken}")
    ctx.expect(sorted(line.split("/")[-1] for line in left) == ["about__[w1024px].png: is 320 pixels wide, its viewport 1024", "gone.png: belongs to no check"], f"{left}")

    # With several browsers their names are in those of the pictures.
    config["browser"] = ["chromium", "firefox"]
    ctx.file("lostpixel.config.json", json.dumps(config))
    for path in folder.iterdir():
        path.unlink()
    for name, source in (("Home page__[chromium]", "home-page@desktop"), ("about__[w320px|chromium]", "about@w320"), ("wide__[firefox]", "wide@1000x600")):
        (folder / f"{name}.png").write_bytes((ctx.work / f"script.baselines/{source}.png").read_bytes())
    _, left = imported("lostpixel.config.json", "several.json", "--baselines", "baseline")
    taken = {path.name for path in (ctx.work / "several.baselines").iterdir()}
    ctx.expect(taken == {"home-page@desktop.png", "about@w320.png"} and [line.split("/")[-1] for line in left] == ["wide__[firefox].png: belongs to no check"],
               f"{taken} {left}")

    # A Storybook, whose index is read from where it was built.
    (ctx.work / "storybook-static").mkdir()
    ctx.file("storybook-static/index.json", json.dumps({"v": 5, "entries": {"a--b": {"type": "story", "id": "a--b", "title": "A", "name": "B", "tags": []}}}))
    ctx.file("lostpixel.config.js", "module.exports = { storybookShots: { storybookUrl: './storybook-static', mask: [{ selector: 'i' }], breakpoints: [400] } };")
    _, left = imported("lostpixel.config.js", "book.json")
    ctx.match(json.loads((ctx.work / "book.json").read_text()), {
        "baseUrl": "./storybook-static/", "viewports": {"w400": {"width": 400}}, "defaults": {"mask": ["i"], "viewports": ["w400"]},
        "checks": [{"name": "a-b", "url": "iframe.html?id=a--b&viewMode=story"}]}, "a Storybook")

    for text, words in (("export const config = makeConfig();", "assigns no object"), (" " * 1100000 + "export default {}", "more than 1048576 bytes"), ("export const config = { pageShots: { pages: [{", "assigns no object"),
                        ("export default { generateOnly: true };", "neither pageShots nor storybookShots"),
                        ("module.exports = { pageShots: { pages: [], baseUrl: url } }", "no baseUrl that can be read"),
                        ("module.exports = { storybookShots: { storybookUrl: 'nowhere' } }", "build or start the Storybook first")):
        ctx.file("lostpixel.config.js", text)
        refused, _ = imported("lostpixel.config.js", "refused.json", code=2)
        ctx.expect(words in refused.stderr and not (ctx.work / "refused.json").exists(), f"{text}: {refused.text}")
