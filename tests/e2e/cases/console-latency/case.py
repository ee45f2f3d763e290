"""console: the latency of 100 calls a second, from the call to the line; fails only if it stalls."""
import asyncio
import sys
import time

from consoled import called, consoled
from processes import SLOWNESS

TIER = "timing"


def run(ctx):
    with consoled(ctx) as console:
        asyncio.run(latency(ctx, console))


async def latency(ctx, console):
    took = []
    async with console.connect() as peer:
        for number in range(200):
            began = time.monotonic()
            await peer.send(called("log", f"n {number}"))
            while console.process.line().get("text") != f"n {number}":
                pass
            took.append(1000 * (time.monotonic() - began))
            await asyncio.sleep(max(0, 0.01 - (time.monotonic() - began)))
    took.sort()
    print(f"call to line at 100 a second: median {took[100]:.1f} ms, p99 {took[197]:.1f} ms", file=sys.stderr)
    ctx.expect(took[100] < 100 * SLOWNESS, f"a line takes {took[100]} ms")
