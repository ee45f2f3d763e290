"""check: --shard with --timings of an earlier run, a shard without checks, shards that were dealt differently."""
import json

from answers import Site, page

BROWSER = "any"


def run(ctx):
    site = Site(ctx, {"/": page("home"), "/about": page("about")})
    suite = {
        "baseUrl": site.url + "/",
        "viewports": {"small": {"width": 300, "height": 200}, "wide": {"width": 400, "height": 200}},
        "checks": [{"name": "home", "url": "/"}, {"name": "about", "url": "/about"}],
    }
    ctx.file("smoke.json", json.dumps(suite))

    def check(*args, code=0, operand="smoke.json"):
        done = ctx.run(["check", operand, *args, *ctx.browser_args()], seconds=60, complete=False)
        ctx.expect(done.exit == code, f"{args}: exit {done.exit}: {done.text[-1500:]}")
        return done

    def results(report):
        return json.loads((ctx.work / report / "results.json").read_text())

    # A shard without checks passes.
    check("--shard", "5/5", "--report", "empty")
    ctx.expect(results("empty")["complete"] and results("empty")["checks"] == [], f"{results('empty')}")
    ctx.expect("shard 5 of 5 has no check" in results("empty")["warnings"][0], f"{results('empty')}")

    # Dealt by the times of an earlier run.
    check("--report", "last")
    times = results("last")
    for one in times["checks"]:
        one["durationMs"] = 9000 if one["id"] == "about@wide" else 100
    ctx.file("last/results.json", json.dumps(times))
    parts = []
    for shard in (1, 2):
        check("--shard", f"{shard}/2", "--timings", "last", "--report", f"part-{shard}")
        parts.append([one["id"] for one in results(f"part-{shard}")["checks"]])
    ctx.expect(parts == [["about@wide"], ["home@small", "home@wide", "about@small"]], f"{parts}")
    check("part-1", "part-2", "--report", "whole", operand="merge")
    dealt = check("--shard", "2/2", "--filter", "home", "--timings", "none", "--report", "other")
    ctx.expect("shards are dealt in turn" in dealt.stderr, "no word of the missing times")
    check("part-1", "other", "--report", "torn", operand="merge", code=1)
    ctx.expect(any("dealt differently" in text for text in results("torn")["warnings"]), f"{results('torn')['warnings']}")
