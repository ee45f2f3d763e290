"""The browser context that is made ahead of the next client: it is taken, hidden from others, and not given away after a crash."""
import asyncio
import os
import signal
import time

from endpoint import endpoint
from processes import SLOWNESS

BROWSER = "any"
PROFILE = "/devtools/browser/x?context=profile"


def run(ctx):
    with endpoint(ctx) as served:
        asyncio.run(taken(ctx, served))
        asyncio.run(crashed(ctx, served))


async def renderers(client):
    processes = (await client.call("SystemInfo.getProcessInfo"))["processInfo"]
    return {process["id"] for process in processes if process["type"] == "renderer"}


async def until(is_it, what, pause=0.05):
    end = time.monotonic() + 30 * SLOWNESS
    while not await is_it():
        if time.monotonic() > end:
            raise AssertionError(what)
        await asyncio.sleep(pause)


async def first_tab(client):
    """Its id, its session, and when its document began."""
    pages = await client.pages()
    assert len(pages) == 1 and pages[0]["url"] == "about:blank", pages
    session = await client.attach(pages[0]["targetId"])
    return pages[0]["targetId"], session, await client.evaluate(session, "performance.timeOrigin")


async def until_taken(served, watcher):
    """Until the first tab of a new client is older than its connection, and the process of the next one is there."""
    async def is_taken():
        before = 1000 * time.time()
        known = await renderers(watcher)

        async def is_made():
            return await renderers(watcher) - known

        async with served.client() as client:
            _, _, began = await first_tab(client)
            if began < before:
                await until(is_made, "no other context is made")
            return began < before

    # The next one is made when a client has been connected for half a second.
    await until(is_taken, "the contexts of all clients are made after their connection", 1)


async def taken(ctx, served):
    async with served.client() as first:
        await until_taken(served, first)
        async with served.client() as second, served.client() as third:
            tabs = [(await first_tab(client))[:2] for client in (first, second, third)]
            ctx.expect(len(set(tabs)) == 3, "one was given to two clients")
            await third.call("Page.enable", tabs[2][1])
            await third.call("Page.navigate", tabs[2][1], url=ctx.origin + "/counts")
            await third.event("Page.loadEventFired")
            await until_taken(served, first)
            async with served.client(PROFILE) as profile:
                await profile.call("Target.setDiscoverTargets", discover=True, filter=[{}])
                seen = await profile.pages()
                contexts = (await profile.call("Target.getBrowserContexts"))["browserContextIds"]
                known = [message["params"]["targetInfo"] for message in profile.heard if message.get("method") == "Target.targetCreated"]
                ctx.expect(not contexts and len({info["browserContextId"] for info in seen + known if "browserContextId" in info}) <= 1,
                           f"the profile sees {contexts} {seen} {known}")
            for client in (first, second, third):
                ctx.expect(len(await client.pages()) == 1, "each client sees its own tab alone")
            listed = served.ask("/json/list")
            ctx.expect(len(listed) == 1 and listed[0]["id"] not in [tab for tab, _ in tabs], f"/json/list: {listed}")


async def crashed(ctx, served):
    async with served.client() as first:
        await until_taken(served, first)
        killed = await renderers(first)
        for process in killed:
            os.kill(process, signal.SIGKILL)

        async def are_gone():
            return not killed & await renderers(first)

        await until(are_gone, "processes that were killed are still there")
        async with served.client() as second:
            _, session, _ = await first_tab(second)
            ctx.expect(await second.evaluate(session, "6 * 7") == 42, "the tab of the next client")
