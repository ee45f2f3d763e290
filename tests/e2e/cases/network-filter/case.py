"""networkFilter of an action, of start and of run; the default for models."""
import json

BROWSER = "any"


def run(ctx):
    check_filters(ctx)
    check_start(ctx)
    check_models(ctx)
    path = ctx.batch([("start", {"url": ctx.origin + "/"})])
    refused = ctx.run(["run", path, "--chrome", ctx.mark_chrome(), "--network-filter", "some"])
    ctx.expect(refused.exit == 2 and not ctx.marked() and "none" in refused.stderr, f"some: {refused.stderr}")


def step(name):
    """An action with a request of each kind: a frame's document, a script's request, a failed one, a picture."""
    script = """new Promise(done => {
        const frame = document.createElement('iframe');
        frame.src = '/echo?frame';
        const picture = new Image();
        picture.src = '/api/items?picture';
        frame.onload = () => fetch('/api/items?by-script').then(answer => answer.text())
            .then(() => fetch('/nothing-here').then(answer => answer.text())).then(() => setTimeout(done, 100));
        document.body.append(frame, picture);
    }).then(() => 1)"""
    return ("evaluate", {"expression": script, "awaitPromise": True, **({"networkFilter": name} if name else {})})


def sorts(response):
    return {event["type"] for event in response["networkEvents"]}


def check_filters(ctx):
    """Each filter shows what the previous one does, and the summary counts omitted requests."""
    names = ["none", "failed", "document", "xhr", "all"]
    ran = ctx.run_batch([("start", {"url": ctx.origin + "/redirected"})] + [step(name) for name in names],
                        "--screenshots", "none")
    everything = len(ran.responses[-1]["networkEvents"])
    ctx.expect(everything >= 4 and "networkSummary" not in ran.responses[-1], f"all: {ran.responses[-1]}")
    before = -1
    for name, response in zip(names, ran.responses[1:]):
        shown = response["networkEvents"]
        ctx.expect(len(shown) > before, f"{name} shows no more than the one before: {sorts(response)}")
        before = len(shown)
        if name != "all":
            ctx.match(response["networkSummary"], {"requests": everything, "leftOut": everything - len(shown),
                                                   "failed": {"$ge": 1}, "transferSize": {"$ge": 1}}, name)
        ctx.expect(response["metrics"]["networkErrors"] >= 1, f"{name}: failures are not counted")
    ctx.expect(all(event["status"] >= 400 for event in ran.responses[2]["networkEvents"]), "failed: not only these")
    ctx.expect("document" in sorts(ran.responses[3]) and "document" in sorts(ran.responses[4]), "document: no frame")
    ctx.expect("image" not in sorts(ran.responses[4]) and "fetch" in sorts(ran.responses[4]), "xhr: not just these")


def check_start(ctx):
    """--network-filter is for actions without a filter, until a start has one; the action's own overrides it."""
    start = {"url": ctx.origin + "/redirected"}
    ran = ctx.run_batch([("start", start), step(None), ("start", {**start, "networkFilter": "none"}), step(None), step("all")],
                        "--screenshots", "none", "--network-filter", "failed")
    counts = [len(response["networkEvents"]) for response in ran.responses]
    ctx.expect(counts[0] == 0 and counts[1] > 0, f"--network-filter failed: {counts}")
    ctx.expect(counts[2] == 0 and counts[3] == 0 and counts[4] >= 4, f"start: {counts}")


def check_models(ctx):
    steps = [("start", {"url": ctx.origin + "/redirected"}), step(None), step("all")]
    told = ctx.run_batch(steps, "--screenshots", "none", "--provider", "deepseek")
    answers = [json.loads(json.loads(line)["content"]) for line in told.stdout.splitlines()[:-1]]
    ctx.expect(all(event["status"] >= 400 for event in answers[1]["networkEvents"]) and
               answers[1]["networkSummary"]["leftOut"] >= 3, f"--provider: {answers[1]}")
    ctx.expect("networkSummary" not in answers[2], "an action's own filter does not win")
    plain = ctx.run_batch(steps, "--screenshots", "none")

    def history(*args):
        return [json.loads(line) for line in ctx.run(["history", *args], stdin=plain.stdout).stdout.splitlines()]

    cleaned = history("clean")
    ctx.expect(["networkSummary" in one for one in cleaned] == [True, True, False], "clean: not those before the last")
    ctx.expect("networkSummary" not in history("clean", "--network-filter", "all")[0], "clean: all is not all")
    converted = history("convert", "--provider", "deepseek")
    ctx.expect("networkSummary" in json.loads(converted[2]["content"]), "convert: a model is told of all")
