# python3 brop_client.py ws://localhost:9225 http://localhost:8765/shop/
import asyncio
import itertools
import json
import sys

import websockets

numbers = itertools.count(1)


async def ask(socket, method, **params):
    """The result of a command; one at a time."""
    number = next(numbers)
    await socket.send(json.dumps({"id": number, "method": method, "params": params}))
    while True:
        reply = json.loads(await socket.recv())
        if reply.get("id") == number:
            break
    if not reply["success"]:
        raise RuntimeError(reply["error"])
    return reply["result"]


async def main(address, url):
    # Without max_size a picture of over 1 MiB would end the connection.
    async with websockets.connect(f"{address}?name=example", max_size=None) as socket:
        tab = (await ask(socket, "create_tab", url=url))["tabId"]
        page = await ask(socket, "get_simplified_dom", tabId=tab)
        print(page["title"], "#add-kettle" in page["markdown"])
        link = await ask(socket, "click", tabId=tab, selector='a:contains("Cart")', waitForNavigation=True)
        print(link["clicked"]["tagName"], link["navigation"]["newUrl"].rsplit("/", 1)[1])
        print((await ask(socket, "evaluate_js", tabId=tab, code="document.title"))["result"])
        try:
            await ask(socket, "click", tabId=99, selector="#go")
        except RuntimeError as error:
            print(error)
        await ask(socket, "close_tab", tabId=tab)


asyncio.run(asyncio.wait_for(main(*sys.argv[1:]), 60))
