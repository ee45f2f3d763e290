"""Three workers, one of which is killed whenever a dozen batches are done, one stopped past its lease, Redis restarted once: each batch has one
answer, and none is lost or overwritten."""
import itertools
import signal
import time

import queued
from faults import until

BROWSER = "any"
TIER = "long"
TIME_LIMIT = 1200
BATCHES = 150


def run(ctx):
    with queued.Redis(ctx, "--appendfsync", "always") as redis:
        work(ctx, redis)


def is_done(redis, job):
    return redis.job(job).get("state") == "done"


def work(ctx, redis):
    text = queued.steps(ctx, "many", 300)
    jobs = [f"job-{i}" for i in range(BATCHES)]
    for job in jobs:
        queued.submit(ctx, job, text)
    workers = [queued.worker(ctx, "--deliveries", 50, slots=2) for _ in range(3)]
    stopped, continue_at, restarted = None, 0, False
    began, fault_at = time.monotonic(), 5
    kept = {}  # the first answer that was seen of each
    turns = itertools.cycle(range(3))
    while len(kept) < BATCHES and time.monotonic() - began < 900:
        for job in jobs:
            if job not in kept and is_done(redis, job):
                kept[job] = redis("XRANGE", f"browser-runner:answer:{job}", "-", "+")
        if stopped and time.monotonic() > continue_at:
            stopped.signal(signal.SIGCONT)
            stopped = None
        if stopped or len(kept) < fault_at:
            continue
        fault_at = len(kept) + BATCHES // 12
        if len(kept) > BATCHES / 3 and not restarted:
            redis.kill()
            redis.start()
            restarted = True
            stopped = workers[next(turns)]
            stopped.signal(signal.SIGSTOP)
            continue_at = time.monotonic() + queued.LEASE + 1
        else:
            turn = next(turns)
            workers[turn].signal(signal.SIGKILL)
            workers[turn].wait(complete=False)
            workers[turn] = queued.worker(ctx, "--deliveries", 50, slots=2)
    ctx.expect(len(kept) == BATCHES, f"{len(kept)} of {BATCHES} batches have an answer")
    ctx.expect(restarted, "Redis was not restarted")
    if stopped:
        stopped.signal(signal.SIGCONT)
    for worker in workers:
        queued.end(ctx, worker, seconds=60)
    until(lambda: redis("XLEN", "browser-runner") == 0, "no batch is left in the stream", 20)
    ctx.expect(redis("XLEN", "browser-runner:dead") == 0, "some batches are dead")
    for job, entries in kept.items():
        ctx.expect(redis("XRANGE", f"browser-runner:answer:{job}", "-", "+") == entries, f"the answer of {job} has changed")
        lines = queued.results(ctx, job)
        queued.expect_whole(ctx, lines, job)
        ctx.expect(all(line["sessionId"] == job for line in lines), f"the lines of {job} are those of another batch")
    attempts = sum(int(redis.job(job)["attempt"]) for job in jobs)
    ctx.expect(attempts > BATCHES, "no batch was run by a second worker: nothing was tested")
