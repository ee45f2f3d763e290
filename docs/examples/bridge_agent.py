# python3 bridge_agent.py ws://localhost:4000/debug dev
import asyncio
import itertools
import json
import sys

import websockets

numbers = itertools.count(1)


async def command(socket, kind, **fields):
    """Its result, and what came for it before."""
    request = f"py-{next(numbers)}"
    await socket.send(json.dumps({"type": kind, "requestId": request, **fields}))
    answer = None
    while True:
        message = json.loads(await socket.recv())
        if message.get("requestId") == request and message["type"] == "command_result":
            return message, answer
        if message.get("requestId") == request:
            answer = message


async def main(address, session):
    # Without max_size a snapshot or a picture of over 1 MiB would end the connection.
    async with websockets.connect(f"{address}?role=agent&sessionId={session}", max_size=None) as socket:
        hello = json.loads(await socket.recv())
        print(f"{hello['appName']} at {hello['url']}")
        capabilities = json.loads(await socket.recv())
        print("ui_tree" in capabilities["capabilities"])
        result, tree = await command(socket, "request_ui_tree")
        print([(item["stableId"], item["role"], item.get("text")) for item in tree["items"]])
        result, _ = await command(socket, "click", target={"stableId": "refresh"})
        print(result["requestType"], result["success"])
        result, _ = await command(socket, "click", target={"stableId": "nothing"})
        print(result["requestType"], result["success"], result["error"]["code"])


asyncio.run(asyncio.wait_for(main(*sys.argv[1:]), 30))
