"""Workers that die, stall, stop or lose their browser: each batch gets one answer, and nobody overwrites it."""
import json
import signal

import faults
import queued
from faults import until
from harness import batch
from processes import SLOWNESS

BROWSER = "any"
LEASE_MS = queued.LEASE * 1000


def run(ctx):
    with queued.Redis(ctx) as redis:
        for fault in (hold, lose_line, die, stall, drain, bury, start_nothing):
            fault(ctx, redis)


def counted(ctx, name):
    return ctx.counts().get(f"{name}-begun", 0), ctx.counts().get(f"{name}-ended", 0)


def hold(ctx, redis):
    """A batch of three leases' length runs once, although another worker has nothing to do."""
    workers = [queued.worker(ctx), queued.worker(ctx)]
    queued.submit(ctx, "long", queued.steps(ctx, "long", 3 * LEASE_MS))
    queued.expect_whole(ctx, queued.results(ctx, "long"), "a batch of three leases")
    ctx.expect(counted(ctx, "long") == (1, 1), f"it ran {counted(ctx, 'long')} times")
    ctx.match(redis.job("long"), {"attempt": "1", "winner": "1"}, "the job")
    for worker in workers:
        queued.end(ctx, worker)


def lose_line(ctx, redis):
    """An attempt whose stored lines Redis has lost is no answer; another one follows."""
    worker = queued.worker(ctx)
    for name in ("gap", "replaced", "recounted"):
        key = f"browser-runner:answer:{name}"
        queued.submit(ctx, name, queued.steps(ctx, name, round(1000 * SLOWNESS)))
        until(lambda: redis("XLEN", key) >= 2, "all lines before the wait are stored", 20)
        if name == "gap":
            redis("XDEL", key, *[entry[0] for entry in redis("XRANGE", key, "-", "+")])
        elif name == "recounted":
            redis("HSET", f"browser-runner:job:{name}", "worker", "another one")
        else:
            redis("XADD", key, f"1-{redis('XLEN', key) + 1}", "line", "of another one")
        queued.expect_whole(ctx, queued.results(ctx, name), "a batch whose lines were lost")
        ctx.match(redis.job(name), {"state": "done", "attempt": "2", "winner": "2"}, "the job")
        ctx.expect(f"job {name}: attempt 1 failed, another one follows: Redis has lost lines" in worker.stderr.decode(),
                   f"{worker.stderr}")
    queued.end(ctx, worker)


def die(ctx, redis):
    """The batch of a worker that is killed is done by another one."""
    first = queued.worker(ctx)
    queued.submit(ctx, "killed", queued.steps(ctx, "killed", LEASE_MS))
    until(lambda: counted(ctx, "killed")[0], "the batch has begun", 20)
    first.signal(signal.SIGKILL)
    first.wait(complete=False)
    second = queued.worker(ctx)
    queued.expect_whole(ctx, queued.results(ctx, "killed"), "the batch of a dead worker")
    ctx.expect(counted(ctx, "killed") == (2, 1), f"it ran {counted(ctx, 'killed')} times")
    ctx.match(redis.job("killed"), {"state": "done", "attempt": "2", "winner": "2", "worker": second.name}, "the job")
    ctx.expect("job killed: taken over, delivery 2" in second.stderr.decode(), f"{second.stderr}")
    queued.end(ctx, second)


def stall(ctx, redis):
    """A worker that was stopped past its lease does not overwrite the answer of another one, and says so."""
    first = queued.worker(ctx)
    queued.submit(ctx, "stopped", queued.steps(ctx, "stopped", 500))
    until(lambda: counted(ctx, "stopped")[0], "the batch has begun", 20)
    first.signal(signal.SIGSTOP)
    second = queued.worker(ctx)
    lines = queued.results(ctx, "stopped")
    queued.expect_whole(ctx, lines, "the batch of a stopped worker")
    first.signal(signal.SIGCONT)
    until(lambda: b"job stopped: attempt 1" in first.stderr, "the stopped worker says that it was too slow", 20)
    ctx.expect(queued.results(ctx, "stopped") == lines, "the answer has changed")
    ctx.match(redis.job("stopped"), {"winner": "2", "worker": second.name}, "the job")
    queued.submit(ctx, "after", queued.steps(ctx, "after"))
    queued.expect_whole(ctx, queued.results(ctx, "after"), "a batch after that")
    queued.end(ctx, first)
    queued.end(ctx, second)


