"""check: members that affect the picture: a viewport's colours and language, joined actions, HTTP errors, strict."""
import json

from answers import Site, page

BROWSER = "any"


# The page shows the settings as of its first script.
BELIEF = page("""<script>
const shown = [matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('print').matches,
               navigator.language, (1234.5).toLocaleString(), performance.getEntriesByType('paint').length];
</script><body><p id=shown></p><script>document.getElementById('shown').textContent = shown.join(' ');
if (shown.join(' ') !== decodeURIComponent(location.hash.slice(1))) { console.error('it is ' + shown.join(' ')); }
</script>""")
STEPS = page("""<body><button id=first>0</button><button id=second>0</button><script>
for (const one of document.querySelectorAll('button')) {
    one.onclick = () => { one.textContent = 1 + Math.max(...[...document.querySelectorAll('button')].map((b) => +b.textContent)); };
}</script>""")
PALE = page("<body style='margin: 0; background: #fff'>")


def click(selector):
    return {"type": "click", "selector": selector}


def run(ctx):
    site = Site(ctx, {"/belief": BELIEF, "/steps": STEPS, "/pale": PALE, "/tint": PALE, "/fine": page("fine"),
                      "/gone": (404,) + page("no such page")[1:], "/broken": (503,) + page("broken")[1:]})
    first, second = '#first', '#second'

    def order(*texts):
        return {"expression": " && ".join(f"document.querySelector('{selector}').textContent === '{text}'"
                                          for selector, text in zip((first, second), texts))}

    suite = {
        "baseUrl": site.url + "/",
        "viewports": {"plain": {"width": 300, "height": 200},
                      "dark": {"width": 300, "height": 200, "colorScheme": "dark", "locale": "de-DE", "media": "print"}},
        "defaults": {"viewports": ["plain"], "actions": [click(first)], "expectNoErrors": False, "timeout": 8000},
        "checks": [
            {"name": "plain", "url": "belief#false false en-US 1,234.5 0", "actions": [], "expectNoErrors": True},
            {"name": "dark", "url": "belief#true true de-DE 1.234,5 0", "actions": [], "viewports": ["dark"],
             "expectNoErrors": True},
            {"name": "behind", "url": "steps", "actions": ["defaults", click(second)], "ready": order("1", "2")},
            {"name": "before", "url": "steps", "actions": [click(second), "defaults"], "ready": order("2", "1")},
            {"name": "mixed", "url": "steps", "actions": [{"file": "second.xml"}, "defaults", {"file": "second.xml"}],
             "ready": order("2", "3")},
            {"name": "gone", "url": "gone", "actions": []},
            {"name": "gone-later", "url": "fine", "actions": [{"type": "navigate", "url": "gone"}]},
            {"name": "gone-allowed", "url": "gone", "actions": [], "allowHttpErrors": True},
            {"name": "broken-allowed", "url": "broken", "actions": [], "allowHttpErrors": True},
            {"name": "strict", "url": "pale", "actions": [], "strict": 0.01},
            {"name": "large", "url": "pale", "actions": [], "strict": 0.01, "strictArea": 100000},
            {"name": "tinted", "url": "tint", "actions": [], "metric": "pixelmatch8"},
            {"name": "untinted", "url": "tint", "actions": []},
            {"name": "lenient", "url": "pale", "actions": []},
        ],
    }
    ctx.file("second.xml", "<browser_action><type>click</type><selector>#second</selector></browser_action>")
    ctx.file("smoke.json", json.dumps(suite))

    def check(*args, code):
        done = ctx.run(["check", "smoke.json", "--retries", "0", "--jobs", "2", *args, *ctx.browser_args()],
                       seconds=60, complete=False)
        ctx.expect(done.exit == code, f"{args}: exit {done.exit}: {done.text[-1500:]}")
        results = json.loads((ctx.work / "smoke.report/results.json").read_text())
        return {one["name"]: one for one in results["checks"]}

    found = check("--allow-errors", code=1)
    for name, one in found.items():
        wanted = "error" if name in ("gone", "gone-later") else "new"
        ctx.expect(one["status"] == wanted, f"{name}: {one['status']}, not {wanted}: {one.get('reason')} {one.get('problems')}")
    for name in ("gone", "gone-later"):
        ctx.expect("/gone answered with HTTP status 404" in found[name]["reason"], f"{name}: {found[name]['reason']}")
        ctx.expect("allowHttpErrors" in found[name]["hint"], f"{name}: {found[name]}")
        ctx.expect(not (ctx.work / f"smoke.baselines/{name}@plain.png").exists(), f"{name} became a baseline")
    for name, status in (("gone-allowed", 404), ("broken-allowed", 503)):
        ctx.expect(f"HTTP status {status}" in found[name]["reason"], f"{name} is written silently: {found[name]['reason']}")

    # A background that became slightly darker, and a tint that only pixelmatch 8 counts.
    site.answers["/pale"] = page("<body style='margin: 0; background: #fafafa'>")
    site.answers["/tint"] = page("<body style='margin: 0; background: #e6e6ff'>")
    again = check(*(f"--filter={name}" for name in ("strict", "large", "lenient", "tinted", "untinted")), code=1)
    ctx.match({name: one["status"] for name, one in again.items()},
              {"strict": "failed", "large": "passed", "lenient": "passed", "tinted": "failed", "untinted": "passed"}, "again")
    ctx.match(again["strict"]["comparison"], {"diffPixels": 0, "faintPixels": 60000,
              "regions": [{"width": 300, "height": 200, "faint": True}]}, "what strict sees")
    ctx.expect("strict threshold" in again["strict"]["reason"], again["strict"]["reason"])
    ctx.expect("diff" in again["strict"]["images"] and "approve" in again["strict"], f"{again['strict']}")
    ctx.match(again["tinted"]["comparison"], {"diffPixels": 60000, "metric": "pixelmatch8"}, "the metric")

    suite["checks"][-1]["metric"] = "yiq"
    ctx.file("smoke.json", json.dumps(suite))
    refused = ctx.run(["check", "smoke.json", *ctx.browser_args()], complete=False)
    ctx.expect(refused.exit == 2 and "metric" in refused.stderr and '"pixelmatch7" or "pixelmatch8"' in refused.stderr,
               f"exit {refused.exit}: {refused.text}")
    del suite["checks"][-1]["metric"]

    suite["checks"][-1]["strict"] = 0.2
    ctx.file("smoke.json", json.dumps(suite))
    refused = ctx.run(["check", "smoke.json", *ctx.browser_args()], complete=False)
    ctx.expect(refused.exit == 2 and "strict\" is 0.2 and has to be below \"threshold\", 0.1" in refused.stderr,
               f"exit {refused.exit}: {refused.text}")
