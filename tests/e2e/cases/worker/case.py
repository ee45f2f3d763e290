"""Batches from a stream of Redis: their answers are those of `run`, each is run once, and what cannot be run is refused."""
import json

import queued
from faults import until
from harness import batch

BROWSER = "any"


def run(ctx):
    refuse_without_server(ctx)
    with queued.Redis(ctx) as redis:
        refuse(ctx, redis)
        worker = queued.worker(ctx, "--batches", ctx.work, "--inline", "4000", "--answers", ctx.base, slots=2)
        answer(ctx, redis)
        answer_failures(ctx, redis)
        answer_producers(ctx, redis)
        answer_large(ctx, redis)
        follow(ctx, redis)
        follow_lost(ctx, redis)
        queued.end(ctx, worker)
        ctx.expect(redis("XINFO", "CONSUMERS", "browser-runner", "workers") == [], "the worker's name is left in the group")
        ctx.expect(redis("XLEN", "browser-runner") == 0, "batches are left in the stream")
        answer_priorities(ctx, redis)
        refuse_limits(ctx)


def refused(ctx, args, code, *words):
    run = ctx.run(args)
    ctx.expect(run.exit == code and not run.stdout, f"{args}: exit {run.exit}, {run.stdout}")
    for word in words:
        ctx.expect(word in run.stderr, f"{args}: no {word!r} in {run.stderr}")


def refuse_without_server(ctx):
    path = ctx.file("batch.xml", queued.steps(ctx, "refused"))
    refused(ctx, ["submit", path], 2, "address of the Redis server is missing", "$BROWSER_RUNNER_REDIS")
    for url in ("http://127.0.0.1", "redis://", "redis://h:0", "redis://h/x", "unix://relative", "redis://a%zz@h"):
        refused(ctx, ["submit", "--redis", url, path], 2, "not the address of a Redis server", "unix:///path")
    refused(ctx, ["results", "--redis", "redis://:secret-word@127.0.0.1:1", "id"], 1, "127.0.0.1:1", "Connection refused")
    ctx.expect("secret-word" not in ctx.runs[-1].stderr, "the password is in the message")
    refused(ctx, ["worker", "--redis", f"unix://{ctx.base}/none.sock", *ctx.browser_args()], 2, "none.sock")


def refuse(ctx, redis):
    good = ctx.file("good.xml", queued.steps(ctx, "refused"))
    bad = ctx.file("bad.xml", '<type>clik</type>')
    refused(ctx, ["submit", good, bad], 2, "bad.xml", "clik")
    refused(ctx, ["submit", ctx.file("empty.xml", "<batch></batch>")], 2, "no instruction")
    refused(ctx, ["submit", "--id", "a b", good], 2, "--id")
    refused(ctx, ["submit", "--id", "a", good, good], 2, "single FILE")
    refused(ctx, ["submit", "--reference", "-"], 2, "stdin has no path")
    ctx.expect(redis("EXISTS", "browser-runner") == 0, "something was submitted")
    refused(ctx, ["results", "unknown"], 2, "no job unknown")
    refused(ctx, ["results", "--follow", "unknown"], 2, "no job unknown")
    refused(ctx, ["results", "a b"], 2, "not the id of a job")
    refused(ctx, ["worker", "--profile", "x"], 2, "leave --profile")
    refused(ctx, ["worker", "--chrome", "/nonexistent/chrome"], 3, "/nonexistent/chrome")
    refused(ctx, ["worker", "--preset", "nothing", *ctx.browser_args()], 2, "nothing")
    queued.submit(ctx, "waits", queued.steps(ctx, "waits"))
    refused(ctx, ["results", "waits"], 1, "job waits is queued", "--wait")
    queued.submit(ctx, "waits", queued.steps(ctx, "waits"))
    refused(ctx, ["submit", "--id", "waits", good], 2, "used for another batch")


def answer(ctx, redis):
    """What was submitted before the worker started, and twice, is done once."""
    queued.expect_whole(ctx, queued.results(ctx, "waits"), "what was submitted before")
    queued.expect_whole(ctx, queued.results(ctx, "waits"), "the same once more")
    ctx.match(ctx.counts(), {"waits-begun": 1, "waits-ended": 1}, "what was submitted twice")
    ctx.match(redis.job("waits"), {"state": "done", "attempt": "1", "winner": "1", "exit": "0"}, "the job")
    run = ctx.run(["submit", "good.xml", "-"], stdin=queued.steps(ctx, "stdin"))
    ids = run.stdout.decode().split()
    ctx.expect(len(set(ids)) == 2, f"{ids}")
    lines = queued.results(ctx, *ids)
    queued.expect_whole(ctx, lines[:5], "the first of two")
    queued.expect_whole(ctx, lines[5:], "the second of two")
    ctx.expect([line["sessionId"] for line in lines] == ids[:1] * 5 + ids[1:] * 5, "the lines have the ids of the jobs")
    ctx.expect(0 < redis("TTL", f"browser-runner:answer:{ids[0]}") <= 86400, "answers are kept for a day")


