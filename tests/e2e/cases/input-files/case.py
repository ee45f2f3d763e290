"""Files that are missing, not regular, or second: all are read before anything runs; pipes."""
import os
import signal
import subprocess

BROWSER = "shared"


def pipes(ctx):
    """A pipe is a batch as well; waiting for it ends with a signal."""
    batch = ctx.file("stop.xml", "<batch><browser_action><type>stop</type></browser_action></batch>")
    fifo = ctx.work / "pipe"
    os.mkfifo(fifo)
    feeder = subprocess.Popen(["cp", batch, fifo])
    ctx.known.add(feeder.pid)
    process = ctx.start(["run", fifo, "--temp-profile"], stdin=subprocess.DEVNULL)
    done = process.wait(10)
    feeder.wait(10)
    ctx.expect(len(done.responses) == 1, f"from a pipe: {len(done.responses)} responses, {done.stderr}")
    for path in ("/dev/stdin", "/dev/fd/0"):
        done = ctx.run(["run", path, "--temp-profile"], stdin=batch.read_text())
        ctx.expect(len(done.responses) == 1, f"from {path}: {len(done.responses)} responses, {done.stderr}")
    reading, writing = os.pipe()
    os.write(writing, batch.read_bytes())
    os.close(writing)  # before it is opened, as with <(command)
    process = ctx.start(["run", f"/dev/fd/{reading}", "--temp-profile"], stdin=subprocess.DEVNULL, pass_fds=[reading])
    os.close(reading)
    done = process.wait(10)
    ctx.expect(len(done.responses) == 1, f"from <(): {len(done.responses)} responses, {done.stderr}")
    process = ctx.start(["run", fifo, "--temp-profile"], stdin=subprocess.DEVNULL)
    try:
        process.popen.wait(0.5)
        ctx.problem("a run did not wait for a pipe that nobody has written to yet")
    except subprocess.TimeoutExpired:
        process.signal(signal.SIGTERM)
    done = process.wait(5, complete=False)
    ctx.expect(done.exit in (130, 143), f"SIGTERM while it waited for a pipe: exit {done.exit}")


def uploads(ctx):
    """Only regular files are uploaded, and nothing is opened that could block."""
    fifo = ctx.work / "pipe"
    unreadable = ctx.file("unreadable", "1")
    huge = ctx.file("huge", "")
    os.truncate(huge, 5 << 30)
    wrong = [(fifo, "is a pipe"), (ctx.work, "is a directory"), ("/dev/zero", "is a device"),
             (ctx.work / "nowhere", "No such file"), (huge, "bytes, more than")]
    if os.geteuid() != 0:
        unreadable.chmod(0)
        wrong.append((unreadable, "Permission denied"))
    steps = [("start", {"url": "data:text/html,<input type=file id=f>", "timeout": 30000, "totalErrorThreshold": 0,
                        "maxConsecutiveErrors": 0})]
    steps += [("upload", {"selector": "#f", "files": [str(path)]}) for path, _ in wrong]
    steps += [("storage", {"op": "load", "file": str(fifo)}),
              ("evaluate", {"expression": "f.files.length"})]
    done = ctx.run_batch(steps, "--screenshots", "none", "--timeout", "4000")
    for number, (path, reason) in enumerate(wrong, 2):
        code = "LIMIT_EXCEEDED" if path == huge else "INVALID_ACTION"
        ctx.match(done.response(number), {"errorCode": code, "error": {"$regex": reason}}, f"upload of {path}")
        ctx.expect(str(path) in done.response(number).get("error", ""), f"the error does not name {path}")
    ctx.match(done.responses[-2], {"errorCode": "INVALID_ACTION"}, "a state from a pipe")
    ctx.match(done.responses[-1], {"result": 0}, "what the page has got")


def run(ctx):
    good = ctx.batch([("start", {"url": "about:blank"})], "good.xml")
    bad = ctx.file("bad.xml", "<batch><browser_action><type>start</type></browser_action></batch>")
    chrome = ["--chrome", ctx.mark_chrome()]
    for args, wanted in [
            ([ctx.work / "nowhere.xml"], r"nowhere\.xml.*(?i:no such file)"),
            ([ctx.work], r"(?i)director"),
            (["/dev/fd/0.xml"], r"/dev/fd/0\.xml: (?i:no such file|not a directory)"),
            (["/dev/fd/99999999999"], r"/dev/fd/99999999999: (?i:no such file)"),
            ([good, bad], r"bad\.xml"),
            ([], r"(?i)usage|file|help|instruction")]:
        result = ctx.run(["run", *args, *chrome])
        ctx.expect(result.exit == 2, f"{args}: exit {result.exit}")
        ctx.match(result.stderr, {"$regex": wanted}, f"stderr of {args}")
        ctx.expect(not result.responses, f"{args}: something was run")
        ctx.expect(not ctx.marked(), f"{args}: Chrome was started")
    pipes(ctx)
    uploads(ctx)
