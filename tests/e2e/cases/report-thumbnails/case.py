"""report: thumbnails of changes show the picture where it changed, with a box around it: at the end of a wide bar, far down a page, in a tiny picture."""
import json

from answers import Site, page

BROWSER = "shared"
BAR = "<body style='margin: 0'><div id=bar style='width: 1200px; height: 40px; background: #eee'><div style='margin-left: 1150px; width: 30px; height: 20px; background: %s'></div></div>"
FAR = "<body style='margin: 0'><div style='height: 2500px'></div><div style='width: 40px; height: 40px; background: %s'></div><div style='height: 300px'></div>"
TINY = "<body style='margin: 0'><div id=bar style='width: 24px; height: 24px; background: #eee'><div style='width: 9px; height: 9px; background: %s'></div></div>"

# For each thumbnail: the check, and whether the middle of its first region is visible, in its box, and the picture itself.
SEEN = """[...document.querySelectorAll('.thumb, .tile')].map((link) => {
    const image = link.querySelector('img');
    const frame = image.parentElement.getBoundingClientRect();
    const box = image.getBoundingClientRect();
    const id = new URLSearchParams(link.getAttribute('href').slice(1)).get('check');
    const check = JSON.parse(document.getElementById('results').textContent).checks.find((one) => one.id === id);
    const region = check.comparison.regions[0];
    const scale = box.width / image.naturalWidth;
    const [x, y] = [box.x + (region.x + region.width / 2) * scale, box.y + (region.y + region.height / 2) * scale];
    const inside = x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
    const outline = link.querySelector('.thumb-box').getBoundingClientRect();
    const isBoxed = x > outline.left && x < outline.right && y > outline.top && y < outline.bottom && outline.width < region.width * scale + 20;
    return [check.id, image.complete && image.naturalWidth > 0 && inside && region.width * scale >= 4 && isBoxed && image.src.includes('.actual.png')];
})"""


def run(ctx):
    before, after = [Site(ctx, {"/bar": page(BAR % colour), "/far": page(FAR % colour), "/tiny": page(TINY % colour)})
                     for colour in ("navy", "red")]
    suite = {
        "baseUrl": after.url + "/", "viewports": {"desktop": {"width": 1280, "height": 720}},
        "checks": [{"name": "bar", "url": "/bar", "selector": "#bar"}, {"name": "other", "url": "/bar?2", "selector": "#bar"},
                   {"name": "far", "url": "/far", "fullPage": True}, {"name": "tiny", "url": "/tiny", "selector": "#bar"}],
    }
    ctx.file("smoke.json", json.dumps(suite))
    done = ctx.run(["check", "smoke.json", "--retries", "0", "--against", before.url, *ctx.browser_args()], seconds=60, complete=False)
    ctx.expect(done.exit == 1, f"exit {done.exit}: {done.text}")
    report = (ctx.work / "smoke.report/index.html").as_uri()
    steps = [("start", {"url": report}), ("evaluate", {"expression": "document.querySelectorAll('img').forEach((one) => { one.loading = 'eager'; }); Promise.all([...document.images].map((one) => one.decode())).then(() => document.images.length)"}),
             ("evaluate", {"expression": SEEN})]
    done = ctx.run_batch(steps, "--screenshots", "none", "--viewport", "1280x800", seconds=60)
    ctx.expect(done.response(2)["result"] == 3, f"{done.response(2)}")
    ctx.match(dict(done.response(3)["result"]), {"bar@desktop": True, "far@desktop": True, "tiny@desktop": True}, "what is seen")
