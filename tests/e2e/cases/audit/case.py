"""--audit: one line for each action and step, secrets masked, readable after a kill, appended to."""
import datetime
import json
import signal

import processes

BROWSER = "any"
SECRET = "correct horse"


def lines_of(ctx, path):
    """Returns the lines of an audit trail as JSON; none may be broken."""
    content = path.read_bytes()
    ctx.expect(content.endswith(b"\n"), f"{path.name} does not end with a whole line")
    lines = [json.loads(line) for line in content.splitlines()]
    for line in lines:
        ctx.match(line, {"time": {"$regex": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"},
                         "session": {"$regex": r"^\S+$"}, "kind": {"$in": ["action", "step"]}}, "line")
        ctx.expect(None not in line.values(), f"null in {line}")
    return lines


def actions_of(lines):
    return [line for line in lines if line["kind"] == "action"]


def whole_run(ctx, path):
    began = datetime.datetime.now(datetime.timezone.utc)
    result = ctx.run_batch([
        ("start", {"url": ctx.origin + "/shop/checkout.html?access_token=abc&page=2"}),
        ("type", {"selector": "#street", "text": SECRET}),
        ("evaluate", {"expression": "6 * 7"}),
        ("click", {"selector": "#is-not-there", "timeout": 500}),
        ("stop", {}),
    ], "--screenshots", "none", "--audit", path)
    ended = datetime.datetime.now(datetime.timezone.utc)
    lines = lines_of(ctx, path)
    actions = actions_of(lines)
    ctx.expect([line["type"] for line in actions] == ["start", "type", "evaluate", "click", "stop"],
               f"actions: {actions}")
    if len(actions) != len(result.responses):
        return
    for line, response in zip(actions, result.responses):
        for name in ("id", "type", "success", "errorCode", "attempts", "recovered", "durationMs"):
            ctx.expect(line.get(name) == response.get(name),
                       f"{name} of {line} is not that of the response: {response.get(name)}")
        # Before 3.11 Python does not parse "Z".
        time = datetime.datetime.fromisoformat(line["time"].replace("Z", "+00:00"))
        slack = datetime.timedelta(milliseconds=2)
        ctx.expect(began - slack <= time <= ended + slack, f"time: {line['time']}")
    ctx.expect(len({line["generation"] for line in actions[:4]}) == 1, "the browser's generation changed")
    ctx.match(actions[0], {"success": True, "action": {"url": ctx.origin + "/shop/checkout.html?access_token=***&page=2"},
                           "url": ctx.origin + "/shop/checkout.html?access_token=***&page=2"}, "start")
    ctx.match(actions[1], {"action": {"selector": "#street", "text": "*** (13 characters)"}}, "type")
    ctx.match(actions[2], {"action": {"expression": "6 * 7"}, "success": True}, "evaluate")
    ctx.match(actions[3], {"success": False, "errorCode": "TARGET_NOT_FOUND",
                           "error": {"$regex": "is-not-there"}}, "click")
    ctx.expect(len({line["session"] for line in lines}) == 1, "one run, several sessions")
    text = path.read_text()
    ctx.expect(SECRET not in text and "abc" not in text, f"a secret is in the trail: {text}")
    ctx.expect(path.stat().st_mode & 0o777 == 0o600, f"mode {path.stat().st_mode:o}")


def killed_run(ctx, path):
    """Lines written before a kill are there; the next run appends to them."""
    before = len(lines_of(ctx, path))
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", "--audit", path,
                      *ctx.browser_args()])
    talk.send("<batch><browser_action><type>start</type><url>about:blank</url></browser_action>")
    ctx.match(talk.line(30), {"id": 1, "success": True}, "start")
    talk.send("<browser_action><type>evaluate</type><expression>1 + 1</expression></browser_action>"
              "<browser_action><type>wait</type><ms>60000</ms></browser_action>")
    ctx.match(talk.line(), {"id": 2, "success": True}, "evaluate")
    talk.signal(signal.SIGKILL)
    talk.wait(5, complete=False)
    ctx.leftovers_allowed = True
    ctx.expect(not processes.wait_until_gone(ctx.stray, 10), "Chrome is still there")
    added = lines_of(ctx, path)[before:]
    ctx.expect([line["type"] for line in actions_of(added)] == ["start", "evaluate"], f"added: {added}")

    with path.open("ab") as file:
        file.write(b'{"time":"2026-11-22T10:00:')
    ctx.run_batch([("start", {"url": "about:blank"})], "--screenshots", "none", "--audit", path)
    lines = path.read_bytes().splitlines()
    broken = [i for i, line in enumerate(lines) if not line.endswith(b"}")]
    ctx.expect(broken == [before + len(added)], f"broken lines: {broken} of {len(lines)}")
    behind = [json.loads(line) for line in lines[before + len(added) + 1:]]
    ctx.expect([line["type"] for line in actions_of(behind)] == ["start"], f"behind it: {behind}")
    ctx.expect(behind[0]["session"] != added[0]["session"], "two runs, one session")


