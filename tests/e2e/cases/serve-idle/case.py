"""A server that has nothing to do sleeps: all of them before the first client, and with clients that say nothing."""
import asyncio
import os
import time

from endpoint import endpoint
from processes import SLOWNESS

BROWSER = "any"
QUIET_S = 1.5
LIMIT_S = 30


def wakeups(pid):
    """How often threads of the process have gone to sleep."""
    count = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/status") as status:
            count += next(int(line.split()[1]) for line in status if line.startswith("voluntary_ctxt_switches"))
    return count


async def expect_quiet(ctx, pid, what):
    """What was under way may take its time to end, but then there is quiet."""
    end_at = time.monotonic() + LIMIT_S * SLOWNESS
    counts = []
    while time.monotonic() < end_at:
        before = wakeups(pid)
        await asyncio.sleep(QUIET_S)
        counts.append(wakeups(pid) - before)
        if counts[-1] == 0 or counts[-2:] == [1, 1]:
            return
    ctx.problem(f"{what}: in windows of {QUIET_S} s it woke {counts} times")


async def talk(ctx, served):
    pid = served.process.pid
    await expect_quiet(ctx, pid, "before the first client")
    async with served.client() as client, served.client() as other:
        session = await client.attach((await client.pages())[0]["targetId"])
        ctx.expect(await client.evaluate(session, "6 * 7") == 42, "the client works")
        await other.pages()
        await expect_quiet(ctx, pid, "beside two clients that say nothing")
        ctx.expect(await client.evaluate(session, "7 * 7") == 49, "the client works still")
    await expect_quiet(ctx, pid, "when they have gone")


def run(ctx):
    with endpoint(ctx, "--actions=0", "--brop=0", "--debug-bridge=0", "--console-bridge=0") as served:
        asyncio.run(talk(ctx, served))
