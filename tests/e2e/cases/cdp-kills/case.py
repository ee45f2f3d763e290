"""The browser is killed under clients of the DevTools protocol: each learns why by 1012, nothing unanswered is reported
as done, and who connects next is in the next life."""
import asyncio
import json
import os
import signal
import time

import faults
from endpoint import connect, endpoint, websockets
from processes import SLOWNESS, is_alive
from served import ask

BROWSER = "any"


PROFILE, OWN = "/devtools/browser/x?context=profile", "/devtools/browser/x"
FLIGHT = 300  # commands of each client that are on their way
KILLED = "Chrome ended by signal 9"


def run(ctx):
    with endpoint(ctx, "--actions=0", "--screenshots", "none") as served:
        asyncio.run(in_flight(ctx, served))
        asyncio.run(beside_a_session(ctx, served))
        asyncio.run(at_the_start(ctx, served))
        asyncio.run(by_http(ctx, served))
    with endpoint(ctx, "--chrome", "/bin/false") as served:
        asyncio.run(never_there(ctx, served))


def browser_of(ctx):
    return faults.until(lambda: faults.chrome(ctx), "a browser runs")[0]


def kill(ctx):
    """The browser with its whole group, of which the program can know as soon as this returns."""
    pid = browser_of(ctx)
    os.killpg(os.getpgid(pid), signal.SIGKILL)
    faults.until(lambda: not is_alive(pid) and not faults.has_threads(pid), "the browser has ended")


async def expect_killed(ctx, client, what):
    end = await client.end()
    ctx.expect(end == (1012, KILLED), f"{what}: {end}")


async def in_flight(ctx, served):
    """Four clients with commands on their way, twice; the life is in webSocketDebuggerUrl, and tabs are of their life."""
    old = set()
    for life in (1, 2):
        async with served.client() as first, served.client(PROFILE) as second, served.client() as third:
            page = (await third.pages())[0]["targetId"]
            async with served.client(f"/devtools/page/{page}") as fourth:
                await asyncio.gather(*(watch(ctx, client, old) for client in (first, second, third)))
                url = served.ask("/json/version")["webSocketDebuggerUrl"]
                ctx.expect(url.endswith(f"/{life}"), f"life {life}: {url}")
                listed = {tab["id"] for tab in served.ask("/json/list")}
                ctx.expect(listed and not listed & old, f"life {life} lists {listed}, old are {old}")
                clients = (first, second, third, fourth)
                sent = [[await client.send("Browser.getVersion") for _ in range(FLIGHT)] for client in clients]
                never = [await client.send("Runtime.evaluate", session, expression="new Promise(() => 0)", awaitPromise=True)
                         for client, session in ((first, await first.attach(page_of(first))), (fourth, None))]
                kill(ctx)
                for index, client in enumerate(clients):
                    await expect_killed(ctx, client, f"life {life}, client {index}")
                    check_answers(ctx, client, sent[index], f"life {life}, client {index}")
                for client, number in zip((first, fourth), never):
                    ctx.expect(not any(message.get("id") == number and "error" not in message for message in client.heard),
                               "what never ends was reported as done")
                old |= listed | {page} | {page_of(client) for client in (first, third)}


def page_of(client):
    return client.page


async def watch(ctx, client, old):
    pages = [page["targetId"] for page in await client.pages()]
    client.page = pages[0] if pages else None
    ctx.expect(not set(pages) & old, f"tabs of an earlier life: {pages}")


def check_answers(ctx, client, sent, what):
    """What was answered is whole and in order; of the rest nothing was said, or an error."""
    heard = [message for message in client.heard if message.get("id") in set(sent)]
    done = [message["id"] for message in heard if "error" not in message]
    ctx.expect(done == sent[:len(done)], f"{what}: answers are not in order")
    ctx.expect(all("product" in message["result"] for message in heard if "error" not in message), f"{what}: answers")
    ctx.expect(all(message["error"]["message"] for message in heard if "error" in message), f"{what}: errors")


async def beside_a_session(ctx, served):
    """Our own session in the same browser is recovered."""
    async with websockets.connect(served.urls["actions"], max_size=None) as session, served.client(PROFILE) as client:
        await session.recv()
        answer = await ask(session, type="start", url=ctx.origin + "/counts?ours")
        ctx.expect(answer["success"], f"start: {str(answer)[:300]}")
        await client.call("Target.createTarget", url=ctx.origin + "/counts?theirs")
        kill(ctx)
        answer = await asyncio.wait_for(ask(session, type="evaluate", expression="location.search"), 30 * SLOWNESS)
        ctx.expect(answer.get("result") == "?ours" and answer.get("recovered"), f"recovered: {str(answer)[:400]}")
        await expect_killed(ctx, client, "beside a session")
        async with served.client(PROFILE) as late:
            ctx.expect(await late.pages() == [], f"{await late.pages()}")
            answer = await ask(session, type="evaluate", expression="6 * 7")
            ctx.expect(answer.get("result") == 42 and not answer.get("recovered"), f"behind it: {str(answer)[:400]}")


async def at_the_start(ctx, served):
    """Killed as soon as the process is there that is started for a client, twice in a row."""
    for round in range(4):
        if round % 2 == 0:
            async with served.client() as client:
                await client.pages()
            kill(ctx)
        client = await start_for_one(ctx, served)
        number = await client.send("Browser.getVersion")
        await asyncio.to_thread(kill, ctx)
        await expect_killed(ctx, client, f"round {round}")
        check_answers(ctx, client, [number], f"round {round}")
        client.reader.cancel()
        await client.socket.close()
    async with served.client() as client:
        ctx.expect([page["url"] for page in await client.pages()] == ["about:blank"], "the next one")


async def start_for_one(ctx, served):
    """A client for which a browser is being started; one that still came to the life before is told so."""
    end_at = time.monotonic() + 30 * SLOWNESS
    while time.monotonic() < end_at:
        client = await connect(served.websocket + OWN)
        while not client.closed and time.monotonic() < end_at:
            if faults.chrome(ctx):
                return client
            await asyncio.sleep(0.01)
        ctx.expect(client.closed == (1012, KILLED), f"of the life before: {client.closed}")
    raise AssertionError("no browser is started")


async def by_http(ctx, served):
    """Between requests: the lists are of the life that is there."""
    made = served.ask("/json/new", "PUT")["id"]
    kill(ctx)
    listed = [tab["id"] for tab in served.ask("/json/list")]
    ctx.expect(len(listed) == 1 and made not in listed, f"{listed}, {made} was before")
    ctx.expect(served.fetch(f"/json/activate/{made}")[0] == 404, "a tab of the life before")
    try:
        async with served.client(f"/devtools/page/{made}"):
            ctx.expect(False, "a page of the life before was opened")
    except websockets.exceptions.InvalidStatusCode as refused:
        ctx.expect(refused.status_code == 404, f"{refused.status_code}")


async def never_there(ctx, served):
    async with served.client() as client:
        code, reason = await client.end()
        ctx.expect(code == 1012 and "Chrome ended with exit code 1" in reason, f"{code} {reason}")
    status, _, text = served.fetch("/json/version")
    ctx.expect(status == 503 and "Chrome ended with exit code 1" in text, f"{status} {text}")
