"""Three workers, one of which is killed every 5 s, one stopped past its lease, Redis restarted once: each of 500 batches has one answer, and
none is lost or overwritten."""
import itertools
import json
import signal
import time

import queued
from faults import until

BROWSER = "any"
TIER = "long"
TIME_LIMIT = 1800
BATCHES = 500
BY_HAND = 20  # of them by `submit`, the others as another producer does
EVERY = 5  # seconds: how quickly batches are done does not matter
LOST = 3  # seconds before the end of Redis whose writes it may not have kept: appendfsync everysec


def run(ctx):
    with queued.Redis(ctx) as redis:
        Trial(ctx, redis).run()


class Trial:
    def __init__(self, ctx, redis):
        self.ctx, self.redis = ctx, redis
        self.jobs = [f"job-{i}" for i in range(BATCHES)]
        self.kept = {}  # the first answer that was seen of each, and when
        self.turns = itertools.cycle(range(3))
        self.stopped, self.continue_at, self.has_restarted, self.kills = None, 0, False, 0

    def answer(self, job):
        return self.redis("XRANGE", f"browser-runner:answer:{job}", "-", "+")

    def worker(self):
        return queued.worker(self.ctx, "--deliveries", 100, slots=2)

    def look(self):
        for job in self.jobs:
            if job not in self.kept and self.redis.job(job).get("state") == "done":
                self.kept[job] = self.answer(job), time.monotonic()

    def restart(self):
        self.look()
        self.redis.kill()
        killed_at = time.monotonic()
        self.redis.start()
        self.has_restarted = True
        for job, (_, seen_at) in list(self.kept.items()):
            if seen_at > killed_at - LOST:
                del self.kept[job]  # it may be answered again

    def fault(self):
        """Kills the next worker; once restarts Redis, and stops that worker for longer than its lease."""
        turn = next(self.turns)
        if not self.has_restarted and len(self.kept) > BATCHES / 3:
            self.restart()
            self.stopped = self.workers[turn]
            self.stopped.signal(signal.SIGSTOP)
            self.continue_at = time.monotonic() + queued.LEASE + 1
            return
        self.kills += 1
        self.workers[turn].signal(signal.SIGKILL)
        self.workers[turn].wait(complete=False)
        self.workers[turn] = self.worker()

    def go_on(self):
        self.stopped.signal(signal.SIGCONT)
        self.stopped = None

    def run(self):
        ctx, redis = self.ctx, self.redis
        text = queued.steps(ctx, "many", 100)
        for job in self.jobs[:BY_HAND]:
            queued.submit(ctx, job, text)
        for job in self.jobs[BY_HAND:]:
            redis("XADD", "browser-runner", "*", "id", job, "batch", text)
        self.workers = [self.worker() for _ in range(3)]
        began = time.monotonic()
        fault_at = began + EVERY
        while len(self.kept) < BATCHES and time.monotonic() - began < TIME_LIMIT * 0.8:
            self.look()
            if self.stopped and time.monotonic() > self.continue_at:
                self.go_on()
            if not self.stopped and time.monotonic() > fault_at:
                self.fault()
                fault_at = time.monotonic() + EVERY
        if self.stopped:
            self.go_on()
        ctx.expect(len(self.kept) == BATCHES, f"{len(self.kept)} of {BATCHES} batches have an answer after {self.kills} kills")
        ctx.expect(self.has_restarted and self.kills > 3, f"Redis was not restarted, or {self.kills} kills: nothing was tested")
        for worker in self.workers:
            queued.end(ctx, worker, seconds=60)
        self.check()

    def check(self):
        ctx, redis = self.ctx, self.redis
        until(lambda: redis("XLEN", "browser-runner") == 0, "no batch is left in the stream", 20)
        ctx.expect(redis("XLEN", "browser-runner:dead") == 0, "some batches are dead")
        for job, (entries, _) in self.kept.items():
            ctx.expect(self.answer(job) == entries, f"the answer of {job} has changed")
        printed = ctx.run(["results", *self.jobs], seconds=60)
        ctx.expect(printed.exit == 0, f"results: exit {printed.exit}: {printed.stderr}")
        lines = [json.loads(line) for line in printed.stdout.splitlines()]
        for job, answers in itertools.groupby(lines, lambda line: line["sessionId"]):
            ctx.expect(job == self.jobs.pop(0), f"{job} has a second answer, or one is missing before it")
            queued.expect_whole(ctx, list(answers), job)
        ctx.expect(not self.jobs, f"without lines: {self.jobs}")
        attempts = sum(int(redis.job(job)["attempt"]) for job in self.kept)
        ctx.expect(attempts > BATCHES, "no batch was run by a second worker: nothing was tested")
