"""A page that floods its history does not delay the other sessions of the server: Chrome's own limit is left on."""
import asyncio

from answers import Site, page
from served import ask, served

BROWSER = "any"
FLOOD = "<title>flood</title><script>setInterval(() => { for (let i = 0; i < 500; i++) history.pushState(0, '', '#' + i) }, 1)</script>"


def run(ctx):
    site = Site(ctx, {"/flood": page(FLOOD), "/calm": page("<title>calm</title><button>b</button>")})
    with served(ctx) as server:
        asyncio.run(beside(ctx, server, site.url))


async def beside(ctx, server, url):
    async with server.connect() as flooding, server.connect() as calm:
        for socket, path in ((calm, "/calm"), (flooding, "/flood")):
            answer = await ask(socket, type="start", url=url + path, maxConsecutiveErrors=0, totalErrorThreshold=0)
            ctx.expect(answer["success"], f"{path}: {answer.get('error')}")
        for turn in range(5):
            for action in ({"type": "navigate", "url": f"{url}/calm?{turn}"}, {"type": "click", "selector": "button"},
                           {"type": "evaluate", "expression": "document.title"}):
                answer = await ask(calm, timeout=5000, **action)
                if not answer["success"]:
                    return ctx.expect(False, f"turn {turn}, {action['type']}: {answer.get('error')}")
