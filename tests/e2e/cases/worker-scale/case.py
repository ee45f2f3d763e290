"""Batches wait without a worker, three workers come and go with batches in flight, and three others do the rest: a batch that is given back
counts as no delivery."""
import queued
from faults import until

BROWSER = "any"
TIER = "long"
BATCHES = 24


def run(ctx):
    with queued.Redis(ctx) as redis:
        work(ctx, redis)


def states(redis, jobs):
    return [redis.job(job).get("state") for job in jobs]


def work(ctx, redis):
    jobs = [f"scaled-{i}" for i in range(BATCHES)]
    for job in jobs:
        queued.submit(ctx, job, queued.steps(ctx, "scaled", 3000))
    ctx.expect(set(states(redis, jobs)) == {"queued"}, f"without a worker: {states(redis, jobs)}")

    def workers(*more):
        return [queued.worker(ctx, "--deliveries", 1, *more, slots=2) for _ in range(3)]

    first = workers("--grace", 0)
    until(lambda: ctx.counts().get("scaled-begun", 0) >= 6, "all slots have a batch", 60)
    for worker in first:
        worker.signal(15)
    given_back = 0
    for worker in first:
        run = worker.wait(30)
        ctx.expect(run.exit == 0, f"exit {run.exit}: {run.stderr}")
        given_back += run.stderr.count(": given back")
    ctx.expect(given_back > 0, "no batch was in flight")
    ctx.expect(set(states(redis, jobs)) <= {"queued", "done"}, f"without a worker again: {states(redis, jobs)}")
    ctx.expect(redis("XLEN", "browser-runner:dead") == 0, "what was given back counts as a delivery")
    done = [job for job in jobs if redis.job(job)["state"] == "done"]
    kept = {job: redis("XRANGE", f"browser-runner:answer:{job}", "-", "+") for job in done}

    second = workers()
    until(lambda: states(redis, jobs).count("done") > len(done), "the next workers have answered something", 60)
    # The last one does what the others leave; these end what they have.
    for worker in second[:2]:
        queued.end(ctx, worker, seconds=40)
    until(lambda: set(states(redis, jobs)) == {"done"}, "all are done", 120)
    queued.end(ctx, second[2])
    for job in jobs:
        queued.expect_whole(ctx, queued.results(ctx, job), job)
    for job, entries in kept.items():
        ctx.expect(redis("XRANGE", f"browser-runner:answer:{job}", "-", "+") == entries, f"the answer of {job} has changed")
    ctx.expect(redis("XLEN", "browser-runner") == 0 and redis("XLEN", "browser-runner:dead") == 0, "a batch is left, or dead")
    begun = ctx.counts()["scaled-begun"]
    ctx.expect(BATCHES <= begun <= BATCHES + given_back, f"{BATCHES} batches, {given_back} given back, begun {begun} times")