def drain(ctx, redis):
    """SIGTERM: what runs ends, or is given back after the grace, and does not count as a failure."""
    first = queued.worker(ctx, "--grace", 30)
    queued.submit(ctx, "drained", queued.steps(ctx, "drained", 1000))
    until(lambda: counted(ctx, "drained")[0], "the batch has begun", 20)
    queued.end(ctx, first)
    queued.expect_whole(ctx, queued.results(ctx, "drained", seconds=1), "what ran at SIGTERM")
    second = queued.worker(ctx, "--grace", 0, "--deliveries", 1)
    queued.submit(ctx, "returned", queued.steps(ctx, "returned", 60000))
    until(lambda: counted(ctx, "returned")[0], "the batch has begun", 20)
    queued.end(ctx, second)
    ctx.match(redis.job("returned"), {"state": "queued", "attempt": "1"}, "what was given back")
    ctx.expect(b"job returned: given back" in second.stderr, f"{second.stderr}")
    third = queued.worker(ctx, "--grace", 0, "--deliveries", 1)
    until(lambda: counted(ctx, "returned")[0] == 2, "another worker has it at once", 20)
    queued.end(ctx, third)
    redis("DEL", "browser-runner")


def bury(ctx, redis):
    """A batch that kills its browser each time is dead, with its trace."""
    worker = queued.worker(ctx, "--deliveries", 2)
    queued.submit(ctx, "deadly", batch([("start", {"url": ctx.origin + "/", "retryOptions": {"maxRetries": 0}}),
                                        ("wait", {"ms": 60000, "timeout": 70000, "retryOptions": {"maxRetries": 0}})]))
    for attempt in (1, 2):
        until(lambda: redis.job("deadly").get("attempt") == str(attempt) and redis("XLEN", "browser-runner:answer:deadly")
              and redis("XREVRANGE", "browser-runner:answer:deadly", "+", "-", "COUNT", 1)[0][0].startswith(f"{attempt}-"),
              f"attempt {attempt} has begun", 30)
        for pid in queued.chromes_of(worker):
            faults.send([pid], signal.SIGKILL)
    queued.results(ctx, "deadly", exit_code=1)
    ctx.expect("job deadly is dead" in ctx.runs[-1].stderr and "browser-runner:dead" in ctx.runs[-1].stderr,
               ctx.runs[-1].stderr)
    dead = redis.entries("browser-runner:dead")
    ctx.match(dead, [{"id": "deadly", "deliveries": "2", "reason": {"$regex": "."}, "batch": {"$regex": "60000"}}], "what is dead")
    trace = json.loads(dead[0]["trace"])
    ctx.match(trace, [{"attempt": 1, "worker": worker.name}, {"attempt": 1, "errorCode": {"$regex": "."}},
                      {"attempt": 2}, {"attempt": 2, "error": {"$regex": "."}}], "its trace")
    queued.submit(ctx, "lively", queued.steps(ctx, "lively"))
    queued.expect_whole(ctx, queued.results(ctx, "lively"), "a batch after that")
    queued.end(ctx, worker)


def start_nothing(ctx, redis):
    """A machine where no browser starts uses up no delivery of a batch."""
    first = ctx.start(["worker", "--slots", "1", "--deliveries", "1", "--chrome", ctx.mark_chrome()])
    first.line()
    queued.submit(ctx, "unstarted", queued.steps(ctx, "unstarted"))
    until(lambda: b"job unstarted: attempt 1 failed" in first.stderr, "the browser does not start", 30)
    ctx.match(redis.job("unstarted"), {"attempt": {"$regex": "."}, "state": {"$regex": "queued|running"}}, "the batch")
    queued.end(ctx, first)
    second = queued.worker(ctx, "--deliveries", 1)
    queued.expect_whole(ctx, queued.results(ctx, "unstarted"), "a batch that a broken machine had first")
    queued.end(ctx, second)
