"""Clients of npm that stand still while they hold new tabs, or are killed: the others go on, and in Chrome, asked at a
port of its own, nothing is left of the killed but what Chrome keeps, too."""
import asyncio
import contextlib
import os
import pathlib
import signal
import subprocess

from endpoint import WIDGETS, node_program, observed, websockets
from processes import SLOWNESS
from served import ask

BROWSER = "any"
HERE = pathlib.Path(__file__).parent
OWN, PROFILE = "/devtools/browser/x", "/devtools/browser/x?context=profile"


@contextlib.contextmanager
def client(ctx, served, script, path):
    """Its process, once it has made its tabs."""
    left = ctx.base / "left"  # Playwright removes its directories only when it ends by itself
    left.mkdir(exist_ok=True)
    process = subprocess.Popen([node_program(), HERE / script, WIDGETS, served.websocket + path, ctx.origin],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=ctx.work,
                               env={**os.environ, "TMPDIR": str(left)})
    ctx.known.add(process.pid)
    try:
        ctx.expect(process.stdout.readline() == b"ready\n", f"{script} {path} did not begin")
        yield process
    finally:
        process.kill()
        process.wait(10 * SLOWNESS)


def run(ctx):
    ctx.requires_widgets("puppeteer-core", "playwright-core")
    with observed(ctx, "--actions=0", "--screenshots", "none") as (served, chrome):
        asyncio.run(stopped(ctx, served))
        asyncio.run(killed(ctx, served, chrome))


async def stopped(ctx, served):
    """Both want to be asked before a tab of theirs starts, and do not answer any more."""
    for path in (OWN, PROFILE):
        with client(ctx, served, "puppeteer.mjs", path) as one, client(ctx, served, "playwright.mjs", path) as two:
            for process in (one, two):
                os.kill(process.pid, signal.SIGSTOP)
            for beside in (OWN, PROFILE):
                async with served.client(beside) as other:
                    made = (await other.call("Target.createTarget", url=ctx.origin + "/counts?beside"))["targetId"]
                    session = await other.attach(made)
                    await other.call("Page.enable", session)
                    await other.call("Page.navigate", session, url=ctx.origin + "/counts?beside")
                    await other.event("Page.loadEventFired", 20)
                    ctx.expect(await other.evaluate(session, "location.search") == "?beside", f"{beside} beside {path}")
                    await other.call("Target.closeTarget", targetId=made)
            async with websockets.connect(served.urls["actions"], max_size=None) as session:
                await session.recv()
                answer = await ask(session, type="start", url=ctx.origin + "/counts?ours")
                ctx.expect(answer["success"] and answer["url"].endswith("?ours"), f"ours beside {path}: {str(answer)[:300]}")


def loaded(pages):
    """All but those at about:blank: the other client's tab, and one that is made ahead of the next client."""
    return {page for page, url in pages.items() if url != "about:blank"}


async def killed(ctx, served, chrome):
    """Each leaves nothing but the contexts that Chrome's own port keeps, too, in the profile."""
    async with served.client() as other:
        target = (await other.pages())[0]["targetId"]
        session = await other.attach(target)
        for script in ("puppeteer.mjs", "playwright.mjs"):
            before = loaded(await chrome.pages())
            with client(ctx, served, script, OWN) as process:
                during = loaded(await chrome.pages())
                ctx.expect(len(during) == len(before) + 2, f"{script}: {during}, before {before}")
                process.kill()
                ctx.expect(await other.evaluate(session, "6 * 7") == 42, "beside one that was killed")
                after = await chrome.until(lambda pages: loaded(pages) == before and len(pages) <= len(before) + 2)
                ctx.expect(loaded(after) == before and len(after) <= len(before) + 2, f"{script} has left {after}, before {before}")
        ctx.expect(await other.evaluate(session, "location.href") == "about:blank", "the tab of another client")