def answer_failures(ctx, redis):
    queued.submit(ctx, "fails", batch([("start", {"url": ctx.origin + "/"}), ("click", {"selector": "#none", "timeout": 200})]))
    lines = queued.results(ctx, "fails", exit_code=1)
    ctx.match(lines[1], {"type": "click", "success": False, "errorCode": "TARGET_NOT_FOUND"}, "the failure")
    queued.submit(ctx, "cookies", batch([("start", {"url": ctx.origin + "/"}),
                                         ("evaluate", {"expression": "document.cookie ||= 'seen=1'"})]))
    queued.submit(ctx, "cookies-again", batch([("start", {"url": ctx.origin + "/"}),
                                               ("evaluate", {"expression": "document.cookie"})]))
    queued.results(ctx, "cookies")
    ctx.match(queued.results(ctx, "cookies-again")[1], {"result": ""}, "cookies of another batch")
    queued.submit(ctx, "files", batch([("start", {"url": ctx.origin + "/"}),
                                       ("cookies", {"op": "save", "file": str(ctx.base / "cookies.json")})]))
    queued.results(ctx, "files", exit_code=1)
    ctx.expect(not (ctx.base / "cookies.json").exists(), "a batch has written a file")


def answer_producers(ctx, redis):
    """Any producer may add entries; what is none is dead at once."""
    entry = redis("XADD", "browser-runner", "*", "batch", queued.steps(ctx, "producer"))
    until(lambda: redis.job(entry).get("state") == "done", "the producer's batch is done", 20)
    queued.expect_whole(ctx, queued.results(ctx, entry), "a producer's batch")
    redis("XADD", "browser-runner", "*", "id", "invalid", "batch", '[{"type":"clik"}]')
    ctx.expect(queued.results(ctx, "invalid", exit_code=2) == [], "an invalid batch has lines")
    ctx.expect("clik" in ctx.runs[-1].stderr, ctx.runs[-1].stderr)
    for fields in (("id", "with space", "batch", "x"), ("id", "neither"), ("id", "both", "batch", "x", "file", "y")):
        entry = redis("XADD", "browser-runner", "*", *fields)
        until(lambda: redis("XLEN", "browser-runner") == 0, "it is taken out of the stream", 20)
    dead = redis.entries("browser-runner:dead")
    ctx.match(dead, [{"id": {"$regex": "-"}, "reason": {"$regex": "letters"}}, {"id": "neither"},
                     {"id": "both", "reason": {"$regex": "one of the fields"}, "file": "y"}], "what is dead")
    queued.results(ctx, "both", exit_code=1)
    ctx.expect("job both is dead" in ctx.runs[-1].stderr, ctx.runs[-1].stderr)
    path = ctx.file("referred.xml", queued.steps(ctx, "referred"))
    run = ctx.run(["submit", "--reference", path, "--id", "referred"])
    ctx.expect(run.exit == 0, run.stderr)
    queued.expect_whole(ctx, queued.results(ctx, "referred"), "a batch by reference")
    redis("XADD", "browser-runner", "*", "id", "outside", "file", "/etc/passwd")
    queued.results(ctx, "outside", exit_code=2)
    ctx.expect("/etc/passwd" in ctx.runs[-1].stderr, ctx.runs[-1].stderr)


