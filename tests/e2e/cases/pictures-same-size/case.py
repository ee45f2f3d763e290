"""No picture, of whatever part of the page, changes the size that the page sees: not in `run`, `shot` or `check`.

Events with an unchanged size are forbidden on the desktop only: while a page loads in a phone's viewport, Chrome itself
sends some, without any picture, the more often the slower the machine is."""
import json

from answers import Site
from faults import until
from harness import ROOT

TIER = "long"
TIME_LIMIT = 200
KIT = ROOT / "tests" / "widgets" / "node_modules" / "startbootstrap-sb-admin-2"
PAGES = ("index", "cards", "utilities-color")  # folds its menu permanently when it sees a narrow window
# Records everything that reports the page's size, and sends it to the server at once.
WATCH = """<script>
addEventListener('DOMContentLoaded', () => {
    const size = `${innerWidth}x${innerHeight}`;
    const width = document.documentElement.clientWidth;
    window.seen = [];
    const tell = (what) => {
        const now = `${innerWidth}x${innerHeight}`;
        const isOther = now !== size || document.documentElement.clientWidth !== width;
        seen.push(`${what} ${now}`);
        navigator.sendBeacon(`ORIGIN/count?name=${isOther ? 'other' : 'same'}`);
    };
    addEventListener('resize', () => tell('resize'));
    visualViewport.addEventListener('resize', () => tell('visualViewport'));
    for (const query of ['(max-width: 300px)', '(max-height: 300px)', `(width: ${innerWidth}px)`]) {
        matchMedia(query).addEventListener('change', () => tell(query));
    }
    let isFirst = true;
    new ResizeObserver(() => { isFirst ? isFirst = false : tell('element'); }).observe(document.documentElement);
});
</script>"""
FOOT = "#content-wrapper > footer"
CLIP = json.dumps({"x": 10, "y": 500, "width": 200, "height": 700})
MODES = [
    {}, {"fullPage": True}, {"fullPage": True, "stable": True}, {"fullPage": True, "format": "webp", "maxEdge": 800},
    {"tiles": True}, {"tiles": True, "stable": True, "format": "png"}, {"selector": FOOT},
    {"selector": FOOT, "stable": True}, {"selector": FOOT, "format": "webp"}, {"clip": CLIP},
    {"clip": CLIP, "maxEdge": 100, "format": "png"}, {"stable": True}, {"fullPage": True, "maxBytes": 20000},
]


def serve(ctx):
    site = Site(ctx, {})
    head = WATCH.replace("ORIGIN", ctx.origin) + f'<base href="{ctx.origin}/npm/startbootstrap-sb-admin-2/">'
    for name in PAGES:
        lines = (KIT / f"{name}.html").read_text().splitlines()
        text = "\n".join(line for line in lines if "fonts.googleapis.com" not in line)
        body = text.replace("<head>", f"<head>{head}").encode()
        site.answers[f"/{name}"] = (200, {"Content-Type": "text/html; charset=utf-8"}, body)
    return site


def other_sizes(ctx):
    return ctx.counts().get("other", 0)


def other_size_is_heard(ctx, site):
    """The prerequisite of the rest: a page whose size changes reports that to itself and to the server."""
    result = ctx.run_batch([("start", {"url": f"{site.url}/{PAGES[0]}"}),
                            ("emulate", {"viewport": json.dumps({"width": 900, "height": 500})}),
                            ("wait", {"expression": "seen.length > 0"})], "--screenshots", "none")
    ctx.expect(result.exit == 0, f"another size: exit {result.exit}: {result.responses[-1].get('error')}")
    until(lambda: other_sizes(ctx) > 0, "the server hears of another size")


def in_run(ctx, site):
    before = other_sizes(ctx)
    seen = ("evaluate", {"expression": "JSON.stringify(seen.splice(0))"})
    # Events during loading are not caused by a picture.
    settled = ("evaluate", {"expression": "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame("
                                          "() => done(seen.splice(0).length))))"})
    viewports = [
        {"width": 1280, "height": 700},
        {"width": 1000, "height": 600, "deviceScaleFactor": 2},
        {"width": 390, "height": 844, "deviceScaleFactor": 3, "mobile": True},
    ]
    steps = [("start", {"url": "about:blank"})]
    for index, viewport in enumerate(viewports):
        steps += [("navigate", {"url": "about:blank"}), ("emulate", {"viewport": json.dumps(viewport)}),
                  ("navigate", {"url": f"{site.url}/{PAGES[index]}"}), settled]
        for mode in MODES if index == 0 else [{"fullPage": True}, {"selector": FOOT, "stable": True}, {"tiles": True}]:
            steps += [("screenshot", mode), seen]
    result = ctx.run_batch(steps, "--screenshots", "explicit", seconds=120)
    ctx.expect(result.exit == 0, f"exit {result.exit}: {result.stderr[-300:]}")
    events = []
    for (kind, parameters), response in zip(steps, result.responses):
        if kind == "screenshot":
            mode = parameters
        elif kind == "emulate":
            is_phone = json.loads(parameters["viewport"]).get("mobile", False)
        elif parameters is seen[1]:
            found = json.loads(response.get("result") or "[]")
            if found and not is_phone:
                events.append((mode, found))
    # Only the first picture of more than the viewport may cause events, with an unchanged size.
    ctx.expect(other_sizes(ctx) == before, f"run: the page saw other sizes: {events}")
    ctx.expect(len(events) <= 1, f"run: the page heard of more than the first picture: {events}")


def in_shot(ctx, site):
    for size, more in (("same", ["--selector", FOOT]), ("other", ["--full-page", "--preset", "iphone"])):
        before = ctx.counts()
        result = ctx.run(["shot", f"{site.url}/index", "--temp-profile", "-o", ctx.work / "x.jpg", *more, *ctx.browser_args()],
                         complete=False)
        ctx.expect(result.exit == 0, f"shot {more}: exit {result.exit}: {result.text[-300:]}")
        after = ctx.counts()
        ctx.expect(after.get("other") == before.get("other") and after.get(size) == before.get(size),
                   f"shot {more}: the page heard of it: {before} became {after}")


def in_check(ctx, site):
    viewports = {"desktop": {"width": 1280, "height": 720}, "phone": {"preset": "iphone"}}
    before = ctx.counts()
    for name, viewport in viewports.items():
        ctx.file(f"{name}.json", json.dumps({
            "baseUrl": site.url + "/", "viewports": {name: viewport},
            "checks": [{"name": page, "url": page, "fullPage": True, "viewports": [name]} for page in PAGES],
        }))
        for i in range(2):
            result = ctx.run(["check", f"{name}.json", "--retries", "0", "--jobs", "2", "--allow-errors", *ctx.browser_args()], complete=False)
            # An event during loading folds the kit's menu permanently, so a phone's pictures may differ.
            ctx.expect(result.exit in ([0] if name == "desktop" else [0, 1]),
                       f"check {i + 1}, {name}: exit {result.exit}: {result.text[-1000:]}")
        after = ctx.counts()
        ctx.expect(after.get("other") == before.get("other"), f"check, {name}: the pages saw other sizes: {before} became {after}")
        ctx.expect(name == "phone" or after == before, f"check, {name}: the pages heard of it: {before} became {after}")


def run(ctx):
    ctx.requires_widgets("startbootstrap-sb-admin-2")
    site = serve(ctx)
    other_size_is_heard(ctx, site)
    in_run(ctx, site)
    in_shot(ctx, site)
    in_check(ctx, site)
