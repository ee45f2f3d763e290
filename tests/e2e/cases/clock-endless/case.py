"""A virtual clock: a page whose frame never ends fails at its own limit, and does not hold up the others."""
import json


def run(ctx):
    url = f"{ctx.origin}/case"
    checks = [{"name": "endless", "url": f"{url}/endless.html", "timeout": 11000},
              *({"name": f"other-{i}", "url": f"{url}/other.html", "timeout": 8000} for i in range(3))]
    suite = {"clock": "virtual", "viewports": {"desktop": {"width": 600, "height": 300}}, "checks": checks}
    (ctx.work / "smoke.json").write_text(json.dumps(suite))
    ran = ctx.run(["check", "smoke.json", "--retries", "0", "--no-sandbox", "--jobs", "2"], seconds=60)
    ctx.expect(ran.exit == 1, f"exit {ran.exit}: {ran.stdout[-800:]}{ran.stderr[-800:]}")
    results = json.loads((ctx.work / "smoke.report" / "results.json").read_text())
    for entry in results["checks"]:
        expected = "error" if entry["name"] == "endless" else "new"
        ctx.expect(entry["status"] == expected, f"{entry['id']}: {entry['status']}, {entry.get('error')}")
