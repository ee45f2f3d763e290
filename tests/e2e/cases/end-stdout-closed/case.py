"""The reader of stdout closes it, as with `| head -1`: the program ends without a message, and nothing is left. If stdout
cannot be written for another reason, the program reports that."""
import os
import subprocess

from processes import SLOWNESS

BROWSER = "any"


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
    ctx.expect(stderr == b"", f"on stderr: {stderr[:400]}")

    said = ('{"kind": "response", "id": 1, "type": "wait", "success": true, "error": null, "screenshots": {}, "captures": {}, '
            '"logs": [], "networkEvents": [], "metrics": null}\n' * 3000).encode()
    for args, text in ((("help",), b""), (("schema", "instruction"), b""), (("history", "convert"), said)):
        reader, writer = os.pipe()
        os.close(reader)
        closed = subprocess.run([ctx.options.binary, *args], input=text, stdout=writer, stderr=subprocess.PIPE,
                                cwd=ctx.work, env=ctx.environment, timeout=30 * SLOWNESS, check=False)
        os.close(writer)
        ctx.expect(closed.returncode == 1 and closed.stderr == b"", f"{args}: {closed.returncode}, {closed.stderr[:400]}")
        with open("/dev/full", "wb") as full:
            closed = subprocess.run([ctx.options.binary, *args], input=text, stdout=full, stderr=subprocess.PIPE,
                                    cwd=ctx.work, env=ctx.environment, timeout=30 * SLOWNESS, check=False)
        ctx.expect(closed.returncode == 1 and b"cannot write to stdout: No space" in closed.stderr,
                   f"{args} to a full disk: {closed.returncode}, {closed.stderr[:400]}")
