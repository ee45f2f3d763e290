"""check with a virtual clock: pages that never rest pass each time, with everything else that a check has."""
import json

import harness

TIME_LIMIT = 240


def run(ctx):
    refusals(ctx, passes(ctx, busy=0))


def passes(ctx, busy):
    """The second run passes, too, beside so many busy processes (clock-busy has some); its clock is set by the option.
    Returns the suite."""
    suite = {
        "clock": "virtual",
        "viewports": {"desktop": {"width": 800, "height": 600}, "phone": "iphone"},
        "setup": {"url": f"{ctx.origin}/e2e/clock/board.html",
                  "actions": [{"type": "evaluate", "expression": "localStorage.name = 'Ada'"}]},
        "defaults": {"viewports": ["desktop"]},
        "checks": [
            {"name": "view", "url": f"{ctx.origin}/e2e/clock/board.html", "mask": ["#clock"]},
            {"name": "whole", "url": f"{ctx.origin}/e2e/clock/board.html", "fullPage": True, "ignore": ["#count"]},
            {"name": "early", "url": f"{ctx.origin}/e2e/clock/board.html", "at": 450},
            {"name": "card", "url": f"{ctx.origin}/e2e/clock/board.html", "selector": ".loaded", "ready": {"selector": ".loaded"}},
            {"name": "acted", "url": f"{ctx.origin}/e2e/clock/board.html", "viewports": ["phone"], "hide": ["#count"],
             "freeze": True, "actions": [{"type": "wait", "ms": 3000}, {"type": "click", "selector": "#chart"}],
             "ready": {"text": "bytes, Ada", "networkIdle": True}},
        ],
    }
    (ctx.work / "smoke.json").write_text(json.dumps(suite))
    first = check(ctx, 0, "first run")
    ctx.expect(first["environment"].get("clock") == "virtual", f"environment: {first['environment']}")
    (ctx.work / "smoke.json").write_text(json.dumps({**suite, "clock": "real"}))
    with harness.case("clock-shot").busy_processes(busy):
        again = check(ctx, 0, "second run", "--ci", "--jobs", "2", "--clock", "virtual")
    for entry in again["checks"]:
        ctx.expect(entry["status"] == "passed" and not entry.get("unstable") and entry.get("attempts", 1) == 1,
                   f"{entry['id']}: {entry['status']}, {entry.get('error')}, {entry.get('unstable')}")
        ctx.expect(entry.get("diff", {}).get("pixels", 0) == 0, f"{entry['id']}: {entry.get('diff')}")
    shown = (ctx.work / "smoke.baselines").glob("*.png")
    ctx.expect(len({path.read_bytes() for path in shown}) == 5, "two checks have the same picture")
    return suite


def check(ctx, code, what, *args):
    ran = ctx.run(["check", "smoke.json", "--retries", "0", "--no-sandbox", *args], seconds=120)
    ctx.expect(ran.exit == code, f"{what}: exit {ran.exit}, not {code}: {ran.stderr[-600:]}")
    return json.loads((ctx.work / "smoke.report" / "results.json").read_text())


def refusals(ctx, suite):
    """Everything that cannot work is refused before a browser starts."""
    chrome = str(ctx.mark_chrome())
    real = {**suite, "clock": "real"}
    for given, args, code, words in (
            (suite, ["--chrome", chrome], 3, "chromium-headless-shell"),
            (suite, ["--headed", "--chrome", chrome], 2, "remove --headed"),
            (real, ["--chrome", chrome], 2, 'early@desktop: "at" needs a virtual clock'),
            ({**suite, "clock": "fast"}, [], 2, 'smoke.json:1:'),
            ({**suite, "checks": [{**suite["checks"][0], "at": -1}]}, [], 2, "checks[0].at")):
        (ctx.work / "smoke.json").write_text(json.dumps(given))
        ran = ctx.run(["check", "smoke.json", *args], complete=False)
        ctx.expect(ran.exit == code and words in ran.stderr, f"{args}: exit {ran.exit}, not {code}: {ran.stderr}")
    ctx.expect(not ctx.marked(), "a browser that cannot do it was started")
