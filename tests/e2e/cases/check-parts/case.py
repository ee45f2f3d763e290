"""check: `ignore` is shown and does not count, `regions` have thresholds of their own; the report outlines both."""
import json

from answers import Site, page

BROWSER = "shared"
HEAD = "<body style='margin: 0; background: white'>"
# A bar that may differ, a map that may differ faintly, and text that may not.
PAGE = HEAD + """<div id=bar style='height: 40px; background: %s'></div><div style='height: 200px'></div>
<div id=map style='position: relative; left: 20px; width: 200px; height: 100px; background: %s'></div><p style='color: %s'>Text</p>"""
RESTLESS = HEAD + """<p>Steady</p><canvas id=clock width=200 height=60></canvas><script>
let n = 0; setInterval(() => { const c = clock.getContext('2d'); c.fillStyle = `hsl(${n++ * 37} 80%% 50%%)`; c.fillRect(0, 0, 200, 60); }, 8);</script>""".replace("%%", "%")
OUTLINED = "[...document.querySelectorAll('.part')].map((part) => [part.className, part.textContent, Math.round(parseFloat(part.style.top) * 10)])"


def run(ctx):
    site = Site(ctx, {"/restless": page(RESTLESS)})
    phone = {"width": 300, "height": 200, "scale": 2}
    suite = {"baseUrl": site.url + "/", "viewports": {"desktop": {"width": 300, "height": 200}, "phone": phone},
             "defaults": {"fullPage": True, "ignore": ["#bar"], "regions": [{"selector": "#map", "threshold": 0.5}]},
             "checks": [{"name": "page", "url": "/page"},
                        {"name": "element", "url": "/page", "selector": "#map", "fullPage": False},
                        {"name": "own", "url": "/page", "ignore": ["defaults", {"x": 0, "y": 240, "width": 300, "height": 200}]},
                        {"name": "none", "url": "/page", "ignore": [], "regions": []},
                        {"name": "restless", "url": "/restless", "ignore": ["#clock", "#nowhere"], "fullPage": False, "viewports": ["desktop"]}]}
    ctx.file("smoke.json", json.dumps(suite))

    def check(bar, place, text, code, *args):
        site.answers["/page"] = page(PAGE % (bar, place, text))
        done = ctx.run(["check", "smoke.json", "--retries", "0", *args, *ctx.browser_args()], seconds=90, complete=False)
        ctx.expect(done.exit == code, f"{bar} {place} {text}: exit {done.exit}: {done.text[-1500:]}")
        found = {entry["id"]: entry for entry in json.loads((ctx.work / "smoke.report/results.json").read_text())["checks"]}
        return found, {name: entry["status"] for name, entry in found.items()}

    found, _ = check("navy", "#ccddcc", "black", 0)
    ctx.expect("unstable" not in found["restless@desktop"], f"{found['restless@desktop']}")
    ctx.expect(any("#nowhere" in text for text in found["restless@desktop"]["warnings"]), f"{found['restless@desktop']}")

    found, states = check("red", "#ddccdd", "black", 1)
    for viewport in ("desktop", "phone"):
        ctx.match({name: states[f"{name}@{viewport}"] for name in ("page", "element", "own", "none")},
                  {"page": "passed", "element": "passed", "own": "passed", "none": "failed"}, viewport)
    ctx.expect(states["restless@desktop"] == "passed", f"{found['restless@desktop']}")
    ctx.match(found["page@phone"]["comparison"], {"diffPixels": 0, "ignored": [{"x": 0, "y": 0, "width": 600, "height": 80}],
                                                  "thresholds": [{"x": 40, "y": 480, "width": 400, "height": 200, "threshold": 0.5}]}, "parts")

    found, states = check("red", "#ccddcc", "white", 1, *(f"--filter={name}@desktop" for name in ("page", "own", "none")))
    ctx.match({name: states[f"{name}@desktop"] for name in ("page", "own", "none")}, {"page": "failed", "own": "passed", "none": "failed"}, "text")
    ctx.expect(len(found["page@desktop"]["comparison"]["regions"]) >= 1 and
               all(region["y"] > 300 for region in found["page@desktop"]["comparison"]["regions"]), f"{found['page@desktop']['comparison']}")
    report = (ctx.work / "smoke.report/index.html").as_uri() + "#check=page%40desktop&mode=actual"
    done = ctx.run_batch([("start", {"url": report}), ("wait", {"selector": ".part"}), ("evaluate", {"expression": OUTLINED})],
                         "--screenshots", "none", "--viewport", "1280x800", seconds=60)
    height = found["page@desktop"]["height"]
    ctx.expect(done.response(3)["result"] == [["part is-ignored", "ignored", 0], ["part", "threshold 0.5", round(240 / height * 1000)]],
               f"{done.response(3)}")
