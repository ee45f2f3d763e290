"""A Redis server of a case, workers, and batches that report to the web server what they do."""
import contextlib
import json
import os
import shutil
import socket
import subprocess

from faults import until
from harness import Failure, Skip, batch
from processes import SLOWNESS
from stream import schema_problems

LEASE = round(2 * SLOWNESS)


class Redis:
    """The server, on a Unix socket in the case's directory. Restarted, it has what it has written."""

    def __init__(self, ctx, *more):
        program = shutil.which("redis-server")
        if not program:
            raise Skip("redis-server is not installed")
        self.ctx, self.more = ctx, more
        self.path = ctx.base / "redis.sock"
        self.url = f"unix://{self.path}"
        self.command = [program, "--port", "0", "--unixsocket", self.path, "--dir", ctx.base, "--save", "",
                        "--appendonly", "yes", "--appendfsync", "everysec"]
        ctx.environment["BROWSER_RUNNER_REDIS"] = self.url
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self.process = subprocess.Popen([*self.command, *self.more], stdout=subprocess.DEVNULL, cwd=self.ctx.base)
        self.ctx.known.add(self.process.pid)
        until(self.is_ready, "Redis is ready")

    def is_ready(self):
        with contextlib.suppress(OSError):
            return self("PING") == "PONG"
        return False

    def stop(self):
        self.process.terminate()
        self.process.wait(30)

    def kill(self):
        self.process.kill()
        self.process.wait(30)

    def __call__(self, *words):
        """The reply to a command."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(20 * SLOWNESS)
            connection.connect(str(self.path))
            words = [str(word).encode() for word in words]
            connection.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
            with connection.makefile("rb") as replies:
                return reply_of(replies)

    def job(self, job, stream="browser-runner"):
        """What is known about a job, as a dictionary."""
        words = self("HGETALL", f"{stream}:job:{job}")
        return dict(zip(words[::2], words[1::2]))

    def entries(self, key):
        """The entries of a stream, each as a dictionary."""
        return [dict(zip(words[::2], words[1::2])) for _, words in self("XRANGE", key, "-", "+")]


def reply_of(replies):
    line = replies.readline()
    kind, text = line[:1], line[1:-2]
    if kind == b"-":
        raise OSError(text.decode())
    if kind == b":":
        return int(text)
    if kind == b"*":
        return [reply_of(replies) for _ in range(int(text))]
    if kind == b"$":
        return None if text == b"-1" else replies.read(int(text) + 2)[:-2].decode()
    return text.decode()


def worker(ctx, *more, slots=1):
    """A worker that has connected."""
    process = ctx.start(["worker", "--slots", slots, "--screenshots", "none", "--lease", LEASE, *more, *ctx.browser_args()])
    line = process.line()
    ctx.match(line, {"kind": "worker", "slots": slots}, "the worker's line")
    process.name = line["name"]
    return process


def steps(ctx, name, ms=0):
    """A batch that counts NAME-begun at the web server, waits, and counts NAME-ended."""
    count = "fetch('{}').then((answer) => answer.text())"
    return batch([("start", {"url": ctx.origin + "/"}),
                  ("evaluate", {"expression": count.format(f"/count?name={name}-begun")}),
                  ("wait", {"ms": ms, "timeout": ms + 20000}),
                  ("evaluate", {"expression": count.format(f"/count?name={name}-ended")})])


def submit(ctx, job, text, *more):
    """Submits a batch under an id."""
    run = ctx.run(["submit", "--id", job, ctx.file(f"{job}.xml", text), *more])
    if (run.exit, run.stdout.decode()) != (0, job + "\n"):
        raise Failure(f"submit: exit {run.exit}, {run.text}")


def results(ctx, *args, exit_code=0, seconds=30):
    """The lines of jobs, checked against the schema; waits for their end."""
    run = ctx.run(["results", *args, "--wait", round(seconds * SLOWNESS)], seconds=seconds + 10)
    ctx.expect(run.exit == exit_code, f"results {args}: exit {run.exit}: {run.stderr}")
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    for line in lines:
        ctx.problems += [f"{line}: {fault}" for fault in schema_problems(line, line["kind"])]
    return lines


def kinds(lines):
    """What the lines are, with the types of the answers."""
    return [line.get("type", line["kind"]) for line in lines]


WHOLE = ["start", "evaluate", "wait", "evaluate", "summary"]


def expect_whole(ctx, lines, what):
    """A batch of steps() was answered once, and completely."""
    ctx.expect(kinds(lines) == WHOLE and all(line.get("success", True) for line in lines), f"{what}: {kinds(lines)}")


def end(ctx, process, code=0, seconds=30):
    """SIGTERM, and its end."""
    process.signal(15)
    run = process.wait(seconds)
    ctx.expect(run.exit == code, f"the worker's exit code is {run.exit}: {run.stderr}")
    return run


def chromes_of(process):
    """The pids of a worker's children."""
    with open(f"/proc/{process.pid}/task/{process.pid}/children") as children:
        found = children.read().split()
    for task in os.listdir(f"/proc/{process.pid}/task"):
        with contextlib.suppress(OSError), open(f"/proc/{process.pid}/task/{task}/children") as children:
            found += children.read().split()
    return sorted({int(pid) for pid in found})
