"""serve --http with 200 clients while Chrome is killed every 5 s: each answer is whole, memory and open files stay, no process is left."""
import json
import subprocess
import sys

from harness import ROOT
from processes import SLOWNESS

BROWSER = "any"
TIER = "long"
TIME_LIMIT = 300


def run(ctx):
    command = [sys.executable, ROOT / "tests" / "bench" / "http_load.py", "--binary", ctx.options.binary, "--clients", "200",
               "--seconds", "60", "--kill-every", "5", "--json", *ctx.browser_args()]
    done = subprocess.run(command, cwd=ctx.work, env=ctx.environment, capture_output=True, text=True, timeout=240 * SLOWNESS,
                          stdin=subprocess.DEVNULL)
    ctx.expect(done.returncode == 0, f"exit {done.returncode}: {done.stdout} {done.stderr[-2000:]}")
    figures = json.loads(done.stdout)
    ctx.expect(figures["faults"] == {} and figures["left"] == [] and figures["files_left"] <= 0, f"lost, or left: {figures}")
    ctx.expect(set(figures["answers"]) == {"200", "429"} and figures["asked"]["refused"] > 0, f"nothing was refused: {figures}")
    ctx.expect(figures["answers"]["200"] > 20, f"hardly anything was answered: {figures}")
    # The run starts 12 Chromes, so memory that is lost at each restart would add up.
    _, middle, end, _ = figures["server_mb"]
    ctx.expect(end < middle + 3, f"the memory grows: {figures}")