def answer_large(ctx, redis):
    """Answers beyond --inline are in a file, and read from there."""
    queued.submit(ctx, "large", batch([("start", {"url": ctx.origin + "/"}),
                                       ("evaluate", {"expression": "'x'.repeat(9000)"}),
                                       ("evaluate", {"expression": "'the last'"})]))
    lines = queued.results(ctx, "large")
    ctx.match(lines[1:3], [{"result": "x" * 9000}, {"result": "the last"}], "large answers")
    path, = ctx.base.glob("large.1.*.ndjson")
    stored = [json.loads(line) for line in path.read_text().splitlines()]
    ctx.expect(stored == lines[1:], "the file has the later lines")
    path.rename(ctx.base / "elsewhere.ndjson")
    path.symlink_to("elsewhere.ndjson")
    run = ctx.run(["results", "large"])
    ctx.expect(run.exit == 1 and path.name in run.stderr and b"xxx" not in run.stdout, f"a link: {run.text}")
    path.unlink()
    redis("HSET", "browser-runner:job:planted", "state", "done", "winner", 1, "exit", 0)
    redis("XADD", "browser-runner:answer:planted", "1-1", "file", "/etc/passwd", "offset", 0, "length", 9)
    redis("XADD", "browser-runner:answer:planted", "*", "state", "done")
    run = ctx.run(["results", "planted"])
    ctx.expect(run.exit != 0 and not run.stdout and "/etc/passwd is not named" in run.stderr, f"another file: {run.text}")
    run = ctx.run(["results", "large"])
    ctx.expect(run.exit == 1 and path.name in run.stderr and "--answers" in run.stderr, run.stderr)


def follow(ctx, redis):
    """Lines are printed while the batch runs, also for a client that asked before it was submitted."""
    process = ctx.start(["results", "--follow", "--wait", "60", "followed"])
    until(lambda: " cmd=xread " in redis("CLIENT", "LIST"), "it waits for lines")
    queued.submit(ctx, "followed", batch([("start", {"url": ctx.origin + "/"}),
                                          ("wait", {"expression": "fetch('/counts').then((a) => a.json()).then((c) => c.go)",
                                                    "timeout": 20000})]))
    ctx.match(process.line(), {"type": "start", "success": True}, "the first line")
    ctx.fetch("/count?name=go")
    ctx.match(process.line(), {"type": "wait", "success": True}, "the line after the page has gone on")
    ctx.match(process.line(), {"kind": "summary"}, "the summary")
    ctx.expect(process.wait().exit == 0, "the exit code of results --follow")


def follow_lost(ctx, redis):
    """Nobody waits for a job that Redis has lost: no worker reads the stream `unserved`."""
    queued.submit(ctx, "lost", queued.steps(ctx, "lost"), "--stream", "unserved")
    process = ctx.start(["results", "--follow", "--stream", "unserved", "lost"])
    until(lambda: " cmd=xread " in redis("CLIENT", "LIST"), "it waits for lines")
    redis("DEL", "unserved:job:lost")
    run = process.wait()
    ctx.expect(run.exit == 2 and "no job lost" in run.text, f"a job that is lost: exit {run.exit}, {run.text}")


def answer_priorities(ctx, redis):
    for i in range(2):
        submit = ["submit", "--id", f"low-{i}", "--stream", "low", ctx.file(f"low-{i}.xml", queued.steps(ctx, f"low-{i}"))]
        ctx.expect(ctx.run(submit).exit == 0, "submit to another stream")
    submit = ["submit", "--id", "high", "--stream", "high", ctx.file("high.xml", queued.steps(ctx, "high"))]
    ctx.expect(ctx.run(submit).exit == 0, "submit to another stream")
    worker = queued.worker(ctx, "--stream", "high", "--stream", "low")
    for job in ("high", "low-0", "low-1"):
        queued.expect_whole(ctx, queued.results(ctx, job, "--stream", job.split("-")[0]), job)
    began = [redis("XRANGE", f"{job.split('-')[0]}:answer:{job}", "-", "+")[-1][0] for job in ("high", "low-0", "low-1")]
    ctx.expect(began == sorted(began), f"the order of the ends: {began}")
    queued.end(ctx, worker)


def refuse_limits(ctx):
    """Without --answers a batch with too much to say fails, and is not tried again."""
    worker = queued.worker(ctx, "--inline", "4000")
    queued.submit(ctx, "too-large", batch([("start", {"url": ctx.origin + "/"}),
                                           ("evaluate", {"expression": "'x'.repeat(9000)"})]))
    lines = queued.results(ctx, "too-large", exit_code=1)
    ctx.expect(queued.kinds(lines) == ["start"] and "exceed 4000 bytes" in ctx.runs[-1].stderr, f"{ctx.runs[-1].stderr}")
    redis_file = ctx.run(["submit", "--reference", "good.xml", "--id", "no-files"])
    ctx.expect(redis_file.exit == 0, redis_file.stderr)
    queued.results(ctx, "no-files", exit_code=2)
    ctx.expect("--batches DIR" in ctx.runs[-1].stderr, ctx.runs[-1].stderr)
    queued.end(ctx, worker)
