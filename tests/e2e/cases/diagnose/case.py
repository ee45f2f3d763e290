"""diagnose: conditions of steps, the report, its limits. diagnose-beside has its effects on the session."""
import json

from pictures import Picture

BROWSER = "shared"


def click(selector, **more):
    timeout = 400 if selector == "#missing" else 5000
    return {"action": {"type": "click", "selector": selector, "timeout": timeout}, **more}


def diagnose(ctx, steps, *args, before=(), after=(), **more):
    """Returns the answer to a diagnose on the page desk.html, the run, and the answers before and after."""
    batch = [("start", {"url": ctx.origin + "/case/desk.html"}), *before, ("diagnose", {"steps": steps, **more}), *after]
    ran = ctx.run_batch(batch, "--screenshots", "none", *args)
    ctx.expect(len(ran.responses) == len(batch), f"{len(ran.responses)} answers: {ran.stderr[-500:]}")
    return ran.response(2 + len(before)), ran


def run(ctx):
    check_success(ctx)
    check_failures(ctx)
    check_bounds(ctx)


def run_beside(ctx):
    check_error_limits(ctx)
    check_pictures_and_start(ctx)
    check_audit(ctx)
    check_invalid(ctx)
    check_secret_addresses(ctx)


def check_success(ctx):
    answer, ran = diagnose(ctx, [
        click("#save", label="save", expectedLogs=["SAVED * items"], noJsErrors=True, noNetworkErrors=True,
              customCondition="document.querySelector('#state').textContent === 'saved'"),
        click("#late", expectedLogs=["saved late"], customCondition="document.body.dataset.late"),
        {"label": "sum", "action": {"type": "evaluate", "expression": "6 * 7"}},
    ], label="all is well", logFilter={"categories": ["console"]}, after=[("evaluate", {"expression": "1"})])
    ctx.expect(ran.exit == 0, f"exit {ran.exit}: {answer.get('error')}")
    ctx.match(answer, {"success": True, "type": "diagnose", "label": "all is well", "title": "desk", "attempts": 1,
                       "metrics": {"jsErrors": 0, "networkErrors": 0, "totalErrors": 0}, "result": {
        "total": 3, "passed": 3, "failed": 0, "skipped": 0, "steps": [
            {"label": "save", "type": "click", "success": True, "jsErrors": 0, "networkErrors": 0,
             "matchedLogs": ["saved 3 items"], "url": ctx.origin + "/case/desk.html"},
            {"type": "click", "success": True, "matchedLogs": ["Saved late"]},
            {"label": "sum", "type": "evaluate", "success": True, "result": 42}]}}, "all is well")
    for step in answer["result"]["steps"]:
        ctx.expect("errors" not in step and step["durationMs"] <= answer["durationMs"], f"{step}")
    ctx.expect("stoppedBy" not in answer["result"], f"{answer['result']}")
    ctx.expect([log["message"] for log in answer["logs"]] == ["saved 3 items", "Saved late"], f"logs: {answer['logs']}")
    ctx.match(ran.response(3), {"id": 3, "result": 1}, "the action behind it")


