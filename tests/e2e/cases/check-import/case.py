"""check --import: suites from BackstopJS, Storybook, a sitemap and a list of addresses run to the end; what is not taken over is said."""
import json

from answers import Site, page

BROWSER = "shared"
SHOP = """<body style='margin: 0'><header style='background: navy; height: 40px'></header><button id=menu onclick="list.hidden = false">Menu</button>
<ul id=list hidden><li>One</ul><p class=ad>Buy</p><p class=late>Late</p><input id=name>"""
STORY = "<body class=sb-show-main style='margin: 0'><div id=storybook-root><button>%s</button></div>"


def run(ctx):
    site = Site(ctx, {"/": page(SHOP), "/about?a=1&b=2": page("About"), "/about": page("About")})

    def imported(source, *args, code=0):
        done = ctx.run(["check", "--import", source, *args], complete=False)
        ctx.expect(done.exit == code, f"{source}: exit {done.exit}: {done.text}")
        return done, [line for line in done.stdout.decode().splitlines() if line.startswith("not taken: ")]

    def runs(suite, count, *args):
        ctx.run(["check", suite, "--retries", "0", *args, *ctx.browser_args()], seconds=90, complete=False)
        found = json.loads((ctx.work / suite.replace(".json", ".report") / "results.json").read_text())["checks"]
        bad = [(entry["id"], entry["status"], entry.get("reason")) for entry in found if entry["status"] not in ("new", "skipped")]
        ctx.expect(len(found) == count and not bad, f"{suite}: {len(found)} checks, {bad}")
        return {entry["id"]: entry for entry in found}

    # What `backstop init` writes, and more of what people use.
    usual = {"label": "BackstopJS Homepage", "cookiePath": "backstop_data/engine_scripts/cookies.json", "url": site.url + "/", "referenceUrl": "",
             "readyEvent": "", "readySelector": "", "delay": 0, "hideSelectors": [], "removeSelectors": [], "hoverSelector": "", "clickSelector": "",
             "postInteractionWait": 0, "selectors": [], "selectorExpansion": True, "expect": 0, "misMatchThreshold": 0.1, "requireSameDimensions": True}
    rich = {"label": "Menu / open", "url": site.url + "/", "hideSelectors": [".ad"], "removeSelectors": [".late"], "clickSelector": "#menu",
            "postInteractionWait": "#list li", "keyPressSelectors": [{"selector": "#name", "keyPress": "Ada"}], "selectors": ["header", "viewport"],
            "readySelector": "header", "misMatchThreshold": 5, "onReadyScript": "puppet/clickAndHoverHelper.js", "referenceUrl": "https://example.com/"}
    backstop = {"id": "backstop_default", "viewports": [{"label": "phone", "width": 320, "height": 240}, {"label": "Tablet wide", "width": 480, "height": 240}],
                "onBeforeScript": "puppet/onBefore.js", "engineOptions": {"args": ["--no-sandbox"]},
                "scenarios": [usual, rich, {"label": "nothing"}], "paths": {}, "report": ["browser"], "engine": "puppeteer"}
    ctx.file("backstop.json", json.dumps(backstop))
    done, left = imported("backstop.json", "-o", "backstop-suite.json")
    ctx.expect(sorted(left) == sorted([
        "not taken: the whole file: onBeforeScript: scripts are not run: write \"actions\", or \"setup\" for a login",
        "not taken: the whole file: engineOptions: give --chrome-arg to `check`",
        "not taken: BackstopJS Homepage: cookiePath: log in with \"setup\", or load a state file with the action \"storage\"",
        "not taken: Menu / open: onReadyScript: scripts are not run: write \"actions\"",
        "not taken: Menu / open: referenceUrl: compare with another address by --against", "not taken: nothing: has no url"]), f"{left}")
    suite = json.loads((ctx.work / "backstop-suite.json").read_text())
    ctx.match(suite, {"baseUrl": site.url + "/", "viewports": {"phone": {"width": 320, "height": 240}, "tablet-wide": {"width": 480, "height": 240}},
                      "defaults": {"fullPage": True, "maxDiffRatio": 0.001}}, "backstop")
    ctx.match(suite["checks"][1], {"name": "menu-open-header", "url": "/", "selector": "header", "hide": [".ad"], "remove": [".late"], "maxDiffRatio": 0.05,
                                   "ready": {"selector": "header"}, "actions": [{"type": "type", "text": "Ada"}, {"type": "click", "selector": "#menu"},
                                                                                {"type": "wait", "selector": "#list li"}]}, "a scenario")
    found = runs("backstop-suite.json", 6)
    ctx.expect(found["menu-open-header@phone"]["height"] == 40 and found["menu-open-viewport@phone"]["height"] > 40, f"{found.keys()}")
    # BackstopJS's pictures become baselines.
    folder = ctx.work / "bitmaps_reference"
    folder.mkdir()
    pictures = ctx.work / "backstop-suite.baselines"
    for name, source in (("BackstopJS_Homepage_0_document_0_phone", "backstopjs-homepage@phone"), ("Menu___open_0_header_1_Tablet_wide", "menu-open-header@tablet-wide"),
                         ("Menu___open_1_viewport_0_phone", "menu-open-viewport@tablet-wide"), ("Gone_0_document_0_phone", "menu-open-header@phone")):
        (folder / f"backstop_default_{name}.png").write_bytes((pictures / f"{source}.png").read_bytes())
    _, left = imported("backstop.json", "-o", "again.json", "--baselines", "bitmaps_reference")
    taken = {path.name for path in (ctx.work / "again.baselines").iterdir()}
    ctx.expect(taken == {"backstopjs-homepage@phone.png", "menu-open-header@tablet-wide.png"}, f"{taken}")
    ctx.expect(any("Menu___open_1_viewport_0_phone.png: is 480 pixels wide, its viewport 320" in line for line in left) and
               any("Gone_0_document_0_phone.png: belongs to no check" in line for line in left), f"{left}")
    ctx.run(["check", "again.json", "--ci", "--filter", "backstopjs-homepage@phone", "--filter", "menu-open-header@tablet-wide", *ctx.browser_args()], seconds=60, complete=False)
    found = json.loads((ctx.work / "again.report/results.json").read_text())["checks"]
    ctx.expect([entry["status"] for entry in found] == ["passed", "passed"], f"{found}")
    refused, _ = imported("backstop.json", "-o", "backstop-suite.json", code=2)
    ctx.expect("already exists" in refused.stderr, refused.stderr)

    # Files, as in BackstopJS's example of a React application.
    (ctx.work / "app").mkdir()
    ctx.file("app/index.html", "<!DOCTYPE html><title>App</title><h1>App</h1>")
    ctx.file("app/backstop.json", json.dumps({"viewports": backstop["viewports"], "scenarios": [
        {"label": "My Homepage", "url": "index.html", "selectors": ["body"], "selectorExpansion": True},
        {"label": "By a path", "url": "./index.html#top", "selectors": []}]}))
    _, left = imported("app/backstop.json", "-o", "app.json")
    ctx.expect(left == ["not taken: My Homepage: selectorExpansion: a check has one element; name each one"], f"{left}")
    suite = json.loads((ctx.work / "app.json").read_text())
    ctx.match(suite, {"baseUrl": "app/", "checks": [{"url": "index.html"}, {"url": "./index.html#top"}]}, "files")

    # Files and other addresses together: addresses that are not below the base are written whole.
    empty, local = "data:text/html,<h1>Empty</h1>", (ctx.work / "app" / "index.html").as_uri()
    for name, urls, base, expected in (
            ("web-first", [empty, site.url + "/", "index.html", "/index.html#top"], site.url + "/", [empty, "/", local, local + "#top"]),
            ("file-first", [empty, "./index.html#top", site.url + "/"], "app/", [empty, "./index.html#top", site.url + "/"])):
        ctx.file(f"app/{name}.json", json.dumps({"viewports": backstop["viewports"][:1], "scenarios": [
            {"label": f"Part {number}", "url": url} for number, url in enumerate(urls)]}))
        _, left = imported(f"app/{name}.json", "-o", f"{name}.json")
        suite = json.loads((ctx.work / f"{name}.json").read_text())
        ctx.expect(not left and suite["baseUrl"] == base and [check["url"] for check in suite["checks"]] == expected, f"{name}: {left} {suite}")
        runs(f"{name}.json", len(urls))

    # A Storybook, by the address of its index.
    stories = {"button--primary": {"type": "story", "id": "button--primary", "title": "Button", "name": "Primary", "tags": ["dev", "test", "core"]},
               "button--slow": {"type": "story", "id": "button--slow", "title": "Button", "name": "Slow", "tags": ["dev", "skip"]},
               "button--docs": {"type": "docs", "id": "button--docs", "title": "Button", "name": "Docs", "tags": ["dev", "autodocs"]}}
    site.answers["/book/index.json"] = (200, {"Content-Type": "application/json"}, json.dumps({"v": 5, "entries": stories}).encode())
    site.answers["/book/iframe.html"] = page(STORY % "Primary")
    _, left = imported(site.url + "/book/index.json", "-o", "book.json")
    found = runs("book.json", 2, "--filter=*@desktop")
    ctx.expect(not left and found["button-primary@desktop"]["url"] == site.url + "/book/iframe.html?id=button--primary&viewMode=story" and
               found["button-primary@desktop"]["tags"] == ["core"] and found["button-slow@desktop"]["status"] == "skipped", f"{left} {found}")

    # A sitemap, and a list.
    site.answers["/sitemap.xml"] = (200, {"Content-Type": "text/xml"}, f"""<?xml version="1.0"?><urlset><url><loc>{site.url}/</loc></url>
<url><loc> {site.url}/about?a=1&amp;b=2 </loc></url><url><loc>ftp://h/x</loc></url></urlset>""".encode())
    _, left = imported(site.url + "/sitemap.xml")
    ctx.expect(left == ["not taken: ftp://h/x: is no http or https address"], f"{left}")
    runs("smoke.json", 2, "--filter=*@desktop")
    ctx.file("list.txt", f"# pages\n{site.url.removeprefix('http://')}/\n\n{site.url}/about\r\n")
    imported("list.txt", "-o", "list.json")
    ctx.expect([check["url"] for check in json.loads((ctx.work / "list.json").read_text())["checks"]] == ["/", "/about"], "the list")
    ctx.file("lostpixel.config.ts", "export const config = { pageShots: { pages: [] } };")
    for name, text, words in (("lostpixel.config.ts", None, "no baseUrl"), ("empty.txt", "# nothing\n", "names no page"), ("other.json", "{}", "is no backstop.json"),
                              ("broken.json", "{\"scenarios\": [", "broken.json"), ("none.json", "", "names no page")):
        if text is not None:
            ctx.file(name, text)
        refused, _ = imported(name, "-o", "never.json", code=2)
        ctx.expect(words in refused.stderr and not (ctx.work / "never.json").exists(), f"{name}: {refused.stderr}")
