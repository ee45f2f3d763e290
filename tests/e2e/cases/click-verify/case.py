"""click with visualVerify: what counts as a change, where it clicks, and what it logs."""
import re

from harness import batch

BROWSER = "any"
VERIFY = {"visualVerify": True}
RING = {"xRange": {"min": 400, "max": 600}, "yRange": {"min": 100, "max": 300}}
HOLE = {"xRange": {"min": 460, "max": 540}, "yRange": {"min": 160, "max": 240}}
SEED = 4  # its second point is outside the hole
CLICK = re.compile(r"click (\d) of at most 3, at ([\d.]+),([\d.]+) in x (\d+) to (\d+), y (\d+) to (\d+): "
                   r"(.*); [\d.e+-]+ % of the viewport moves by itself; seed (\d+)$")


def tries(response):
    """Returns the log of each click."""
    said = [CLICK.match(log["message"]) for log in response["logs"] if log.get("category") == "click"]
    return [[float(number) for number in one.groups()[1:3]] + [one[8], int(one[9])] for one in said if one]


# (parameters of the click, error code or None, elements that saw a click, words of the last log)
STILL = [
    ({"selector": "#box"}, None, ["box"], "% of the pixels changed, in x "),
    ({"selector": "#canvas"}, None, ["canvas"], "0.651 % of the pixels changed, in x 60 to 160, y 20 to 80"),
    ({"selector": "#dead"}, "NO_VISUAL_CHANGE", ["dead"] * 3, "nothing changed"),
    ({"selector": "#hover"}, "NO_VISUAL_CHANGE", ["hover"] * 3, "nothing changed"),
    ({"selector": "#springy"}, "NO_VISUAL_CHANGE", ["springy"] * 3, "nothing changed"),
    ({"selector": "#toggles"}, None, ["toggles"], "of the pixels changed"),
    ({"selector": "#late"}, None, ["late"], "in x 7"),
    ({"selector": "#alert"}, None, ["alert"], "a dialog, a download or a new tab appeared"),
    ({"selector": "#nowhere"}, "NO_VISUAL_CHANGE", ["nowhere"] * 3, "nothing changed"),
    ({"selector": "#once"}, "NO_VISUAL_CHANGE", ["once"], "nothing changed"),
    ({**RING, "visualSeed": SEED}, None, ["hole", "ring"], "of the pixels changed"),
    ({**HOLE, "visualSeed": SEED}, "NO_VISUAL_CHANGE", ["hole"] * 3, "nothing changed"),
    ({"x": 500, "y": 200}, "NO_VISUAL_CHANGE", ["hole"] * 3, "nothing changed"),
    ({"selector": "#ring", "position": {"x": 5, "y": 6}}, None, ["ring"], "of the pixels changed"),
    ({"selector": "#canvas", "visualThreshold": 0.005}, None, ["canvas"], "of the pixels changed"),
    ({"selector": "#canvas", "visualThreshold": 0.05}, "NO_VISUAL_CHANGE", ["canvas"] * 3, "of the pixels changed"),
    ({"selector": "#away"}, None, None, "a navigation began"),
]
MOVING = [
    ({"selector": "#dead"}, "NO_VISUAL_CHANGE", ["dead"] * 3, "nothing changed"),
    ({"selector": "#alive"}, None, ["alive"], "of the pixels changed"),
]
CARET = [({"selector": one}, "NO_VISUAL_CHANGE", [one[1:]] * 3, "nothing changed") for one in ("#dead", "#blurs")]
FRAMED = [
    ({"selector": "#alive", "frame": "other"}, None, [], "of the pixels changed"),
    ({"selector": "#dead", "frame": "other"}, "NO_VISUAL_CHANGE", [], "nothing changed"),
    ({"selector": "#field", "frame": "other"}, None, [], "of the pixels changed"),  # its ring
    ({"xRange": {"min": 41, "max": 500}, "yRange": {"min": 50, "max": 70}}, "NO_VISUAL_CHANGE",
     ["dead"] * 3, "nothing changed"),
]


def click_all(ctx, pages):
    """Clicks the listed elements of each page, and returns the run."""
    url = f"{ctx.origin}/case/"
    steps, expected = [], []
    for page, cases in pages:
        steps.append(("navigate" if steps else "start", {
            "url": url + page, **({} if steps else {"maxConsecutiveErrors": 0, "totalErrorThreshold": 0})}))
        expected.append(None)
        for parameters, *outcome in cases:
            steps.append(("click", {**VERIFY, **parameters}))
            steps.append(("evaluate", {"expression": "[window.clicks && window.clicks.splice(0),"
                                       " document.adoptedStyleSheets.length]"}))
            expected += [(parameters, *outcome), None]
    result = ctx.run(["run", ctx.file("batch.xml", batch(steps)), "--temp-profile", "--screenshots", "none",
                      *ctx.browser_args()], seconds=110)
    ctx.expect(len(result.responses) == len(steps), f"{len(result.responses)} responses")

    for response, after, case in zip(result.responses, result.responses[1:], expected):
        if not case:
            continue
        parameters, code, clicked, words = case
        what = f"{response['id']}: {parameters}"
        said = tries(response)
        ctx.expect(response.get("errorCode") == code, f"{what}: {response.get('errorCode')}: {response.get('error')}")
        ctx.expect(said, f"{what}: no log says where it clicked")
        ctx.expect(said and re.search(words, said[-1][2]), f"{what}: {said}")
        ctx.expect(after["result"] == [clicked, 0], f"{what}: {after['result']}")
        if code:
            points = [f"{x:g},{y:g}" for x, y, _, _ in said]
            ctx.expect(all(point in response["error"] for point in points), f"{what}: {points}: {response['error']}")
            ctx.expect(response.get("hint"), f"{what}: no hint")
    return result


def run(ctx):
    result = click_all(ctx, [("still.html", STILL)])

    # The points of a seed are repeatable, inside the range, the middle first.
    first = tries(result.response(2 * STILL.index(next(one for one in STILL if "visualSeed" in one[0])) + 2))
    hole = tries(result.response(2 * [one[0] for one in STILL].index({**HOLE, "visualSeed": SEED}) + 2))
    ctx.expect(first[0][:2] == [500, 200] and hole[0][:2] == [500, 200], f"not the middle: {first}, {hole}")
    for (x, y, _, seed), (u, v, _, _) in zip(first[1:], hole[1:]):
        ctx.expect(seed == SEED and 400 <= x <= 600 and 100 <= y <= 300, f"outside of its range: {first}")
        ctx.expect(abs((x - 400) / 200 - (u - 460) / 80) < 0.01, f"not the same point: {first}, {hole}")

    # Invalid combinations are refused before anything runs.
    for parameters, word in (({"visualThreshold": 0.1}, "visualThreshold"), ({"visualSeed": 1}, "visualSeed"),
                             ({**VERIFY, "visualThreshold": 1.5}, "visualThreshold"),
                             ({**VERIFY, "visualThreshold": -0.1}, "visualThreshold"),
                             ({**VERIFY, "visualSeed": -1}, "visualSeed"),
                             ({"visualVerify": "often"}, "visualVerify")):
        wrong = ctx.run(["run", ctx.file("wrong.xml", batch([("click", {"selector": "#box", **parameters})])),
                         "--chrome", ctx.mark_chrome()])
        ctx.expect(wrong.exit == 2 and word in wrong.stderr, f"{parameters}: exit {wrong.exit}: {wrong.stderr}")
    ctx.expect(not ctx.marked(), "a browser was started for bad input")