def check_failures(ctx):
    steps = [click("#broken", label="break", noJsErrors=True),
             click("#unreachable", label="load", noNetworkErrors=True),
             click("#unread", label="unread", noNetworkErrors=True),
             click("#save", label="fine"),
             click("#missing", noJsErrors=True),
             click("#save", expectedLogs=["saved 3", "never said"], customCondition="document.title === 'other'"),
             click("#save", customCondition="nothing.there")]
    answer, ran = diagnose(ctx, steps, automated=True,
                           before=[("evaluate", {"expression": "1"})])
    ctx.expect(ran.exit == 1, f"exit {ran.exit}")
    ctx.match(answer, {
        "success": False, "errorCode": "EVAL_ERROR",
        "error": {"$regex": r'^3 of 7 steps failed: step 1 of 7 "break" \(click\): noJsErrors: 1 uncaught error, the first: '
                            r'.*missing is not defined$'},
        "metrics": {"jsErrors": 1, "networkErrors": {"$ge": 1}, "totalErrors": 3, "consecutiveErrors": 3},
        "result": {"total": 7, "passed": 0, "failed": 3, "skipped": 4, "stoppedBy": "errorLimit", "steps": [
            {"label": "break", "success": False, "jsErrors": 1,
             "errors": [{"condition": "noJsErrors", "errorCode": "EVAL_ERROR"}]},
            {"label": "load", "success": False, "errors": [
                {"condition": "noNetworkErrors", "errorCode": "NETWORK_ERROR",
                 "error": {"$regex": "^noNetworkErrors: GET .*/status/503 was answered with HTTP status 503$"},
                 "hint": {"$regex": "overloaded"}}]},
            {"label": "unread", "success": False, "errors": [
                {"condition": "noNetworkErrors", "error": {"$regex": "/status/50[03]"}}]},
            {"label": "fine", "type": "click", "skipped": True}, {"skipped": True}, {"skipped": True},
            {"skipped": True}]}}, "failures")
    ctx.expect(any(event["status"] == 503 for event in answer["networkEvents"] if "status" in event),
               f"networkEvents: {answer['networkEvents']}")

    # A setting has its option's name, also in the report.
    outside = {"type": "click", "xRange": {"min": 5000, "max": 5001}, "yRange": {"min": 0, "max": 1}, "timeout": 400}
    answer, _ = diagnose(ctx, [{"action": outside}])
    hint = "scroll first, or give a larger --viewport"
    ctx.match(answer, {"hint": hint, "result": {"steps": [{"errors": [{"condition": "action", "hint": hint}]}]}}, "hint")

    # The same without a limit of consecutive errors: all steps run.
    batch = [("start", {"url": ctx.origin + "/case/desk.html", "maxConsecutiveErrors": 0}),
             ("diagnose", {"steps": steps[3:], "automated": True})]
    answer = ctx.run_batch(batch, "--screenshots", "none").response(2)
    ctx.match(answer, {"success": False, "result": {"passed": 1, "failed": 3, "skipped": 0, "steps": [
        {"label": "fine", "success": True},
        {"success": False, "errors": [{"condition": "action", "errorCode": "TARGET_NOT_FOUND"}]},
        {"success": False, "matchedLogs": ["saved 3 items"], "errors": [
            {"condition": "expectedLogs", "errorCode": "TIMEOUT", "error": {"$regex": 'logged nothing with "never said"'}},
            {"condition": "customCondition", "errorCode": "EVAL_ERROR", "error": {"$regex": "did not become true"}}]},
        {"success": False, "errors": [{"condition": "customCondition", "errorCode": "EVAL_ERROR",
                                       "error": {"$regex": "nothing is not defined|did not become true"}}]}]}}, "all are run")

    # A missing page is reported as such.
    missing = {"action": {"type": "navigate", "url": ctx.origin + "/status/404"}, "noNetworkErrors": True}
    ctx.match(diagnose(ctx, [missing])[0], {
        "success": False, "errorCode": "NETWORK_ERROR", "errorCategory": "network",
        "error": {"$regex": r"status/404 was answered with HTTP status 404$"}, "hint": {"$regex": "no such page"}}, "404")

    # Not automated: runs up to the first failure, whose code the answer has; the session can continue.
    answer, ran = diagnose(ctx, [click("#save"), click("#missing", label="gone"), click("#counted")],
                           after=[("evaluate", {"expression": "window.count || 0"})])
    ctx.match(answer, {"success": False, "errorCode": "TARGET_NOT_FOUND",
                       "error": {"$regex": r'^step 2 of 3 "gone" \(click\): no element matches'},
                       "result": {"passed": 1, "failed": 1, "skipped": 1, "stoppedBy": "failure",
                                  "steps": [{"success": True}, {"success": False}, {"skipped": True}]}}, "first failure")
    ctx.match(ran.response(3), {"success": True, "result": 0}, "a step behind the failure was run")


