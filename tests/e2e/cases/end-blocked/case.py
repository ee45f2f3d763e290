"""A signal ends the program even while it is blocked by an unread or unwritten pipe."""
import os
import random
import re
import resource
import signal
import subprocess
import time

import png_files
import processes
from faults import until
from processes import SLOWNESS

BROWSER = "any"


AT_ONCE, LIMIT = 8, 20  # the program gives up an orderly end after 12 s


def full_pipe():
    """Returns a pipe that accepts no more data."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(writing, True)
    return reading, writing


def begin(ctx, *args, stdout=subprocess.DEVNULL, **more):
    process = subprocess.Popen([ctx.options.binary, *[str(arg) for arg in args]], stdin=subprocess.DEVNULL, stdout=stdout,
                               stderr=subprocess.PIPE, cwd=ctx.work, env=ctx.environment, **more)
    ctx.known.add(process.pid)
    return process


def is_blocked(process, where):
    """Whether the first thread is blocked there in the kernel, or has ended; true if the kernel does not tell."""
    place = processes.read(process.pid, "wchan").decode()
    return process.poll() is not None or place == "" or re.search(where, place)


def expect_end(ctx, what, process, began, seconds):
    try:
        process.communicate(timeout=max(0.1, began + seconds * SLOWNESS - time.monotonic()))
    except subprocess.TimeoutExpired:
        ctx.problem(f"{what}: still running {seconds} s after the signal")
        process.kill()
        process.communicate()
        return
    ctx.expect(process.returncode in (130, -signal.SIGTERM, -signal.SIGHUP), f"{what}: exit {process.returncode}")


def run(ctx):
    os.mkfifo(ctx.work / "batch")
    os.mkfifo(ctx.work / "picture")
    reading, writing = full_pipe()
    batch = ctx.batch([("start", {"url": "about:blank"}), ("evaluate", {"expression": "1"})])
    patient = ["--temp-profile", "--timeout", "60000", *ctx.browser_args()]
    browser = ["--screenshots", "none", *patient]
    blocked = {"a batch that nobody writes": (begin(ctx, "run", "batch"), AT_ONCE),
               "a full stdout": (begin(ctx, "run", batch, *browser, stdout=writing), LIMIT),
               "a full stdout, two signals": (begin(ctx, "run", batch, *browser, stdout=writing), AT_ONCE),
               "a picture that nobody reads": (begin(ctx, "shot", "about:blank", "-o", "picture", *patient), LIMIT),
               "help that nobody reads": (begin(ctx, "--help", stdout=writing), AT_ONCE)}
    for what, (process, _) in blocked.items():
        where = "poll" if "batch" in what else "pipe|partner"
        until(lambda: is_blocked(process, where), f"it is held up by {what}", 30)
    began = time.monotonic()
    for what, (process, _) in blocked.items():
        ctx.expect(process.poll() is None, f"{what}: ended by itself with {process.poll()}")
        process.send_signal(signal.SIGHUP if "picture" in what else signal.SIGTERM)
    time.sleep(0.3)
    blocked["a full stdout, two signals"][0].send_signal(signal.SIGTERM)
    for what, (process, seconds) in sorted(blocked.items(), key=lambda item: item[1][1]):
        expect_end(ctx, what, process, began, seconds)
    os.close(reading)
    os.close(writing)
    too_large(ctx)


def too_large(ctx):
    """A file size limit is an error like a full disk."""
    noise = random.Random(1)
    for name in ("a.png", "b.png"):
        ctx.file(name, png_files.png(80, 80, lambda x, y: tuple(noise.randrange(256) for _ in range(3))))
    limited = begin(ctx, "diff", "a.png", "b.png", "-o", "difference.png",
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200)))
    _, stderr = limited.communicate(timeout=20)
    ctx.expect(limited.returncode == 2, f"a file over the limit: exit {limited.returncode}")
    ctx.expect(b"difference.png" in stderr, f"a file over the limit: {stderr.decode()}")
    ctx.expect(not (ctx.work / "difference.png").exists(), "half of a file is left")
