"""Every command of docs/checks.md works, in the order of the text."""
import json
import os
import pathlib
import re
import subprocess

from answers import Site, page
from documents import check_links
from harness import ROOT

BROWSER = "any"
TEXT = (ROOT / "docs" / "checks.md").read_text()
ADDRESS = "http://localhost:3000"


def show(site, about):
    site.answers["/"] = page("<h1>Home</h1>")
    site.answers["/about"] = page(f"<h1>{about}</h1>")


def shell(ctx, script, wanted=0, **environment):
    done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", script], cwd=ctx.work, capture_output=True,
                          env={**ctx.environment, **environment}, timeout=180, stdin=subprocess.DEVNULL)
    ctx.expect(done.returncode == wanted,
               f"exit {done.returncode}, not {wanted}, of:\n{script}\n{(done.stdout + done.stderr).decode()[-800:]}")


def states(ctx):
    results = json.loads((ctx.work / "smoke.report" / "results.json").read_text())
    return {check["id"]: check["status"] for check in results["checks"]}


def run_shards(ctx):
    github = re.search(r"- run: (browser-runner check smoke\.json --shard .*)", TEXT)[1]
    gitlab = " ".join(re.search(r"- (browser-runner check smoke\.json --shard \$CI.*\n.*)", TEXT)[1].split())
    merge = re.search(r"- run: (browser-runner check merge .*)", TEXT)[1]
    for index in "123":
        shell(ctx, github.replace("${{ matrix.shard }}", index))
    shell(ctx, merge)
    merged = json.loads((ctx.work / "report" / "results.json").read_text())
    ctx.expect(len(merged["checks"]) == 4 and merged["complete"], f"merged: {merged['totals']}")
    shell(ctx, gitlab, CI_NODE_INDEX="2", CI_NODE_TOTAL="3", CI="true")
    ctx.expect((ctx.work / "junit-2.xml").exists(), "there is no junit-2.xml")


def run(ctx):
    ctx.environment["PATH"] = f"{pathlib.Path(ctx.options.binary).resolve().parent}:{os.environ['PATH']}"
    ctx.environment.pop("CI", None)
    site = Site(ctx, {})
    show(site, "About")
    first, approve = [block.replace(ADDRESS, site.url) for block in re.findall(r"```sh\n(.*?)```", TEXT, re.S)]
    shell(ctx, "git init -q . && " + first)
    ctx.expect(states(ctx) == {f"{name}@{size}": "passed" for name in ("home", "about") for size in ("desktop", "phone")},
               f"{states(ctx)}")
    suite = json.loads(re.search(r"What it writes is short:\n\n```json\n(.*?)```", TEXT, re.S)[1].replace(ADDRESS, site.url))
    written = json.loads((ctx.work / "smoke.json").read_text())
    ctx.expect(suite == written, f"--init wrote {written}, not {suite}")
    # The other commands do not depend on the sizes.
    ctx.file("smoke.json", json.dumps({**suite, "viewports": {"desktop": {"width": 400, "height": 300}, "phone": {"width": 200, "height": 300}}}))
    shell(ctx, "browser-runner check smoke.json --update=all")

    show(site, "About us, and more of it")
    shell(ctx, "browser-runner check smoke.json --retries 0", 1)
    shell(ctx, approve)
    shell(ctx, "browser-runner check smoke.json --update=missing --retries 0", 1)
    ctx.expect(states(ctx)["about@phone"] == "passed" and states(ctx)["about@desktop"] == "failed", f"{states(ctx)}")
    rows = re.findall(r"^\| `check (smoke\.json [^`]*)`", TEXT, re.M)
    ctx.expect(len(rows) >= 5, f"{rows}")
    for row in rows:
        if "NAME" not in row:
            shell(ctx, f"browser-runner check {row}")
    run_shards(ctx)
    check_links(ctx, TEXT)
    options = subprocess.run([ctx.options.binary, "check", "--help"], capture_output=True, text=True, timeout=30).stdout
    for option in sorted(set(re.findall(r"`(--[a-z-]+)", TEXT))):
        ctx.expect(option in options or option in ("--shm-size",), f"check has no {option}")
