"""Contexts that clients make in the profile: seen by all of its clients, kept or not as at Chrome's own port, and seen by
no client of a context of its own; a Puppeteer that comes again finds its own."""
import asyncio
import pathlib

from endpoint import endpoint, node, node_program, websockets
from processes import SLOWNESS
from served import ask

HERE = pathlib.Path(__file__).parent
PROFILE = "/devtools/browser/x?context=profile"


def run(ctx):
    ctx.requires_widgets("puppeteer-core", "puppeteer-core-25")
    with endpoint(ctx, "--actions=0", "--screenshots", "none") as served:
        asyncio.run(shared(ctx, served))
        # come_again


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
