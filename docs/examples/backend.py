"""python3 backend.py ws://127.0.0.1:9226/actions http://localhost:3000/"""
import asyncio
import base64
import json
import os
import sys

import websockets

def connect(address, query):
    headers = {"Authorization": f"Bearer {os.environ.get('BROWSER_RUNNER_TOKEN', '')}"}
    return websockets.connect(address + query, extra_headers=headers, max_size=None)

async def respond(socket):
    """The next response, the chunks before it put together."""
    chunks = {}
    async for text in socket:
        line = json.loads(text)
        if line["kind"] == "chunk":
            chunks[line["id"]] = chunks.get(line["id"], "") + line["data"]
        elif line["kind"] == "response":
            for name, capture in line.get("captures", {}).items():
                if "chunks" in capture:
                    line["screenshots"][name]["source"]["data"] = chunks[capture["chunks"]["id"]]
            return line
        else:
            print(text)  # opened, event, error

async def main(address, page):
    async with connect(address, "?session=py-1") as socket:
        await socket.send(json.dumps({"type": "start", "url": page}))
        started = await respond(socket)
        await socket.send(json.dumps({"type": "screenshot"}))  # and the connection breaks
    async with connect(address, f"?session=py-1&after={started['id']}") as socket:
        shot = await respond(socket)
        with open("page.jpg", "wb") as file:
            file.write(base64.b64decode(shot["screenshots"]["post"]["source"]["data"]))
        print(shot["title"])

asyncio.run(main(*sys.argv[1:]))
