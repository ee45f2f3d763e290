"""--die-with-parent: the program ends like by SIGTERM when the process that started it ends."""
import json
import os
import signal
import subprocess
import sys
import time

import processes
from faults import board, wait_for
from processes import SLOWNESS, TIMEOUT

BROWSER = "shared"


# Starts the program from a thread that ends at once: that is not the end of the parent.
PARENT = """
import subprocess, sys, threading, time
def begin():
    with open(sys.argv[1]) as instructions, open(sys.argv[2], "wb") as answers:
        print(subprocess.Popen(sys.argv[3:], stdin=instructions, stdout=answers).pid, flush=True)
thread = threading.Thread(target=begin)
thread.start()
thread.join()
time.sleep(600)
"""


class Family:
    """The program under a separate parent. Its input and output outlive the parent."""

    def __init__(self, ctx, name, *more, place=()):
        self.ctx, self.name, self.answers = ctx, name, ctx.work / f"{name}.jsonl"
        fifo = ctx.work / f"{name}.fifo"
        os.mkfifo(fifo)
        self.instructions = os.open(fifo, os.O_RDWR)
        self.parent = subprocess.Popen(
            [sys.executable, "-c", PARENT, fifo, self.answers, ctx.options.binary, "run", "-",
             *(place or ["--temp-profile", *ctx.browser_args()]), "--screenshots", "none",
             *TIMEOUT, *more],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=ctx.work, env=ctx.environment)
        ctx.known.add(self.parent.pid)
        self.pid = int(self.parent.stdout.readline())
        ctx.known.add(self.pid)
        self.send(f"<batch><browser_action><type>start</type><url>{board(ctx)}</url></browser_action>")
        ctx.match(self.line(1, 30), {"id": 1, "success": True}, f"{name}: start")

    def send(self, text):
        os.write(self.instructions, text.encode())

    def line(self, number, seconds=10):
        deadline = time.monotonic() + seconds * SLOWNESS
        while time.monotonic() < deadline:
            lines = self.answers.read_bytes().split(b"\n")
            if len(lines) > number:
                return json.loads(lines[number - 1])
            time.sleep(0.02)
        return None

    def begin_long_action(self):
        """Starts an action that does not end by itself, and waits until it has begun."""
        self.send(f"<browser_action><type>evaluate</type><expression>tell('{self.name}'); new Promise(() => 0)</expression>"
                  "<timeout>60000</timeout></browser_action>")
        wait_for(self.ctx, self.name)

    def kill_parent(self):
        self.parent.kill()
        self.parent.wait()
        self.parent.stdout.close()

    def exit_code(self, seconds):
        """Returns the exit code of the program, which is the harness's child by now; None while it runs."""
        deadline = time.monotonic() + seconds * SLOWNESS
        while time.monotonic() < deadline:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.02)
        return None

    def expect_end(self, what, answers):
        """Checks that it ended in good order, with its browser."""
        code = self.exit_code(15)
        self.ctx.expect(code == 130, f"{what}: exit {code}")
        stray = processes.wait_until_gone(self.ctx.stray, 5)
        self.ctx.expect(not stray, f"{what}: left: {[processes.describe(pid) for pid in stray]}")
        lines = [json.loads(line) for line in self.answers.read_bytes().splitlines()]
        self.ctx.match(lines[-1], {"kind": "summary", "aborted": True}, f"{what}: the last line")
        self.ctx.expect(len(lines) == answers + 1, f"{what}: {len(lines)} lines")
        self.ctx.expect(not list(self.ctx.tmp.iterdir()), f"{what}: TMPDIR is not empty")
        os.close(self.instructions)


def while_it_reads(ctx):
    family = Family(ctx, "reads", "--die-with-parent")
    time.sleep(0.5)
    family.send("<browser_action><type>evaluate</type><expression>6 * 7</expression></browser_action>")
    ctx.match(family.line(2), {"id": 2, "success": True, "result": 42}, "while the parent lives")
    family.kill_parent()
    family.expect_end("while it reads", 2)


def while_an_action_runs(ctx):
    family = Family(ctx, "runs", "--die-with-parent")
    family.begin_long_action()
    family.kill_parent()
    family.expect_end("while an action runs", 2)


def after_a_signal(ctx):
    """Ctrl-C for both: the parent's end does not count as a second signal, which would end it at once."""
    family = Family(ctx, "signal", "--die-with-parent")
    family.begin_long_action()
    os.kill(family.pid, signal.SIGINT)
    family.kill_parent()
    family.expect_end("after a signal", 2)


def without_the_option(ctx):
    family = Family(ctx, "orphan", place=ctx.usual_args())
    family.kill_parent()
    ctx.expect(family.exit_code(1.5) is None, "it ended with its parent, though nobody asked for that")
    family.send("<browser_action><type>evaluate</type><expression>6 * 7</expression></browser_action></batch>")
    ctx.match(family.line(2), {"id": 2, "success": True, "result": 42}, "after the parent's end")
    os.close(family.instructions)
    ctx.expect(family.exit_code(10) == 0, "an orphan did not end with its input")


def run(ctx):
    while_it_reads(ctx)
    while_an_action_runs(ctx)
    after_a_signal(ctx)
    without_the_option(ctx)
    # A parent that stays alive changes nothing.
    shot = ctx.run(["shot", "about:blank", "-o", "shot.jpg", "--die-with-parent", *ctx.usual_args()])
    ctx.expect(shot.exit == 0, f"shot: exit {shot.exit}: {shot.stderr}")
