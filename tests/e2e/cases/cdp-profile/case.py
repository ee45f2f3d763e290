"""Contexts that clients make in the profile: seen by all of its clients, kept or not as at Chrome's own port, and seen by
no client of a context of its own; a Puppeteer that comes again finds its own."""
import asyncio
import json
import pathlib

from endpoint import endpoint, node, node_program, websockets
from processes import SLOWNESS
from served import ask

BROWSER = "any"
HERE = pathlib.Path(__file__).parent
PROFILE = "/devtools/browser/x?context=profile"
OPEN_TABS = 4


def run(ctx):
    ctx.requires_widgets("puppeteer-core", "puppeteer-core-25")
    with endpoint(ctx, "--actions=0", "--screenshots", "none") as served:
        asyncio.run(shared(ctx, served))
        asyncio.run(come_again(ctx, served))
        asyncio.run(at_once(ctx, served))


async def contexts(client):
    return (await client.call("Target.getBrowserContexts"))["browserContextIds"]


async def shared(ctx, served):
    async with served.client(PROFILE) as second, served.client() as apart:
        await second.call("Target.setDiscoverTargets", discover=True)
        async with served.client(PROFILE) as first:
            kept = (await first.call("Target.createBrowserContext"))["browserContextId"]
            ending = (await first.call("Target.createBrowserContext", disposeOnDetach=True))["browserContextId"]
            made = [(await first.call("Target.createTarget", url="about:blank", browserContextId=context))["targetId"]
                    for context in (kept, ending)]
            await second.event("Target.targetCreated")
            ctx.expect(set(await contexts(second)) == {kept, ending}, f"{await contexts(second)}")
            ctx.expect(await contexts(apart) == [], f"{await contexts(apart)}")
            listed = {tab["id"] for tab in served.ask("/json/list?context=profile")}
            ctx.expect(listed >= set(made), f"{listed} without {made}")
        await second.hear(lambda message: message.get("method") == "Target.targetDestroyed" and
                          message["params"]["targetId"] == made[1], "the end of the other's tab")
        ctx.expect(await contexts(second) == [kept], f"kept are {await contexts(second)}")
        async with served.client(PROFILE) as third:
            ctx.expect(await contexts(third) == [kept], f"found are {await contexts(third)}")
            ctx.expect(made[0] in [page["targetId"] for page in await third.pages()], f"{await third.pages()}")
            session = await third.attach(made[0])
            ctx.expect(await third.evaluate(session, "location.href") == "about:blank", "the tab that was kept")
            reply = await apart.ask("Target.disposeBrowserContext", browserContextId=kept)
            ctx.expect("error" in reply, f"{reply}")
            await third.call("Target.disposeBrowserContext", browserContextId=kept)
        await second.event("Target.targetDestroyed", targetId=made[0])
        ctx.expect(await contexts(second) == [], f"{await contexts(second)}")


async def come_again(ctx, served):
    async with websockets.connect(served.urls["actions"], max_size=None) as session:
        await session.recv()
        answer = await ask(session, type="start", url=ctx.origin + "/counts?ours")
        ctx.expect(answer["success"], f"start: {str(answer)[:300]}")
        for name, is_newest in (("puppeteer-core", False), ("puppeteer-core-25", True)):
            found = await asyncio.to_thread(node, ctx, HERE / "puppeteer.mjs", served.websocket + PROFILE, ctx.origin, name,
                                            program=node_program(is_newest))
            ctx.expect(found == {"at": 1, "kept": "?kept", "png": "PNG", "urls": [], "end": 1}, f"{name}: {found}")
        answer = await asyncio.wait_for(ask(session, type="evaluate", expression="location.search"), 20 * SLOWNESS)
        ctx.expect(answer.get("result") == "?ours", f"our session: {str(answer)[:300]}")


async def at_once(ctx, served):
    """While sessions of ours and a client make tabs, another client hears of all of the client's and of none of ours."""
    async with served.client(PROFILE) as seer, served.client(PROFILE) as maker:
        await seer.call("Target.setDiscoverTargets", discover=True, filter=[{}])
        await seer.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True,
                        filter=[{"type": "tab"}])  # and lets none of them go on, as a Puppeteer that stands still
        made = []

        async def ours():
            for _ in range(4):
                async with websockets.connect(served.urls["actions"], max_size=None) as session:
                    await session.recv()
                    answer = await ask(session, type="start", url=ctx.origin + "/counts?ours")
                    ctx.expect(answer["success"], f"start: {str(answer)[:300]}")

        async def theirs(task):
            while not task.done():
                target = (await maker.call("Target.createTarget", url=ctx.origin + "/counts?theirs"))["targetId"]
                made.append(target)
                if len(made) >= OPEN_TABS:  # so that a slow machine has no more of them than a fast one
                    await maker.call("Target.closeTarget", targetId=made[-OPEN_TABS])

        task = asyncio.ensure_future(asyncio.gather(ours(), ours()))
        await theirs(task)
        await task
        ctx.expect(len(made) > 4, f"it made {made}")
        told = [message["params"]["targetInfo"] for message in seer.heard if message.get("method") == "Target.targetCreated"]
        pages = {info["targetId"] for info in told if info["type"] == "page"}
        for target in made:
            await seer.hear(lambda message: message.get("method") in ("Target.targetCreated", "Target.targetDestroyed") and
                            target in json.dumps(message), "a tab of another client")
        tabs = [info for info in told if info["type"] == "tab"]
        ctx.expect(pages <= set(made) and len(tabs) <= len(made), f"it heard of {pages - set(made)} and {tabs}")
        ctx.expect("ours" not in json.dumps(seer.heard), "it heard of a tab of ours")
        for target in [page["targetId"] for page in await maker.pages()]:
            await maker.ask("Target.closeTarget", targetId=target)  # one may be closing already
