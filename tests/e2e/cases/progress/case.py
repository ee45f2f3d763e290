"""run --progress: lines that say what a running action does; none without the option."""
import json

from faults import kill
from harness import instruction
from stream import schema_problems

BROWSER = "shared"


def run(ctx):
    slow = [("start", {"url": ctx.origin + "/slow?ms=1500&headers=1"}),
            ("click", {"selector": "#nowhere", "timeout": 3500}),
            ("evaluate", {"expression": "new Promise(() => 0)", "timeout": 1500,
                          "retryOptions": {"maxRetries": 1, "retryDelay": 10, "retryOnErrors": ["TIMEOUT"]}}),
            ("wait", {"text": "that nobody says", "timeout": 3500})]
    ran = ctx.run_batch(slow, "--screenshots", "none", "--progress")
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    told = {}
    for number, line in enumerate(lines):
        if line["kind"] != "progress":
            continue
        for fault in schema_problems(line, "progress"):
            ctx.problem(f"{line}: {fault}")
        told.setdefault(line["id"], []).append(line)
        answer = next(i for i, one in enumerate(lines) if one["kind"] == "response" and one["id"] == line["id"])
        ctx.expect(number < answer, f"behind the answer: {line}")
    states = {number: [line["state"] for line in lines] for number, lines in told.items()}
    ctx.expect(all(one[0] == "begun" for one in states.values()) and set(states) == {1, 2, 3, 4}, f"begun: {states}")
    ctx.expect(states[1].count("loading") == 2 and states[1][-1] == "loaded" and "waiting" in states[1], f"a load: {states[1]}")
    first, slow_load = (line for line in told[1] if line["state"] == "loading")
    ctx.expect("text" not in first and slow_load["url"] == first["url"] and "a second" in slow_load["text"]
               and slow_load["elapsedMs"] >= 900, f"a slow load: {first}, {slow_load}")
    ctx.expect(told[1][-1].get("url", "").endswith("/slow?ms=1500&headers=1"), f"a load: {told[1][-1]}")
    waits = [line for line in told[2] if line["state"] == "waiting"]
    ctx.expect(1 <= len(waits) <= 4 and any("#nowhere" in line["text"] for line in waits) and 400 <= waits[0]["elapsedMs"] <= 3500,
               f"what is waited for: {told[2]}")
    ctx.expect([line["type"] for line in told[2]] == ["click"] * len(told[2]), f"type: {told[2]}")
    ctx.expect("retrying" in states[3], f"another try: {states[3]}")
    ctx.expect(any("that nobody says" in line.get("text", "") for line in told[4]), f"a text: {told[4]}")
    for verb in ("convert", "clean"):
        result = ctx.run(["history", verb], stdin=ran.stdout)
        ctx.expect(result.exit == 0 and result.stdout.count(b"\n") == 4, f"history {verb}: {result.exit}, {result.stderr}")
    plain = ctx.run_batch(slow[:2], "--screenshots", "none")
    ctx.expect(b'"progress"' not in plain.stdout, "without --progress there is some")
    check_recovery(ctx)


def check_recovery(ctx):
    """The browser is killed between two actions: the recovery is reported before the answer."""
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", "--progress", *ctx.browser_args()])

    def act(kind, **parameters):
        talk.send(instruction(kind, parameters) + "\n")
        told = [talk.line(30)]
        while told[-1]["kind"] != "response":
            told.append(talk.line(30))
        return told

    act("start", url=ctx.origin + "/redirected")
    kill(ctx)
    told = act("evaluate", expression="6 * 7")
    states = [line.get("state") for line in told]
    ctx.expect(told[-1].get("result") == 42 and told[-1]["recovered"], f"the answer: {told[-1]}")
    ctx.expect([one for one in states if one in ("begun", "recovering", "recovered")] == ["begun", "recovering", "recovered"],
               f"a recovery: {told[:-1]}")
    talk.close_stdin()
    talk.wait()
