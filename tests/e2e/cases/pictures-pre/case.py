"""`pre` is the last `post` if an action follows at once, and a separate capture otherwise."""
import time

from harness import batch, instruction

BROWSER = "any"
STEPS = 10
PAUSE_S = 0.3  # longer than a picture may be reused for the present page


def captured(response, key):
    return response["captures"][key]["capturedAt"]


def run(ctx):
    url = f"{ctx.origin}/e2e/board.html"
    steps = [("start", {"url": url})]
    steps += [("evaluate", {"expression": f"document.title = 'step {i}'"}) for i in range(STEPS)]
    # The following actions have no picture right before them, or a different one.
    steps += [("evaluate", {"expression": "document.body.style.background = 'red'", "screenshots": "none"}),
              ("evaluate", {"expression": "1"}),
              ("screenshot", {"fullPage": True}),
              ("evaluate", {"expression": "2"})]
    result = ctx.run(["run", ctx.file("batch.xml", batch(steps)), *ctx.usual_args()])
    ctx.expect(result.exit == 0, f"exit {result.exit}")
    pairs = list(zip(result.responses, result.responses[1:]))[:STEPS]
    shared = [(before, after) for before, after in pairs
              if captured(after, "pre") == captured(before, "post")]
    # A very busy machine may need longer between two actions, but not each time.
    ctx.expect(shared, "no picture was used twice")
    for before, after in shared:
        same = result.picture(before["id"], "post") == result.picture(after["id"], "pre")
        ctx.expect(same, f"response {after['id']}: another picture of the same time")
    for response in result.responses[1:STEPS + 1]:
        ctx.expect(captured(response, "pre") < captured(response, "post"),
                   f"response {response['id']}: pre is not older than post")
    red, full, last = (result.response(STEPS + i) for i in (3, 4, 5))
    ctx.expect(captured(red, "pre") > captured(result.response(STEPS + 1), "post"),
               "a picture of before an action that had none was used again")
    ctx.expect(captured(last, "pre") > captured(full, "post"), "the whole page was taken for the viewport")

    # After a pause the page may have changed.
    process = ctx.start(["run", "-", *ctx.usual_args()])
    process.send(instruction("start", {"url": url}))
    before = process.line()
    for number in range(3):
        time.sleep(PAUSE_S)
        process.send(instruction("evaluate", {"expression": str(number)}))
        after = process.line()
        ctx.expect(captured(after, "pre") >= captured(before, "post") + PAUSE_S * 1000,
                   "the picture of before a pause was used again")
        before = after
    process.close_stdin()
    ctx.expect(process.wait().exit == 0, "the stream failed")
