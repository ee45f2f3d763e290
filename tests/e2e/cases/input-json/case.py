"""Instructions as JSON: lines, arrays, objects over several lines; on streams and in files."""
import json

BROWSER = "shared"

STEPS = [{"type": "start", "url": "http://127.0.0.1:8765/shop/"},
         {"type": "evaluate", "expression": "6 * 7", "screenshots": "none"},
         {"type": "click", "selector": "#add-kettle", "timeout": 5000}]


def run(ctx):
    lines = ctx.adapt("".join(json.dumps(step) + "\n" for step in STEPS))
    for name, text in [("lines", lines), ("array", ctx.adapt(json.dumps(STEPS))),
                       ("pretty", ctx.adapt(json.dumps(STEPS, indent=2)))]:
        ran = ctx.run_batch(ctx.file(name + ".json", text), "--screenshots", "none")
        ctx.expect(ran.exit == 0, f"{name}: exit {ran.exit}: {ran.stderr}")
        ctx.match([one["type"] for one in ran.responses], ["start", "evaluate", "click"], name)
        ctx.match(ran.responses[1], {"result": 42}, name)
    check_stream(ctx)
    check_files(ctx, lines)


def check_stream(ctx):
    """Each is answered when its last bracket is read, invalid ones too, and the stream continues."""
    talk = ctx.start(["run", "-", *ctx.usual_args(), "--screenshots", "none"])

    def ask(text):
        talk.send(text)
        return talk.line(30)

    ctx.match(ask(json.dumps(STEPS[0])), {"id": 1, "success": True}, "without an end of its line")
    ctx.match(ask('\n{"type": "evaluate",\n "expression":\n'
                  ' "2 + 3"}'), {"id": 2, "result": 5}, "over several lines")
    wrong = [('\nHere it is:\n', "line 5, column 1: text outside of an instruction"),
             ('{"type": "click", "selctor": "#go"}\n', 'line 6, column 19: click.selctor: is not a parameter'),
             ('{"type": "click" "selector": "#go"}\n', "line 7, column 27: not JSON"),
             ('{"type": "evaluate", "expression": "1\n', "line 8, column 38: the line ends inside of a string"),
             ('{"type": "evaluate", "type": "back"}\n', 'line 9, column 22: "type" is given twice')]
    for number, (text, message) in enumerate(wrong, 3):
        answer = ask(text)
        ctx.match(answer, {"id": number, "success": False, "errorCode": "INVALID_ACTION"}, text)
        ctx.expect(answer["error"].startswith(message) and answer.get("hint"), f"{text}: {answer['error']}")
    ctx.match(ask('{"type": "evaluate", "expression": "3 + 4"}\n'), {"id": 8, "success": True, "result": 7}, "behind them")
    talk.close_stdin()
    ctx.expect(talk.wait().exit == 1, "exit")


def check_files(ctx, lines):
    """A file is checked as a whole before Chrome is started."""
    for text, message in [
            (lines + '{"type": "clik"}\n', r'wrong\.json: line 4, column 1: unknown action type "clik"(.|\n)*did you mean "click"'),
            (lines + "[" + lines, r"wrong\.json: line 7, column 1: the input ends inside of an array"),
            (lines + "<type>back</type>", r"wrong\.json: line 4, column 1: text outside of an instruction")]:
        refused = ctx.run(["run", ctx.file("wrong.json", text), "--chrome", ctx.mark_chrome()])
        ctx.expect(refused.exit == 2 and not refused.stdout, f"exit {refused.exit}")
        ctx.match(refused.stderr, {"$regex": message}, "stderr")
    ctx.expect(not ctx.marked(), "Chrome was started")
