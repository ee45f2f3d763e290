"""timeout, screenshots, retryOptions, logFilter and quality of a start apply to later actions without their own; run
--retry to those of a run."""
import json

from processes import SLOWNESS

BROWSER = "any"
TALK = "console.log('a'), console.warn('b'), console.error('c'), 1"
MISSING = {"selector": "#nothing-of-this-name"}
RETRY = {"maxRetries": 1, "retryDelay": 1, "retryOnErrors": ["TARGET_NOT_FOUND"]}


def said(response):
    return [log["message"] for log in response["logs"] if log["category"] == "console"]


def run(ctx):
    start = {"url": ctx.origin + "/shop/", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0}
    steps = [("start", {**start, "timeout": 20000, "screenshots": "none", "logFilter": {"minLevel": 3}, "retryOptions": RETRY}),
             ("evaluate", {"expression": TALK}),
             ("evaluate", {"expression": TALK, "logFilter": {"types": ["info"]}, "screenshots": "post"}),
             ("evaluate", {"expression": "new Promise(() => {})", "timeout": 500}),
             ("click", {**MISSING, "timeout": 1500}),
             ("click", {**MISSING, "timeout": 1500, "retryOptions": {"maxRetries": 0}}),
             ("start", {**start, "timeout": round(1000 * SLOWNESS)}),
             ("wait", {"selector": "#nothing-of-this-name"}),
             ("start", start),
             ("wait", {"selector": "#nothing-of-this-name"}),
             ("evaluate", {"expression": TALK})]
    result = ctx.run_batch(steps, "--screenshots", "both", "--timeout", str(round(30000 * SLOWNESS)))
    first, quiet, own, wedged, again, once, _, short, _, still, last = result.responses
    ctx.expect(first["success"] and "screenshots" not in first, f"start: {first.get('error')}, {first.keys()}")
    ctx.expect("screenshots" not in quiet and said(quiet) == ["b", "c"], f"as the start says: {said(quiet)}")
    ctx.expect("post" in own.get("screenshots", {}) and said(own) == ["a"], f"as the action says: {said(own)}")
    ctx.match(wedged, {"errorCode": "TIMEOUT"}, "its own timeout")
    ctx.match(again, {"errorCode": "TARGET_NOT_FOUND", "attempts": 2}, "retryOptions of the start")
    ctx.expect(once["errorCode"] == "TARGET_NOT_FOUND" and once.get("attempts", 1) == 1, f"its own: {once.get('attempts')}")
    for response in (short, still):
        ctx.match(response, {"success": False, "durationMs": {"$le": 12000}}, "the timeout of the second start, kept by the third")
    ctx.expect(said(last) == ["b", "c"] and "screenshots" not in last, f"after another start: {said(last)}")

    picture = ("screenshot", {})
    result = ctx.run_batch([("start", {**start, "quality": 5}), picture, ("screenshot", {"quality": 90}), ("start", start), picture,
                            ("start", {**start, "quality": 90}), picture], "--screenshots", "post", "--quality", "50")
    first, coarse, own, _, kept, _, fine = sizes = [len(result.picture(number)) for number in range(1, 8)]
    ctx.expect(first == coarse == kept < own == fine, f"quality of a start: {sizes}")

    click = ("click", {**MISSING, "timeout": 1500})
    result = ctx.run_batch([("start", start), click, ("click", {**click[1], "retryOptions": {"maxRetries": 0}}),
                            ("start", {**start, "retryOptions": {**RETRY, "maxRetries": 2}}), click],
                           "--screenshots", "none", "--retry", json.dumps(RETRY))
    tries = [response.get("attempts", 1) for response in result.responses]
    ctx.expect(tries == [1, 2, 1, 1, 3], f"--retry, own, of a start: {tries}")
    path = ctx.batch([("start", start)])
    for wrong in ("nonsense", '{"maxRetries": -1}', '{"retries": 1}', '{"retryOnErrors": ["NOPE"]}', "[]"):
        refused = ctx.run(["run", path, "--chrome", ctx.mark_chrome(), "--retry", wrong])
        ctx.expect(refused.exit == 2 and not ctx.marked() and "retryOptions" in refused.stderr,
                   f"--retry {wrong}: exit {refused.exit}, {refused.stderr}")
