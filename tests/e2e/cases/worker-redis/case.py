"""Redis is away for longer than a lease and comes back; passwords, databases and TLS; metrics."""
import subprocess
import time
import urllib.request

import queued
from faults import until

BROWSER = "any"


def run(ctx):
    with queued.Redis(ctx, "--appendfsync", "always") as redis:
        restart(ctx, redis)
        demote(ctx, redis)
        count(ctx, redis)
        forget(ctx, redis)
    secure(ctx)


def restart(ctx, redis):
    """Its batch runs once, although its lease was over when Redis was back and another worker has nothing to do."""
    workers = [queued.worker(ctx), queued.worker(ctx)]
    queued.submit(ctx, "restarted", queued.steps(ctx, "restarted", 2000))
    until(lambda: redis("XLEN", "browser-runner:answer:restarted") == 2, "the batch waits", 20)
    redis.kill()
    ctx.match(ctx.counts(), {"restarted-begun": 1, "restarted-ended": {"$absent": True}}, "while Redis is away")
    back_at = time.monotonic() + queued.LEASE + 1
    until(lambda: time.monotonic() > back_at, "the lease is over", queued.LEASE + 5)
    redis.start()
    workers.append(queued.worker(ctx))
    queued.expect_whole(ctx, queued.results(ctx, "restarted"), "a batch during a restart of Redis")
    ctx.match(ctx.counts(), {"restarted-begun": 1, "restarted-ended": 1}, "how often it ran")
    ctx.match(redis.job("restarted"), {"attempt": "1", "winner": "1"}, "the job")
    for worker in workers:
        queued.end(ctx, worker)


def demote(ctx, redis):
    """A server that has become a replica: the worker leaves it, and looks it up again."""
    def clients():
        return {line.split()[0] for line in redis("CLIENT", "LIST").splitlines() if "redis.sock" in line}

    worker = queued.worker(ctx)
    until(lambda: len(clients()) >= 3, "the worker's connections, and ours", 20)
    before = clients()
    redis("REPLICAOF", "127.0.0.1", "1")
    until(lambda: len(before & clients()) <= 1, "the slot's connection is a new one", 20)
    redis("REPLICAOF", "NO", "ONE")
    queued.submit(ctx, "promoted", queued.steps(ctx, "promoted"))
    queued.expect_whole(ctx, queued.results(ctx, "promoted"), "a batch after that")
    queued.end(ctx, worker)


def count(ctx, redis):
    """The numbers of a worker and of its streams."""
    process = ctx.start(["worker", "--metrics=0", "--slots", "1", "--screenshots", "none", "--lease", queued.LEASE,
                         "--stream", 'a "stream"', *ctx.browser_args()])
    line = process.line()
    ctx.match(line, {"kind": "listening", "server": "worker", "url": {"$regex": "/metrics$"}}, "the metrics' line")
    process.line()
    redis("XADD", 'a "stream"', "*", "id", "counted", "batch", queued.steps(ctx, "counted"))
    redis("XADD", 'a "stream"', "*", "id", "buried")
    queued.expect_whole(ctx, queued.results(ctx, "counted", "--stream", 'a "stream"'), "a batch that is counted")
    label = '{stream="a \\"stream\\""}'
    expected = ["jobs_taken_total 1", "jobs_answered_total 1", "jobs_actions_total 4", "jobs_fenced_total 0",
                "jobs_here 0", "jobs_buried_total 1", f"jobs_dead{label} 1", f"jobs_waiting{label} 0",
                f"jobs_running{label} 0", f"jobs_oldest_seconds{label} 0"]

    def is_told():
        with urllib.request.urlopen(line["url"], timeout=10) as answer:
            text = answer.read().decode()
        return all(f"browser_runner_{row}\n" in text for row in expected) and text.endswith("# EOF\n")

    until(is_told, f"the metrics say {expected}", 20)
    queued.end(ctx, process)


def forget(ctx, redis):
    """A server that has lost everything: the worker creates its group again."""
    worker = queued.worker(ctx)
    redis("FLUSHALL")
    queued.submit(ctx, "forgotten", queued.steps(ctx, "forgotten"))
    queued.expect_whole(ctx, queued.results(ctx, "forgotten"), "a batch after everything was lost")
    queued.end(ctx, worker)


def secure(ctx):
    """TLS with a certificate that has to be trusted, a user with a password, another database."""
    port = ctx.take_port()
    made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                           "-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "certificate.pem"],
                          cwd=ctx.base, capture_output=True, timeout=60)
    ctx.expect(made.returncode == 0, f"{made.stderr}")
    with queued.Redis(ctx, "--tls-port", str(port), "--tls-cert-file", "certificate.pem", "--tls-key-file", "key.pem",
                      "--tls-ca-cert-file", "certificate.pem", "--tls-auth-clients", "no", "--appendonly", "no") as redis:
        redis("ACL", "SETUSER", "me", "on", ">p@ss word", "~*", "&*", "+@all")
        url = f"rediss://me:p%40ss%20word@localhost:{port}/2"
        ctx.environment["BROWSER_RUNNER_REDIS"] = url
        run = ctx.run(["results", "x"])
        ctx.expect(run.exit == 1 and "not trusted" in run.stderr and "SSL_CERT_FILE" in run.stderr, run.text)
        ctx.environment["SSL_CERT_FILE"] = str(ctx.base / "certificate.pem")
        run = ctx.run(["results", "x", "--redis", url.replace("localhost", "127.0.0.1")])
        ctx.expect(run.exit == 1 and "not trusted" in run.stderr, f"another name: {run.text}")
        run = ctx.run(["results", "x", "--redis", url.replace("p%40ss", "guess")])
        ctx.expect(run.exit == 1 and "WRONGPASS" in run.stderr and "guess" not in run.stderr, f"a wrong password: {run.text}")
        worker = queued.worker(ctx)
        queued.submit(ctx, "secured", queued.steps(ctx, "secured"))
        queued.expect_whole(ctx, queued.results(ctx, "secured"), "a batch over TLS")
        ctx.expect(redis("EXISTS", "browser-runner:job:secured") == 0, "it is in the first database")
        queued.end(ctx, worker)
