"""What a client of the profile leaves when it has gone, or was killed: downloads go as before, the next one may trace, and
permissions and emulation are over, as at Chrome's own port."""
import asyncio
import socket
import struct

import faults
from endpoint import connect, endpoint, websockets
from processes import SLOWNESS
from served import ask

BROWSER = "any"
PROFILE = "/devtools/browser/x?context=profile"
STATE = "navigator.permissions.query({name: 'geolocation'}).then(status => status.state)"
WHERE = "new Promise(done => navigator.geolocation.getCurrentPosition(p => done(p.coords.latitude), e => done(e.code)))"


def run(ctx):
    ours, theirs = ctx.work / "ours", ctx.work / "theirs"
    ours.mkdir()
    theirs.mkdir()  # --files lets a path have one folder that does not exist yet
    with endpoint(ctx, "--actions=0", "--screenshots", "none", "--files", ctx.work, "--downloads", ours) as served:
        asyncio.run(downloads(ctx, served, ours, theirs))
    with endpoint(ctx, "--actions=0", "--screenshots", "none") as served:
        asyncio.run(refused_downloads(ctx, served, theirs))
        asyncio.run(traces(ctx, served))
        asyncio.run(overrides(ctx, served))


async def reset(client):
    """The client is gone without a word."""
    raw = client.socket.transport.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.reader.cancel()
    client.socket.transport.abort()


async def until_it_is_gone(served, count=0):
    """As soon as the server has so many clients."""
    end = asyncio.get_running_loop().time() + 20 * SLOWNESS
    while served.ask("/health")["connections"] > count + 1:  # the request for that is one
        if asyncio.get_running_loop().time() > end:
            raise AssertionError("the server keeps a client that has gone")
        await asyncio.sleep(0.02)


async def load(client, session, url):
    await client.call("Page.enable", session)
    await client.call("Page.navigate", session, url=url)
    await client.event("Page.loadEventFired")


async def save(ctx, session, path):
    """A download of our own session: its answer."""
    return await ask(session, type="evaluate", expression=f"""(() => {{
        const link = document.createElement('a');
        link.href = '{path}'; link.download = ''; document.body.append(link); link.click(); return 1; }})()""")


async def downloads(ctx, served, ours, theirs):
    """Our session saves to its directory before a client says otherwise, and behind it."""
    async with websockets.connect(served.urls["actions"], max_size=None) as session:
        await session.recv()
        answer = await ask(session, type="start", url=ctx.origin + "/counts")
        ctx.expect(answer["success"], f"start: {str(answer)[:300]}")
        await save(ctx, session, "/counts?first")
        faults.until(lambda: len(list(ours.iterdir())) == 1, "a download of ours")
        for round, leave in enumerate((reset, lambda client: client.socket.close())):
            client = await connect(served.websocket + PROFILE)
            await client.call("Browser.getVersion")
            await ask(session, type="evaluate", expression="1")  # it hears of the client, and lets it be
            await client.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(theirs / str(round)), eventsEnabled=True)
            await leave(client)
            await until_it_is_gone(served)
            await save(ctx, session, f"/counts?behind{round}")
            faults.until(lambda: len(list(ours.iterdir())) == 2 + round, f"a download of ours behind a client ({round})")
            ctx.expect(not any(theirs.iterdir()), f"it went to where the client wanted: {theirs}")


async def refused_downloads(ctx, served, theirs):
    """A session without a directory refuses downloads, also behind a client that took them."""
    async with websockets.connect(served.urls["actions"], max_size=None) as session:
        await session.recv()
        answer = await ask(session, type="start", url=ctx.origin + "/counts")
        ctx.expect(answer["success"], f"start: {str(answer)[:300]}")
        async with served.client(PROFILE) as client:
            await client.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(theirs), eventsEnabled=True)
        await until_it_is_gone(served)
        answer = await save(ctx, session, "/counts?refused")
        # Chrome reports the download, and its refusal, some time after the click.
        told = [answer]
        end = asyncio.get_running_loop().time() + 20 * SLOWNESS
        while not any("a download was refused" in log["message"] for one in told for log in one.get("logs", [])):
            if asyncio.get_running_loop().time() > end:
                raise AssertionError(f"a download behind a client: {str(told)[:2000]}")
            told.append(await ask(session, type="evaluate", expression="1"))
        ctx.expect(not any(theirs.iterdir()), "the download was saved")


async def traces(ctx, served):
    """Of one that was killed in the middle the next one knows nothing."""
    for path in (PROFILE, "/devtools/browser/x"):
        client = await connect(served.websocket + path)
        await client.call("Tracing.start", transferMode="ReportEvents")
        await reset(client)
        await until_it_is_gone(served)
        async with served.client(PROFILE) as next_one:
            end = asyncio.get_running_loop().time() + 20 * SLOWNESS
            while "error" in (reply := await next_one.ask("Tracing.start", transferMode="ReturnAsStream")):
                # Chrome takes a moment to end one.
                ctx.expect("already been started" in reply["error"]["message"], f"{reply}")
                if asyncio.get_running_loop().time() > end:
                    raise AssertionError(f"the trace of one that has gone: {reply}")
            await next_one.call("Tracing.end")
            stream = (await next_one.event("Tracing.tracingComplete"))["params"]["stream"]
            read = await next_one.call("IO.read", handle=stream, size=1000)
            ctx.expect("traceEvents" in read["data"], f"{str(read)[:200]}")


async def overrides(ctx, served):
    """Permissions and the place of one that has gone."""
    async with served.client(PROFILE) as stays:
        target = (await stays.call("Target.createTarget", url="about:blank"))["targetId"]
        session = await stays.attach(target)
        await load(stays, session, ctx.origin + "/counts")
        ctx.expect(await stays.evaluate(session, STATE) == "prompt", "before")
        client = await connect(served.websocket + PROFILE)
        await client.call("Browser.grantPermissions", permissions=["geolocation"], origin=ctx.origin)
        theirs = await client.attach(target)
        await client.call("Emulation.setGeolocationOverride", theirs, latitude=1.5, longitude=2, accuracy=1)
        await client.call("Emulation.setUserAgentOverride", theirs, userAgent="theirs")
        ctx.expect(await client.evaluate(theirs, STATE) == "granted", "granted")
        ctx.expect(await client.evaluate(theirs, WHERE) == 1.5, "where")
        await reset(client)
        await until_it_is_gone(served, 1)
        ctx.expect(await stays.evaluate(session, STATE) == "prompt", "a permission of one that has gone")
        ctx.expect(await stays.evaluate(session, "navigator.userAgent") != "theirs", "the user agent of one that has gone")
        await stays.call("Target.closeTarget", targetId=target)
