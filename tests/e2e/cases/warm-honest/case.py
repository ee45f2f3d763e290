"""act and session report what did not happen: dialogs, lost keys, unwritten files, options."""
import json
import signal

from warm import warm_sessions

BROWSER = "any"


def run(ctx):
    with warm_sessions(ctx) as warm:
        check_news(ctx, warm)
        check_pictures(ctx, warm)
        check_batches(ctx, warm)
        check_names(ctx, warm)
        check_cancel(ctx, warm)
        check_options(ctx, warm)


def check_news(ctx, warm):
    fresh = warm.act("evaluate", "location.href", *ctx.browser_args(), "--temp-profile")
    ctx.expect(fresh.exit == 0 and "was not open" in fresh.err, f"a new session is told: {fresh.text}")
    opened = warm.act("open", ctx.origin + "/case/form.html")
    ctx.expect(opened.exit == 0 and "favicon" not in opened.text, f"icons are nobody's errors: {opened.text}")
    clicked = warm.fine("click", "Delete")
    ctx.expect('confirm "Delete order 7?" dismissed' in clicked and '"Kept"' in clicked, f"a dialog: {clicked}")
    warm.fine("evaluate", "document.activeElement.blur()")
    ctx.expect("nothing has the focus" in warm.fine("type", "hello"), "keys that went nowhere")
    asked = warm.act("evaluate", "confirm('Now?')")
    ctx.expect(asked.out == "false\n" and 'confirm "Now?" dismissed' in asked.err, f"a dialog of a value: {asked.text}")


def check_pictures(ctx, warm):
    for path in ("none/x.jpg", "."):
        refused = warm.act("shot", "-o", path)
        ctx.expect(refused.exit == 1 and "picture:" not in refused.text, f"-o {path}: {refused.exit}: {refused.text}")
    for name, magic in (("a.png", b"\x89PNG"), ("a.webp", b"RIFF"), ("a.jpg", b"\xff\xd8")):
        warm.fine("shot", "-o", name)
        ctx.expect((ctx.work / name).read_bytes().startswith(magic), f"{name} is another format")
    ctx.expect(warm.act("shot", "-o", "b.png", "--format", "jpeg").exit == 2, "a name of another format")
    clicked = warm.fine("click", "#delete", "-o", "after.jpg")
    ctx.expect("picture: after.jpg" in clicked and (ctx.work / "after.jpg").exists(), f"-o of a click: {clicked}")
    ctx.expect(warm.act("click", "#delete", "-o", "after.png").exit == 2, "the picture of a click is a JPEG")
    ctx.expect(warm.act("logs", "-o", "logs.jpg").exit == 2, "logs have no picture")
    response = json.loads(warm.fine("shot", "--json", "-o", "c.jpg"))
    ctx.expect(response["success"] and (ctx.work / "c.jpg").exists(), "--json writes the file as well")
    ctx.expect(warm.act("shot", "--json", "--image-block").exit == 2, "two ways to print")


def check_batches(ctx, warm):
    empty = warm.act("--batch", "-", stdin="\n")
    ctx.expect(empty.exit == 1 and "no instruction found" in empty.out, f"an empty batch: {empty.exit}: {empty.text}")
    ctx.expect(warm.act("--batch", "-", "-o", "d.jpg", stdin="").exit == 2, "--batch with -o")
    late = warm.act("--batch", "-", "--timeout", "400", stdin='{"type":"wait","selector":"#never"}')
    ctx.expect(late.exit == 1 and "TIMEOUT" in late.out, f"--timeout of a batch: {late.text}")
    shown = warm.fine("evaluate", "new Promise((done) => setTimeout(done, 800, 5))")
    ctx.expect(shown == "5\n", f"the time of one action is not that of the next: {shown}")


def check_names(ctx, warm):
    """Accessible names of fields and buttons without text are found by the first instruction that is tried."""
    for words, said in ((("type", "Find an order", "x"), "typed into"), (("type", "Amount", "7"), "typed into"),
                        (("focus", "Amount"), "focused"), (("press", "Amount", "8"), "pressed"),
                        (("click", "Close"), "Closed"), (("check", "Express"), "Express"), (("click", "Help"), "#help")):
        before = actions(warm)
        answer = warm.act(*words)
        ctx.expect(answer.exit == 0 and said in answer.out, f"act {words}: {answer.exit}: {answer.text}")
        ctx.expect(actions(warm) == before + 1, f"act {words} was tried in several ways")
    ctx.expect(warm.fine("evaluate", "[...document.querySelectorAll('input')].map((one) => one.value).join()") ==
               "x,78,on\n", "what was typed")
    before = actions(warm)
    missing = warm.act("click", "Nowhere")
    ctx.expect(missing.exit == 1 and 'no element matches "Nowhere"' in missing.err, f"what is not there: {missing.text}")
    ctx.expect(actions(warm) == before + 1, "what is not there was looked for in several ways")


def actions(warm):
    return warm.list()["default"]["actions"]


def check_cancel(ctx, warm):
    """Ctrl-C ends the script as well: the page is free for the next action."""
    spinning = warm.begin("act", "evaluate", "for (;;) {}")
    warm.await_state("default", "running")
    spinning.send_signal(signal.SIGINT)
    ctx.expect(warm.end(spinning, 20).exit == 130, "Ctrl-C of a script that spins")
    after = warm.act("evaluate", "document.title")
    ctx.expect(after.exit == 0, f"the next action: {after.exit}: {after.text}")


def check_options(ctx, warm):
    """Options that an open session cannot change are refused, not ignored."""
    for option in (("--isolated",), ("--profile", "other")):
        refused = warm.act("evaluate", "1", *option)
        ctx.expect(refused.exit == 2 and "is open with another" in refused.err, f"{option}: {refused.text}")
    for option in (("--allow", "example.org"), ("--viewport", "300x300"), ("--no-eval",)):
        refused = warm.call("session", "start", "default", ctx.origin + "/case/form.html", *option)
        ctx.expect(refused.exit == 2 and "is open with another" in refused.err, f"{option}: {refused.text}")
    before = warm.fine("evaluate", "location.href")
    again = warm.call("session", "start", "default")
    ctx.expect(again.exit == 0 and again.out.startswith("default: idle") and
               warm.fine("evaluate", "location.href") == before, f"start of an open one: {again.text}")
    moved = warm.call("session", "start", "default", ctx.origin + "/")
    ctx.expect(moved.out.startswith("default: was open, is now at"), f"start with a URL: {moved.text}")
    ruled = warm.call("session", "start", "ruled", ctx.origin + "/", "--temp-profile", "--allow", "no such rule",
                      *ctx.browser_args())
    ctx.expect(ruled.exit == 2 and ruled.out == "", f"what was not opened is not told as open: {ruled.text}")
    failed = warm.call("session", "start", "failing", ctx.closed_origin, "--json", "--temp-profile",
                       *ctx.browser_args())
    ctx.expect(failed.exit == 1, f"--json of a start that fails: exit {failed.exit}")
