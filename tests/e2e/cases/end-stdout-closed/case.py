"""The reader of stdout goes away, as with `| head -1`: the program ends, and nothing is left."""
import subprocess

from processes import SLOWNESS


def run(ctx):
    batch = ctx.batch([("start", {"url": ctx.origin + "/shop/"}), ("wait", {"ms": 300}),
                       ("evaluate", {"expression": "1"}), ("wait", {"ms": 60000, "timeout": 90000})])
    process = subprocess.Popen(
        [ctx.options.binary, "run", batch, "--temp-profile", *ctx.browser_args()],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=ctx.work, env=ctx.environment)
    ctx.known.add(process.pid)
    first = process.stdout.readline()
    ctx.expect(b'"response"' in first, f"first line: {first[:200]}")
    process.stdout.close()
    try:
        _, stderr = process.communicate(timeout=15 * SLOWNESS)
    except subprocess.TimeoutExpired:
        ctx.problem("still running 15 s after its reader has gone")
        process.kill()
        process.communicate()
        return
    ctx.expect(process.returncode != 0, "exit 0, though its output was lost")
    ctx.expect(len(stderr) < 4000, f"{len(stderr)} characters on stderr")