def check_bounds(ctx):
    counting = [("evaluate", {"expression": "window.count || 0"})]
    answer, ran = diagnose(ctx, [click("#counted")] * 3, maxSteps=2, after=counting)
    ctx.match(answer, {"success": False, "errorCode": "LIMIT_EXCEEDED", "error": {"$regex": "1 of 3 steps were not run"},
                       "result": {"passed": 2, "failed": 0, "skipped": 1, "stoppedBy": "maxSteps"},
                       "metrics": {"totalErrors": 1}}, "maxSteps")
    ctx.match(ran.response(3), {"success": True, "result": 2}, "maxSteps: what was done")
    ctx.match(ran.summary, {"aborted": False, "failed": 1}, "maxSteps: summary")

    pause = {"action": {"type": "wait", "ms": 1200}}
    answer, ran = diagnose(ctx, [pause, pause, click("#counted")], sessionTimeoutMs=1400, after=counting)
    ctx.match(answer, {"success": False, "errorCode": "TIMEOUT", "result": {"skipped": {"$ge": 1}}}, "sessionTimeoutMs")
    ctx.match(ran.response(3), {"success": True, "result": 0}, "sessionTimeoutMs: a step was run too late")
    answer, _ = diagnose(ctx, [{"action": {"type": "wait", "ms": 900}}] * 2, sessionTimeoutMs=1100)
    ctx.match(answer["result"], {"passed": {"$le": 1}, "stoppedBy": {"$in": ["sessionTimeoutMs", "failure"]}},
              "no time for the second")


def check_error_limits(ctx):
    answer, ran = diagnose(ctx, [click("#missing", label=str(number)) for number in range(4)], automated=True,
                           after=[("evaluate", {"expression": "1"})])
    ctx.match(answer["result"], {"failed": 3, "skipped": 1, "stoppedBy": "errorLimit"}, "error limit")
    ctx.match(ran.response(3), {"success": False, "errorCode": "LIMIT_EXCEEDED"}, "behind the limit")
    ctx.match(ran.summary, {"aborted": True, "failed": 2}, "behind the limit")
    told = [log["message"] for log in answer["logs"] if log.get("category") == "session"]
    ctx.expect(len(told) == 1, f"the limit is told {len(told)} times: {told}")


def check_pictures_and_start(ctx):
    """The first step may open the page; pictures are taken before and after all steps."""
    url = ctx.origin + "/case/desk.html"
    ran = ctx.run_batch([("diagnose", {"steps": [{"action": {"type": "start", "url": url}}, click("#save")]}),
                         ("diagnose", {"steps": [click("#late"), click("#counted")]})])
    ctx.match(ran.response(1), {"success": True, "result": {"passed": 2}, "url": url}, "start as a step")
    ctx.expect(sorted(ran.stream.pictures) == [(1, "post"), (2, "post"), (2, "pre")], f"{sorted(ran.stream.pictures)}")
    for picture in ran.stream.pictures.values():
        ctx.match(Picture(picture).summary(), {"width": 1280, "height": 720, "blank": False}, "picture")
    ran = ctx.run_batch([("diagnose", {"steps": [click("#save")]})], profile=("--temp-profile",))  # a shared tab has a page
    ctx.match(ran.response(1), {"success": False, "errorCode": "INVALID_ACTION", "error": {"$regex": "no page is open"}},
              "no page")