def restarted_browser(ctx, path):
    """The browser is killed: the steps of the recovery are lines, and the generation is incremented."""
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", "--audit", path,
                      *ctx.browser_args()])
    talk.send("<batch><browser_action><type>start</type><url>http://127.0.0.1:8765/shop/</url></browser_action>")
    ctx.match(talk.line(30), {"id": 1, "success": True}, "start")
    processes.kill(pid for pid in ctx.stray() if pid != talk.pid
                   and b"--type=" not in processes.read(pid, "cmdline")
                   and b"remote-debugging-pipe" in processes.read(pid, "cmdline"))
    talk.send("<browser_action><type>start</type><url>http://127.0.0.1:8765/spa/</url></browser_action></batch>")
    ctx.match(talk.line(30), {"success": True}, "start again")
    talk.close_stdin()
    talk.wait()
    lines = lines_of(ctx, path)
    actions = actions_of(lines)
    steps = [line for line in lines if line["kind"] == "step"]
    ctx.expect(steps, "no step of the recovery is in the trail")
    for line in steps:
        ctx.match(line, {"step": {"$regex": r"\S"}}, "step")
    ctx.expect(len(actions) == 2 and actions[0]["generation"] < actions[1]["generation"],
               f"generations: {[line.get('generation') for line in actions]}")


def refused_start(ctx, path):
    """A step names settings like the response: as options."""
    ctx.run_batch([("start", {"url": "about:blank"})], "--audit", path, "--chrome-arg=--headless")
    steps = [line for line in lines_of(ctx, path) if line["kind"] == "step"]
    ctx.expect([step.get("detail") for step in steps] == ["--chrome-arg --headless is refused"], f"steps: {steps}")


def unusable(ctx):
    """An unwritable file is detected before anything runs; a full disk does not end the run."""
    batch = ctx.batch([("start", {"url": "about:blank"})], "unusable.xml")
    for path, reason in ((ctx.work, "directory"), (ctx.work / "no" / "audit.jsonl", "No such file")):
        refused = ctx.run(["run", batch, "--audit", path, "--chrome", ctx.mark_chrome(), "--no-sandbox"])
        ctx.expect(refused.exit == 2, f"{path}: exit {refused.exit}")
        ctx.match(refused.stderr, {"$regex": f"{path}.*{reason}"}, "stderr")
        ctx.expect(not ctx.marked(), "Chrome was started")
    full = ctx.run_batch([("start", {"url": "about:blank"}), ("evaluate", {"expression": "1"}),
                          ("evaluate", {"expression": "2"})], "--screenshots", "none", "--audit", "/dev/full")
    ctx.expect(full.exit == 0, f"a full disk: exit {full.exit}: {full.stderr}")
    warnings = [log for response in full.responses for log in response["logs"]
                if "/dev/full" in log["message"]]
    ctx.expect(len(warnings) == 1 and warnings[0]["type"] in ("warning", "error"),
               f"a full disk is to be told of once: {warnings}")


def run(ctx):
    unusable(ctx)
    path = ctx.work / "audit.jsonl"
    whole_run(ctx, path)
    killed_run(ctx, path)
    restarted_browser(ctx, ctx.work / "restarted.jsonl")
    refused_start(ctx, ctx.work / "refused.jsonl")
    shot = ctx.run(["shot", "about:blank", "-o", "shot.jpg", "--temp-profile", "--audit", "shot.jsonl",
                    *ctx.browser_args()])
    ctx.expect(shot.exit == 0, f"shot: exit {shot.exit}")
    ctx.expect([line["type"] for line in actions_of(lines_of(ctx, ctx.work / "shot.jsonl"))]
               == ["start", "screenshot"], "the actions of shot")
