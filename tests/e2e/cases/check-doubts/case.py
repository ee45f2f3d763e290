"""check: pictures that are probably wrong do not become baselines by themselves; --update is refused in CI; a retry has a context of its own."""
import json

import png_files
from answers import Site, page

BROWSER = "any"

BOX = "<body style='margin: 0; background: white'><div style='width: 200px; height: 100px; background: %s'></div>"
FAILS = BOX % "navy" + "<script>throw new Error('no data')</script>"
MISSING = BOX % "navy" + "<img src=/nowhere.png>"
# Counts its visits in the storage.
COUNTS = """<script>
localStorage.visits = Number(localStorage.visits || 0) + 1;
document.cookie = `visits=${Number(document.cookie.split('=')[1] || 0) + 1}`;
caches.open('visits').then(async (cache) => {
    const before = (await cache.keys()).length;
    await cache.put(`/before-${before}`, new Response('a visit'));
    await fetch(`/visit?${localStorage.visits}-${document.cookie.split('=')[1]}-${before + 1}`);
});
</script>"""


def run(ctx):
    site = Site(ctx, {"/fine": page(BOX % "navy"), "/fails": page(FAILS), "/missing": page(MISSING), "/empty": page("<body>"),
                      "/visit": (200, {}, b""), "/counts": page(BOX % "teal" + COUNTS), "/gone": (404, {"Content-Type": "text/html"}, b"<h1>Gone</h1>")})
    names = ["fine", "fails", "missing", "empty"]
    suite = {"baseUrl": site.url + "/", "viewports": {"desktop": {"width": 400, "height": 300}},
             "checks": [{"name": name, "url": f"/{name}"} for name in names] +
                       [{"name": "swatch", "url": "/fine", "selector": "div"}, {"name": "gone", "url": "/gone", "allowHttpErrors": True},
                        {"name": "counts", "url": "/counts", "retries": 2}]}
    ctx.file("smoke.json", json.dumps(suite))
    (ctx.work / "smoke.baselines").mkdir()
    ctx.file("smoke.baselines/counts@desktop.png", png_files.page(400, 300))

    def check(*args, code):
        done = ctx.run(["check", "smoke.json", "--retries", "0", *args, *ctx.browser_args()], seconds=60, complete=False)
        ctx.expect(done.exit == code, f"{args}: exit {done.exit}: {done.text[-1500:]}")
        return done

    def results():
        return {entry["name"]: entry for entry in json.loads((ctx.work / "smoke.report/results.json").read_text())["checks"]}

    def baselines():
        return {path.name.split("@")[0]: path.read_bytes() for path in (ctx.work / "smoke.baselines").glob("*.png")}

    check(code=1)
    found = results()
    ctx.match({name: entry["status"] for name, entry in found.items()},
              {"fine": "new", "fails": "failed", "missing": "failed", "empty": "failed", "swatch": "new", "gone": "new", "counts": "failed"}, "first run")
    for name, words in (("fails", "no data"), ("missing", "404"), ("empty", "all of it is #ffffff")):
        reason = found[name]["reason"]
        ctx.expect(reason.startswith("there is no baseline; this picture does not") and words in reason and "--allow-errors" in reason, reason)
    ctx.expect(set(baselines()) == {"fine", "swatch", "gone", "counts"}, f"{set(baselines())}")
    # Each attempt begins without the cookies and the storage of the one before.
    ctx.expect(found["counts"]["attempts"] == 3, f"{found['counts']}")
    visits = [path for _, path, _ in list(site.requests) if path.startswith("/visit")]
    ctx.expect(len(visits) == 3 and set(visits) == {"/visit?1-1-1"}, f"{visits}")
    # Who has looked at a picture can approve it; or all are accepted.
    check("--approve", "fails", code=0)
    check("--allow-errors", *(f"--filter={name}" for name in names[1:]), code=0)
    ctx.match({name: entry["status"] for name, entry in results().items()}, {"fails": "passed", "missing": "new", "empty": "new"}, "allowed")

    # --update replaces a good picture neither by an empty one nor, in CI, by any other.
    before = baselines()
    site.answers["/fine"] = page("<body>")
    check("--update", "--filter", "fine", code=1)
    ctx.expect("pixels differ" in results()["fine"]["reason"] and "does not become the baseline" in results()["fine"]["reason"], f"{results()['fine']}")
    site.answers["/fine"] = page(BOX % "red")
    for mode in ("--update", "--update=missing", "--update=all"):
        refused = check(mode, "--ci", code=2)
        ctx.expect("refused in CI" in refused.stderr and "--force" in refused.stderr, refused.stderr)
    ctx.expect(baselines() == before, "a baseline was written")
    check("--update", "--ci", "--force", "--filter", "fine", code=0)
    ctx.expect(baselines()["fine"] != before["fine"], "--force wrote nothing")
