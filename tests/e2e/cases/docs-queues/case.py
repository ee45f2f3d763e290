"""The workers of docs/examples with real queues: BullMQ and Celery with Redis, Temporal's activity; what cannot run here is at least valid."""
import contextlib
import json
import shutil
import subprocess

from harness import ROOT, Skip
from one_shots import endless, shots
from processes import SLOWNESS

BROWSER = "any"
EXAMPLES = ROOT / "docs" / "examples"
SYSTEM_PYTHON = "/usr/bin/python3"

ADD = """
import { Queue } from "bullmq";
const queue = new Queue("pages", { connection: { url: process.argv[2] } });
for (const [name, data] of JSON.parse(process.argv[3])) {
  await queue.add(name, data, { attempts: 2, jobId: name });
}
await queue.close();
"""

CALL = """
import json, sys
import queue_celery
for batch in json.loads(sys.argv[1]):
    answer = queue_celery.run.delay(batch)
    try:
        print(json.dumps(answer.get(timeout=60)))
    except Exception as error:
        print(json.dumps(str(error)))
"""

TEMPORAL = """
import { MockActivityEnvironment } from "@temporalio/testing";
import { runBatches } from "./queue_temporal.mjs";
const [server, origin, batches, endless] = process.argv.slice(2);
const { runBatch } = runBatches(server);
const found = {};
for (const [name, batch] of Object.entries(JSON.parse(batches))) {
  found[name] = await new MockActivityEnvironment().run(runBatch, batch)
    .catch(({ message, type, nonRetryable }) => ({ message, type, nonRetryable }));
}
const environment = new MockActivityEnvironment();
const running = environment.run(runBatch, JSON.parse(endless)).catch((error) => error.name);
while (!(await (await fetch(`${origin}/counts`)).json()).endless) {
  await new Promise((resolve) => setTimeout(resolve, 50));
}
environment.cancel();
found.cancelled = await running;
console.log(JSON.stringify(found));
"""


@contextlib.contextmanager
def ending(process, lines=None):
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30 * SLOWNESS)
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()


