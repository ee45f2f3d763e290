"""serve --http: how many run and wait, who is refused, what the end of a connection cancels, keys, the end of the server."""
import contextlib
import json
import signal

from faults import until, wait_for
from one_shots import endless, shots
from processes import SLOWNESS

BROWSER = "any"


def start(ctx):
    return {"type": "start", "url": ctx.origin + "/"}


def count(ctx, name, ms=0):
    """A batch that the server counts."""
    return [start(ctx), {"type": "evaluate", "expression": f"fetch('/count?name={name}&ms={ms}').then(() => Math.random())",
                         "timeout": 30000}]


def queue(ctx, server):
    """One runs, one waits, the third is refused; each that leaves makes room."""
    first = server.open("/run", endless(ctx, "first"))
    wait_for(ctx, "first")
    second = server.open("/run", endless(ctx, "second"))
    server.await_metric("requests_waiting", 1)
    refused = server.run(count(ctx, "third"))
    ctx.expect(refused.status == 429 and int(refused.headers["Retry-After"]) >= 1, f"{refused.status} {refused.headers}")
    ctx.match(refused.json, {"errorCode": "RATE_LIMITED", "error": "1 requests run and 1 wait, which is the maximum"}, "429")
    ctx.expect(server.get("/ready")[0] == 503, "a full queue is not ready")
    ctx.expect(server.metric("oldest_waiting_seconds") > 0, "the age of the oldest")
    first.close()
    wait_for(ctx, "second")
    ctx.expect(server.get("/ready")[0] == 200, "room makes it ready")
    third = server.open("/run", endless(ctx, "left"))
    server.await_metric("requests_waiting", 1)
    third.close()
    server.await_metric("requests_waiting", 0)
    second.close()
    server.await_metric("batches_running", 0)
    ctx.expect(server.run(count(ctx, "after")).status == 200, "after all that")
    ctx.expect(ctx.counts().get("third", 0) == 0 and ctx.counts().get("left", 0) == 0, f"refused, and run: {ctx.counts()}")
    ctx.expect(server.metric("batches_cancelled_total") == 3 and server.metric("requests_refused_total") == 1, "the counts")


def keys(ctx, server):
    """A key runs once: requests join, repeat, and outlive their connection."""
    begun = server.ask_aside("/run", count(ctx, "once", 1500), Idempotency_Key="a")
    wait_for(ctx, "once")
    joined = server.run(count(ctx, "once", 1500), Idempotency_Key="a")
    repeated = server.run(count(ctx, "once", 1500), Idempotency_Key="a")
    bodies = {begun().body, joined.body, repeated.body}
    ctx.expect(len(bodies) == 1 and len(joined.lines) == 3, f"answers differ: {bodies}")
    ctx.expect(ctx.counts()["once"] == 1, f"it ran {ctx.counts()['once']} times")
    ctx.expect(server.metric("requests_joined_total") == 2, "the count of joined ones")
    begun = server.ask_aside("/run", count(ctx, "read", 3000), Idempotency_Key="read")
    wait_for(ctx, "read")
    with contextlib.closing(server.open("/run", count(ctx, "read", 3000), Idempotency_Key="read")) as connection:
        response = connection.getresponse()
        first = json.loads(response.readline())
        ctx.expect(first["id"] == 1 and server.metric("batches_running") == 1, f"who joins gets what there is at the end: {first}")
        ctx.expect(len(response.read().splitlines()) == 2 and len(begun().lines) == 3, "the other lines")
    other = server.run(count(ctx, "other"), Idempotency_Key="a")
    ctx.expect(other.status == 422 and "other" not in ctx.counts(), f"another body: {other.status}")
    form = server.run(count(ctx, "once", 1500), Idempotency_Key="a", Accept="application/json")
    ctx.expect(form.status == 422, f"another form: {form.status}")
    connection = server.open("/run", count(ctx, "lives", 1000), Idempotency_Key="b")
    wait_for(ctx, "lives")
    connection.close()
    answer = server.run(count(ctx, "lives", 1000), Idempotency_Key="b")
    ctx.match(answer.lines[-1], {"actions": 2, "failed": 0}, "its client left")
    ctx.expect(ctx.counts()["lives"] == 1, "it ran again")
    # What did nothing runs again.
    missing = [server.run([{"type": "start", "url": ctx.closed_origin + "/"}], Idempotency_Key="d") for _ in range(2)]
    ctx.expect(missing[0].lines[0]["sessionId"] != missing[1].lines[0]["sessionId"], "a batch that did nothing is kept")
    joined = server.metric("requests_joined_total")
    missing = [server.ask(f"/shot?url={ctx.origin}/missing", Idempotency_Key="e").status for _ in range(2)]
    ctx.expect(missing == [502, 502] and server.metric("requests_joined_total") == joined, f"no picture, and kept: {missing}")
    pictures = [server.ask(f"/shot?url={ctx.origin}/", Idempotency_Key="c") for _ in range(2)]
    ctx.expect(pictures[0].body == pictures[1].body and pictures[1].kind == "image/jpeg", "the same picture")