def check_audit(ctx):
    path = ctx.work / "audit.ndjson"
    secret = "correct horse"
    diagnose(ctx, [{"label": "in", "action": {"type": "type", "selector": "#name", "text": secret}}, click("#save")],
             "--audit", path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    actions = [(line["id"], line["type"]) for line in lines if line["kind"] == "action"]
    ctx.expect(actions == [(1, "start"), (2, "type"), (2, "click"), (2, "diagnose")], f"audit: {actions}")
    ctx.expect(secret not in path.read_text(), "a secret is in the trail")


def check_invalid(ctx):
    """If a diagnose is invalid anywhere, no step runs."""
    save = {"type": "click", "selector": "#save"}
    wrong = [
        ("steps", {}, r'needs a "steps"'),
        ("empty", {"steps": []}, r"diagnose\.steps: has 0 items, not 1 to 100"),
        ("too many", {"steps": [{"action": save}] * 101}, r"has 101 items"),
        ("text", {"steps": "click"}, r"diagnose\.steps: "),
        ("no action", {"steps": [{"label": "x"}]}, r'diagnose\.steps\[0\]: needs a "action"'),
        ("unknown member", {"steps": [{"action": save, "expected": []}]}, r"steps\[0\]\.expected: is unknown"),
        ("label", {"steps": [{"action": save, "label": ""}]}, r"steps\[0\]\.label: is empty"),
        ("logs", {"steps": [{"action": save, "expectedLogs": "x"}]}, r"steps\[0\]\.expectedLogs: takes an array"),
        ("boolean", {"steps": [{"action": save, "noJsErrors": 1}]}, r"steps\[0\]\.noJsErrors: takes true or false"),
        ("no type", {"steps": [{"action": {}}]}, r"steps\[0\]\.action\.type: is missing"),
        ("type", {"steps": [{"action": save}, {"action": {"type": "clik"}}]},
         r'steps\[1\]\.action: unknown action type "clik"(.|\n)*did you mean "click"'),
        ("parameter", {"steps": [{"action": save}, {"action": save}, {"action": {"type": "click", "selector": 5}}]},
         r"diagnose\.steps\[2\]\.action\.selector: takes text, not a number"),
        ("two targets", {"steps": [{"action": {**save, "testId": "x"}}]}, r"steps\[0\]\.action: takes one of"),
        ("diagnose", {"steps": [{"action": {"type": "diagnose", "steps": [{"action": save}]}}]},
         r"steps\[0\]\.action: diagnose cannot be a step"),
        ("stop", {"steps": [{"action": {"type": "stop"}}]}, r"stop cannot be a step"),
        ("screenshot", {"steps": [{"action": {"type": "screenshot"}}]}, r"screenshot cannot be a step"),
        ("pictures", {"steps": [{"action": {**save, "screenshots": "post"}}]}, r"action\.screenshots: "),
        ("retries", {"steps": [{"action": save}], "retryOptions": {}}, r"diagnose\.retryOptions: "),
        ("maxSteps", {"steps": [{"action": save}], "maxSteps": 0}, r"diagnose\.maxSteps: 0 is not between 1 and 100"),
    ]
    for what, parameters, pattern in wrong:
        ran = ctx.run(["run", ctx.batch([("diagnose", parameters)]), "--chrome", ctx.mark_chrome()])
        ctx.expect(ran.exit == 2, f"{what}: exit {ran.exit}")
        ctx.match(ran.stderr, {"$regex": r"line 2, column \d+: (.|\n)*" + pattern}, what)
    ctx.expect(not ctx.marked(), "Chrome was started")
    cdata = ("<browser_action><type>start</type><url>about:blank</url></browser_action><browser_action><type>diagnose</type>"
             "<steps><![CDATA[[{\"action\": {\"type\": \"wait\", \"ms\": 1}, \"customCondition\": \"1 < 2 && 2 > 1\"}]]]></steps>"
             "</browser_action>")
    ran = ctx.run(["run", "-", *ctx.usual_args(), "--screenshots", "none"], stdin=cdata)
    ctx.match(ran.response(2), {"success": True, "result": {"passed": 1}}, "CDATA")


def check_secret_addresses(ctx):
    """Secrets in an address are masked in the report, as in logs and errors."""
    address = ctx.origin + "/status/503?token=hunter2&page=3"
    quoted = json.dumps(address)
    answer, _ = diagnose(ctx, [
        {"action": {"type": "evaluate", "expression": f"console.log('went to', {quoted})"},
         "expectedLogs": ["went to"]},
        {"action": {"type": "evaluate", "expression": f"fetch({quoted}).then(() => 0)"}, "noNetworkErrors": True},
        {"action": {"type": "evaluate", "expression": "0"},
         "customCondition": f"(() => {{ throw new Error('not from ' + {quoted}) }})()"},
        {"action": {"type": "evaluate", "expression": f"throw new Error('no ' + {quoted})"}},
    ], automated=True, logFilter={"types": ["debug"]})
    answer.pop("networkEvents", None)
    written = json.dumps(answer)
    ctx.expect("hunter2" not in written and written.count("token=***&page=3") >= 4, f"addresses: {written}")
