"""Clients of npm, unmodified, at one endpoint: Puppeteer of two versions, Playwright and chrome-remote-interface. Each
traces alone, and then all work at once, with a session of ours in the same browser."""
import asyncio
import concurrent.futures
import pathlib

from endpoint import endpoint, node, node_program, websockets
from served import ask

BROWSER = "any"
HERE = pathlib.Path(__file__).parent
DEEDS = {"png": "PNG", "pdf": "%PDF", "faked": "faked", "download": "told", "trace": True}
SAME = {**DEEDS, "page": ["went", "Ann", 42], "popup": "?popup", "dialog": "sure?", "answer": True, "count": 3,
        "apart": ["", 2, 1], "contexts": 1, "big": 8000000}
PUPPETEER = {**SAME, "pages": ["about:blank", 0], "targets": ["browser", "page"]}
# Of each client: its script, its package, whether it wants the newer Node, and what it has to find.
CLIENTS = {
    "puppeteer-24": ("puppeteer.mjs", "puppeteer-core", False, PUPPETEER),
    "puppeteer-25": ("puppeteer.mjs", "puppeteer-core-25", True, PUPPETEER),
    "playwright": ("playwright.mjs", "playwright-core", False,
                   {**SAME, "pages": ["about:blank", 1, 1], "cookies": ["mine"]}),
    "cri": ("cri.cjs", "chrome-remote-interface", False,
            {**DEEDS, "version": "1.3", "domains": True, "first": "about:blank", "listed": True,
             "page": ["?cri", "went", "Ann"], "notAllowed": "Not allowed", "reason": "target_closed", "targets": 1,
             "apart": ["", 2, 1], "contexts": 0}),
}
TIME_LIMIT = 300


def drive(ctx, served, client, name, traces):
    script, package, is_newest, expected = CLIENTS[client]
    directory = ctx.base / name
    directory.mkdir()
    found = node(ctx, HERE / script, served.url, ctx.origin, directory, traces, package, program=node_program(is_newest))
    for key, value in expected.items():
        ctx.expect((key == "trace") != bool(traces) or found.get(key) == value, f"{name} {key}: {found.get(key)} instead of {value}")


async def work_beside(ctx, served, clients):
    """A session of ours goes on until the clients are through."""
    async with websockets.connect(served.urls["actions"], max_size=None) as session:
        await session.recv()
        answer = await ask(session, type="start", url=ctx.origin + "/case/page.html?ours")
        ctx.expect(answer["success"], f"start: {str(answer)[:300]}")
        while not all(client.done() for client in clients):
            answer = await ask(session, type="evaluate", expression="(window.done = (window.done || 0) + 1) && location.search")
            ctx.expect(answer.get("result") == "?ours", f"our session: {str(answer)[:300]}")
            if not answer["success"]:
                break
            await asyncio.sleep(0.05)  # otherwise it takes a processor from the clients
        answer = await ask(session, type="tab", op="list")
        ctx.expect(len(answer.get("result") or []) == 1, f"our session has the tabs {str(answer)[:600]}")


def run(ctx):
    ctx.requires_widgets(*(package for _, package, _, _ in CLIENTS.values()))
    node_program(newest=True)
    with endpoint(ctx, "--actions=0", "--screenshots", "none") as served:
        for client in CLIENTS:
            drive(ctx, served, client, client, "traces")
        with concurrent.futures.ThreadPoolExecutor(len(CLIENTS)) as pool:
            runs = [pool.submit(drive, ctx, served, client, "beside-" + client, "") for client in CLIENTS]
            asyncio.run(work_beside(ctx, served, runs))
            for run in runs:
                run.result()
