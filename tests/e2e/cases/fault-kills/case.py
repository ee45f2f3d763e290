"""Kills at random moments while actions run: each action is answered, and truthfully. fault-fifty-kills has more of them."""
import os
import random
import signal
import time

from harness import Failure
from faults import (CRASHES, MAY_HAVE_ARRIVED, NO_LIMITS, board, brief, chrome, expect_shade, send,
                    until)

BROWSER = "any"


def run(ctx):
    try_kills(ctx, 8, 5)


def try_kills(ctx, rounds, kills):
    """Makes this many kills in this many rounds of five actions."""
    seed = int(os.environ.get("E2E_SEED", random.randrange(10 ** 6)))
    chance = random.Random(seed)
    try:
        check(ctx, kills, *torment(ctx, chance, rounds, kills))
    except Failure as failure:
        ctx.problem(str(failure))
    if ctx.problems:
        ctx.problem(f"the seed was {seed}; E2E_SEED={seed} takes it again")


def shade(number):
    return 30 + 5 * number


def torment(ctx, chance, rounds, kills):
    steps = [("start", {"url": board(ctx, 20), **NO_LIMITS})]
    for i in range(rounds):
        steps += [("navigate", {"url": board(ctx, shade(i))}), ("click", {"selector": f"#c{i}"}),
                  ("type", {"selector": f"#t{i}", "text": "x"}), ("screenshot", {}),
                  ("evaluate", {"expression": f"tell('e{i}'); location.href"})]
    steps = [(kind, {**parameters, "label": f"{i}"}) for i, (kind, parameters) in enumerate(steps, 1)]
    path = ctx.batch(steps)
    process = ctx.start(["run", path, "--temp-profile", "--screenshots", "explicit", "--timeout", "20000",
                         *ctx.browser_args()])
    # The last actions may be over before their kill.
    chosen = set(chance.sample(range(1, len(steps) - 15), kills))
    killed = due = unsettled = 0
    for number in range(1, len(steps) + 1):
        process.line(25)
        due += number in chosen
        unsettled -= unsettled > 0
        if not due or unsettled or number > len(steps) - 5:
            continue
        due -= 1
        # At any moment of the following actions; sometimes again as soon as there is a new browser.
        time.sleep(chance.random() * 0.12)
        for _ in range(1 + (killed < kills - 1 and chance.random() < 0.2)):
            pids = until(lambda: chrome(ctx), "a browser", 10)
            send(pids, signal.SIGKILL)
            killed += 1
            until(lambda: not set(pids) & set(chrome(ctx)), "it ends")
        # These answers came before the kill, and the next one is of the action that was hit. Another kill during that
        # action would exceed its number of browser starts, from which no recovery is possible.
        unsettled = process.lines.qsize() + 1
    return process.wait(), steps, killed


def check(ctx, kills, done, steps, killed):
    # If the kills were slower than the program, some were still due when the actions were over.
    ctx.expect(killed >= kills * 0.5, f"only {killed} kills")
    ctx.expect(len(done.responses) == len(steps), f"{len(done.responses)} answers to {len(steps)} actions")
    counts, url = ctx.counts(), board(ctx, 20)
    recovered = 0
    for response, (kind, parameters) in zip(done.responses, steps):
        what = f"response {response['id']} ({kind})"
        before = len(ctx.problems)
        ctx.match(response, {"type": kind, "label": parameters["label"]}, what)
        recovered += response["recovered"]
        if response["success"]:
            url = parameters.get("url", url)
            ctx.expect(response["url"] == url, f"{what}: at {response['url']}, not {url}")
        else:
            ctx.match(response, {"errorCode": CRASHES}, what)
            ctx.expect(kind not in ("start", "navigate", "screenshot"), f"{what}: was not repeated")
        if kind == "screenshot" and response["success"]:
            grey = int(url.partition("shade=")[2])
            expect_shade(ctx, done.picture(response["id"]), grey, what)
        if kind == "evaluate" and response["success"]:
            ctx.match(response, {"result": url}, what)
        if kind in ("click", "type", "evaluate"):
            check_count(ctx, response, counts, parameters, what)
        if len(ctx.problems) > before:
            ctx.problem(f"{what} was: {brief(response)}")
    # Two kills may hit one action, in particular on a busy machine.
    ctx.expect(recovered >= killed * 0.4, f"{killed} kills, but {recovered} recoveries")


def check_count(ctx, response, counts, parameters, what):
    """Compares what arrived at the server with the answer."""
    name = parameters["selector"][1:] if "selector" in parameters else \
        parameters["expression"].partition("'")[2].partition("'")[0]
    came = counts.get(name, 0)
    if response["success"]:
        ctx.expect(came == 1, f"{what}: succeeded, but {name} arrived {came} times")
        return
    ctx.expect(came <= 1, f"{what}: failed, and {name} arrived {came} times")
    said = MAY_HAVE_ARRIVED.search(str(response.get("hint")) + str(response["logs"]))
    ctx.expect(said or came == 0, f"{what}: {name} arrived, and nothing says that it may have")