def times(ctx):
    """The queue and a batch have deadlines, an answer is forgotten."""
    seconds = str(round(5 * SLOWNESS))
    with shots(ctx, "--max-running", "1", "--queue-timeout", "1", "--batch-timeout", seconds, "--keep-answers", "1") as server:
        until(lambda: server.run([start(ctx)]).lines[-1]["failed"] == 0, "the browser starts", 60)
        long = server.ask_aside("/run", endless(ctx, "long"))
        wait_for(ctx, "long")
        late = server.run(count(ctx, "late"))
        ctx.expect(late.status == 503 and int(late.headers["Retry-After"]) >= 1, f"too late: {late.status}")
        ctx.match(late.json, {"errorCode": "TIMEOUT", "error": {"$regex": "waited for 1 s"}}, "503")
        lines = long().lines
        ctx.match(lines[1], {"success": False, "errorCode": "CANCELLED"}, "a batch that ran too long")
        ctx.match(lines[-1], {"kind": "summary", "failed": 1}, "its summary")
        long = server.ask(f"/shot?url={ctx.origin}/count%3Fname=slow%26ms=60000&timeout=60000")
        ctx.match(long.json, {"errorCode": "TIMEOUT", "error": {"$regex": "ran for"}}, "a picture that took too long")
        ctx.expect(long.status == 504, f"a picture that took too long: {long.status}")
        answers = []

        def differ():
            answers.append(server.run(count(ctx, "again"), Idempotency_Key="k").lines[1]["result"])
            return len(set(answers)) == 2
        until(differ, "the answer of a key is forgotten", 20)
        ctx.expect(ctx.counts()["again"] == 2, f"{ctx.counts()}")


def memory(ctx):
    """Above the limit of memory one runs at a time, whatever --max-running says."""
    with shots(ctx, "--memory-limit", "1", "--recycle-above", "100000", "--max-running", "4") as server:
        first = server.open("/run", endless(ctx, "large"))
        wait_for(ctx, "large")
        others = []

        def is_full():
            """The memory is measured once a second, when a batch is to begin: others may begin before that."""
            if server.metric("requests_waiting") == 0:
                others.append(server.ask_aside("/run", count(ctx, "small")))
            return server.metric("browsers_memory_bytes") > 1 << 20 and server.metric("batches_running") == 1 \
                and server.metric("requests_waiting") > 0
        until(is_full, "another one waits", 20)
        status, why = server.get("/ready")
        ctx.expect(status == 503 and "memory" in why, f"{status} {why}")
        first.close()
        for other in others:
            ctx.match(other().lines[-1], {"failed": 0}, "what waited")
        until(lambda: server.get("/ready")[0] == 200, "ready while nothing runs")


def ends(ctx):
    """SIGTERM: what runs is answered, what waits and what comes is refused; what does not end is cancelled."""
    with shots(ctx, "--max-running", "1") as server:
        running = server.ask_aside("/run", count(ctx, "drained", 2000))
        wait_for(ctx, "drained")
        waiting = server.ask_aside("/run", count(ctx, "never"))
        server.await_metric("requests_waiting", 1)
        server.process.was_told_to_end = True
        server.process.signal(signal.SIGTERM)
        answer = waiting()
        ctx.expect(answer.status == 503 and "shutting down" in answer.json["error"], f"what waited: {answer.status} {answer.body}")
        ctx.expect(server.get("/ready")[0] == 503, "it drains, and is ready")
        ctx.expect(server.run(count(ctx, "never")).status == 503, "a new request")
        ctx.match(running().lines[-1], {"actions": 2, "failed": 0}, "what ran")
    with shots(ctx) as server:
        running = server.ask_aside("/run", endless(ctx, "cut"))
        wait_for(ctx, "cut")
        server.process.was_told_to_end = True
        server.process.signal(signal.SIGTERM)
        ctx.match(running().lines[1], {"success": False, "errorCode": "CANCELLED"}, "what did not end")
    ctx.expect("never" not in ctx.counts(), "a refused batch ran")


def run(ctx):
    with shots(ctx, "--max-running", "1", "--max-queued", "1") as server:
        queue(ctx, server)
        keys(ctx, server)
    times(ctx)
    memory(ctx)
    ends(ctx)
