"""serve --debug-bridge, and its apps and agents over WebSockets."""
import asyncio
import contextlib
import json
import time

from served import serving, websockets


class Bridge:
    def __init__(self, ctx, process, url):
        self.ctx, self.process, self.url = ctx, process, url
        self.place = url.removesuffix("/debug")

    def connect(self, role, session, query="", **more):
        return websockets.connect(f"{self.url}?role={role}&sessionId={session}{query}", max_size=None, **more)


@contextlib.contextmanager
def bridged(ctx, *options, port=0):
    with serving(ctx, "debug-bridge", "^ws://.*/debug$", f"--debug-bridge={port}", *options) as (process, line):
        yield Bridge(ctx, process, line["url"])


def envelope(session, app, **fields):
    return json.dumps({"protocolVersion": 1, "sessionId": session, "timestamp": int(time.time() * 1000),
                       "origin": "app", "appId": app, **fields})


class App:
    """An app that is not a page: it answers commands by a function, which returns the messages to send."""

    def __init__(self, bridge, session, app, answer):
        self.bridge, self.session, self.app, self.answer = bridge, session, app, answer
        self.commands = []

    async def send(self, **fields):
        await self.socket.send(envelope(self.session, self.app, **fields))

    async def serve(self):
        async for text in self.socket:
            message = json.loads(text)
            if message["type"] == "connection_event":
                continue
            self.commands.append(message)
            for fields in self.answer(message):
                await self.send(**fields)

    async def __aenter__(self):
        self.socket = await self.bridge.connect("app", self.session, f"&appId={self.app}")
        await self.send(type="hello", appName=f"{self.app} by name", url="http://localhost/", userAgent="none",
                        viewport={"width": 800, "height": 600})
        await self.send(type="capabilities", capabilities=["ui_tree", "console"])
        self.task = asyncio.create_task(self.serve())
        return self

    async def __aexit__(self, *_):
        self.task.cancel()
        await self.socket.close()


def result(command, success=True, **more):
    return {"type": "command_result", "requestId": command["requestId"], "requestType": command["type"],
            "success": success, "duration": 3, **more}
