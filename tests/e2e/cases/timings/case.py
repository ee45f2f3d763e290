"""`timings` of an action: each wait with a name and its milliseconds; also in the debug files."""
import json
import pathlib

from harness import batch

BROWSER = "shared"


def names(waits):
    return [wait["what"].split(" ")[-1].removeprefix("elements.") for wait in waits]


def check_order(ctx, response):
    """Waits follow each other, within the action's time."""
    end = 0
    for wait in response["timings"]:
        ctx.expect(wait["atMs"] >= end - 0.02, f"{wait} begins before {end}")
        end = wait["atMs"] + wait["ms"]
    ctx.expect(end <= response["durationMs"] + 1, f"waits until {end} of {response['durationMs']} ms")


def run(ctx):
    steps = [
        ("start", {"url": f"{ctx.origin}/e2e/board.html", "timings": True}),
        ("click", {"selector": "#c0", "timings": True}),
        ("evaluate", {"expression": "new Promise((done) => setTimeout(done, 120))", "timings": True}),
        ("wait", {"ms": 60, "timings": True}),
        ("click", {"selector": "#c0", "debug": True}),
    ]
    path = ctx.file("timings.xml", batch(steps))
    result = ctx.run(["run", path, "--temp-profile", "--debug-dir", ctx.work / "debug"])
    start, click, evaluate, wait, last = result.responses[:5]
    for response in (start, click, evaluate, wait):
        check_order(ctx, response)
    ctx.expect("Page.navigate" in names(start["timings"]), f"start: {names(start['timings'])}")
    for name in ("aim", "steady", "Input.dispatchMouseEvent", "arrived"):
        ctx.expect(name in names(click["timings"]), f"click: no {name} in {names(click['timings'])}")
    ctx.expect(max(one["ms"] for one in evaluate["timings"]) >= 115, f"evaluate: {evaluate['timings']}")
    pauses = [one["ms"] for one in wait["timings"] if one["what"] == "the end of a pause"]
    ctx.expect(len(pauses) == 1 and 55 <= pauses[0], f"wait: {wait['timings']}")
    ctx.expect("timings" not in last, "timings without being asked for")
    directory = pathlib.Path(last["debugFiles"]["directory"])
    (entry,) = json.loads((directory / "metadata.json").read_text())["actions"]
    ctx.expect("steady" in names(entry["timings"]), f"debug files: {entry.get('timings')}")