def redis(ctx):
    port = ctx.take_port()
    process = subprocess.Popen(["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(ctx.work)],
                               stdout=subprocess.DEVNULL)
    return port, process


def batches(ctx):
    start = {"type": "start", "url": ctx.origin + "/"}
    return {"fine": [start, {"type": "evaluate", "expression": "6*7"}],
            "failing": [start, {"type": "evaluate", "expression": "fetch('/count?name=tried').then(() => { throw 'no' })"}],
            "invalid": [{"type": "strat"}]}


def has_module(ctx, name, example):
    """Whether the module is installed; the example is then beside it."""
    modules = ROOT / "tests" / "widgets" / "node_modules"
    if not (modules / name).is_dir():
        return False
    if not (ctx.work / "node_modules").exists():
        (ctx.work / "node_modules").symlink_to(modules.resolve())
    shutil.copy(EXAMPLES / example, ctx.work)
    return True


def temporal(ctx, server):
    """
    The activity as Temporal's own test environment runs it. That has 170 MB for each system, and is no package of the
    tests: npm install --no-save --ignore-scripts --prefix tests/widgets @temporalio/activity @temporalio/testing
    """
    if not has_module(ctx, "@temporalio/testing", "queue_temporal.mjs"):
        return
    given = [json.dumps(batches(ctx)), json.dumps(endless(ctx, "endless"))]
    done = subprocess.run(["node", ctx.file("temporal.mjs", TEMPORAL), server.http, ctx.origin, *given], cwd=ctx.work,
                          env=ctx.environment, capture_output=True, text=True, timeout=90 * SLOWNESS)
    ctx.expect(done.returncode == 0, f"Temporal: {done.stderr[-1000:]}")
    ctx.match(json.loads(done.stdout), {
        "fine": [None, 42], "failing": {"message": {"$regex": "no"}, "type": "EVAL_ERROR", "nonRetryable": False},
        "invalid": {"message": {"$regex": "unknown action type"}, "nonRetryable": True}, "cancelled": "CancelledFailure"}, "Temporal")
    server.await_metric("batches_running", 0)
    ctx.expect(server.metric("batches_cancelled_total") == 1, "the batch of a cancelled activity runs on")


def bullmq(ctx, server, port):
    if not has_module(ctx, "bullmq", "queue_bullmq.mjs"):
        return False
    add = ctx.file("add.mjs", ADD)
    url = f"redis://127.0.0.1:{port}"
    worker = subprocess.Popen(["node", ctx.work / "queue_bullmq.mjs", url, server.http], cwd=ctx.work, env=ctx.environment,
                              stdout=subprocess.PIPE, text=True)
    with ending(worker):
        subprocess.run(["node", add, url, json.dumps(list(batches(ctx).items()))], cwd=ctx.work, env=ctx.environment, check=True,
                       timeout=60 * SLOWNESS)
        found = {}
        # The failing one is tried twice, and told each time.
        while len(found) < 3 or ctx.counts().get("tried", 0) < 2:
            line = json.loads(worker.stdout.readline())
            found[line["id"]] = line
    ctx.match(found, {"fine": {"results": [None, 42]}, "failing": {"error": {"$regex": "no"}},
                      "invalid": {"error": {"$regex": "unknown action type"}}}, "BullMQ")
    return True


def celery(ctx, server, port):
    if subprocess.run([SYSTEM_PYTHON, "-c", "import celery, redis"], capture_output=True, timeout=60).returncode != 0:
        return False
    url = f"redis://127.0.0.1:{port}/1"
    environment = {**ctx.environment, "BROKER": url, "BACKEND": url, "SERVER": server.http, "PYTHONPATH": str(EXAMPLES),
                   "PYTHONDONTWRITEBYTECODE": "1"}
    worker = subprocess.Popen([SYSTEM_PYTHON, "-m", "celery", "-A", "queue_celery", "worker", "--pool", "solo", "--loglevel",
                               "ERROR"], cwd=ctx.work, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with ending(worker):
        tried = [batches(ctx)["fine"], batches(ctx)["invalid"]]
        done = subprocess.run([SYSTEM_PYTHON, "-c", CALL, json.dumps(tried)], cwd=ctx.work, env=environment, capture_output=True,
                              text=True, timeout=150 * SLOWNESS)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
    ctx.expect(len(answers) == 2 and answers[0] == [None, 42] and "unknown action type" in answers[1],
               f"Celery: {answers} {done.stderr[-600:]}")
    return True


def valid(ctx):
    """Those whose queues are not to be had here are read by their languages."""
    for path in EXAMPLES.glob("queue_*.mjs"):
        done = subprocess.run(["node", "--check", path], capture_output=True, text=True, timeout=60)
        ctx.expect(done.returncode == 0, f"{path.name}: {done.stderr}")
    for path in EXAMPLES.glob("queue_*.py"):
        compile(path.read_text(), str(path), "exec")
    options = subprocess.run([ctx.options.binary, "serve", "--help"], capture_output=True, text=True, timeout=30).stdout
    text = (EXAMPLES / "kubernetes.yaml").read_text()
    arguments = text.split("args: [")[1].split("]")[0].split(", ")
    ctx.expect(all(word in options for word in arguments if word.startswith("--")), f"{arguments}")
    with contextlib.suppress(ImportError):
        import yaml
        kinds = [document["kind"] for document in yaml.safe_load_all(text)]
        ctx.expect(kinds == ["Deployment", "Service", "ScaledObject", "Job"], f"{kinds}")


def run(ctx):
    if not shutil.which("node") or not shutil.which("redis-server"):
        raise Skip("node and redis-server are needed")
    valid(ctx)
    port, process = redis(ctx)
    with ending(process), shots(ctx) as server:
        ran = [bullmq(ctx, server, port), celery(ctx, server, port)]
        temporal(ctx, server)
        if not any(ran):
            raise Skip("neither bullmq (npm ci --prefix tests/widgets --ignore-scripts) nor python3-celery is installed")
