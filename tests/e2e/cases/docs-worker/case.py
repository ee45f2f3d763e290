"""docs/worker.md: its commands work, its options and metrics exist, and so do those of the dashboard."""
import json
import re
import signal
import subprocess
import urllib.request

from documents import check_links
import queued
from harness import ROOT

BROWSER = "any"
DOCS = ROOT / "docs"
TEXT = (DOCS / "worker.md").read_text()
DASHBOARD = (DOCS / "examples" / "worker-dashboard.json").read_text()


def run(ctx):
    check_links(ctx, TEXT)
    options = "".join(ctx.run([command, "--help"]).stdout.decode() for command in ("worker", "submit", "results"))
    for option in sorted(set(re.findall(r"`(--[a-z-]+)", TEXT))):
        ctx.expect(option + " " in options or option + "[" in options, f"there is no {option}")
    with queued.Redis(ctx) as redis:
        follow_text(ctx)
        add_entry(ctx, redis)
        count(ctx)


def follow_text(ctx):
    """The shell commands, with the case's server."""
    script = re.search(r"```sh\n(.*?)```", TEXT, re.S)[1]
    script = re.sub(r"^export BROWSER_RUNNER_REDIS=.*\n", "", script, flags=re.M)
    ctx.expect("worker --slots 2 &" in script, "the text starts a worker")
    script = script.replace("worker --slots 2", "worker --slots 2 " + " ".join(ctx.browser_args()))
    script = script.replace("browser-runner ", f"{ctx.options.binary} ")
    ctx.file("batch.xml", queued.steps(ctx, "text"))
    done = subprocess.run(["bash", "-e", "-c", script + "kill $!\nwait $!\n"], cwd=ctx.work, env=ctx.environment,
                          capture_output=True, text=True, timeout=120)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    ctx.expect(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
    queued.expect_whole(ctx, [line for line in lines if line["kind"] != "worker"], "the commands of the text")


def add_entry(ctx, redis):
    """The entry that any producer can add."""
    stream, job, text = re.search(r"`XADD (\S+) \* id (\S+) batch '(.*?)'`", TEXT).groups()
    redis("XADD", stream, "*", "id", job, "batch", text.replace("https://example.org", ctx.origin + "/"))
    worker = queued.worker(ctx)
    ctx.expect(queued.kinds(queued.results(ctx, job)) == ["start", "summary"], "the entry of the text")
    queued.end(ctx, worker)


def count(ctx):
    """Every metric has a row, and the dashboard names no other."""
    process = ctx.start(["worker", "--metrics=0", "--slots", "1", *ctx.browser_args()])
    with urllib.request.urlopen(process.line()["url"], timeout=10) as answer:
        metrics = answer.read().decode()
    process.line()
    process.signal(signal.SIGTERM)
    process.wait()
    found = set(re.findall(r"^(browser_runner_jobs_\w+?)(?:\{.*)? \d+$", metrics, re.M)) | set(
        re.findall(r"^# TYPE (browser_runner_jobs_\w+) gauge", metrics, re.M))
    rows = re.findall(r"^\| (`browser_runner_jobs.*?) \|", TEXT, re.M)
    told = set()
    for row in rows:
        names = re.findall(r"`(\w+)`", row)
        told |= {name if name.startswith("browser") else "browser_runner_jobs" + name for name in names}
    ctx.expect(found == told, f"metrics without a row: {found - told}; rows without a metric: {told - found}")
    shown = set(re.findall(r"browser_runner_\w+", DASHBOARD))
    ctx.expect(shown and shown <= found, f"the dashboard has unknown metrics: {shown - found}")
    ctx.expect(json.loads(DASHBOARD)["panels"], "the dashboard has panels")
