"""`bridge` lists apps, prints their messages, and sends commands from its arguments and stdin; its exit codes."""
import asyncio
import base64
import json
import os
import pty
import signal

from bridged import App, bridged, result

BROWSER = "any"
PICTURE = b"no picture, but some bytes"
ITEMS = [{"stableId": "save", "selector": "#save", "role": "button", "text": "Save \x1b[2J\u202e", "disabled": True,
          "visible": True, "meta": {"tagName": "BUTTON"}}]


def answer(command):
    """Returns the app's messages for a command."""
    kind = command["type"]
    if kind == "request_ui_tree":
        yield {"type": "ui_tree", "requestId": command["requestId"], "items": ITEMS}
    elif kind == "request_screenshot":
        yield {"type": "screenshot", "requestId": command["requestId"], "format": "png",
               "data": base64.b64encode(PICTURE).decode(), "viewport": {"width": 8, "height": 6, "devicePixelRatio": 1}}
    elif kind == "request_state":
        # As some clients do: without the id, and without a result after it.
        yield {"type": "state_update", "scope": "cart", "state": {"items": 2}}
        return
    elif kind == "hover":
        return
    elif kind == "click" and command["target"].get("stableId") != "save":
        yield result(command, False, error={"code": "TARGET_NOT_FOUND", "message": "there is none"})
        return
    yield {"type": "console", "level": "warn", "args": ["done", kind, "\x1b]0;title\x07"]}
    yield result(command)


class Shell:
    def __init__(self, ctx, bridge):
        self.ctx, self.bridge = ctx, bridge
        self.environment = {**ctx.environment, "NO_COLOR": "1"}

    def words(self, *args):
        return [self.ctx.options.binary, "bridge", self.bridge.place, "--bridge-session", "dev", *args]

    async def run(self, *args, stdin=None, expected=0, words=None):
        """Returns its lines of JSON, and its stderr."""
        process = await asyncio.create_subprocess_exec(
            *(words or self.words(*args)), env=self.environment, cwd=self.ctx.work, stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        out, err = await asyncio.wait_for(process.communicate((stdin or "").encode()), 30)
        self.ctx.expect(process.returncode == expected,
                        f"bridge {args}: exit {process.returncode}, not {expected}: {out.decode()} {err.decode()}")
        return [json.loads(line) for line in out.decode().splitlines()], err.decode()

    async def in_terminal(self, *args, until=None, expected=0):
        """Returns its output on a terminal; it is ended when the output contains `until`."""
        ours, theirs = pty.openpty()
        process = await asyncio.create_subprocess_exec(*self.words(*args), env=self.environment, stdin=theirs,
                                                       stdout=theirs, stderr=theirs)
        os.close(theirs)
        text = b""
        while True:
            try:
                part = await asyncio.wait_for(asyncio.to_thread(os.read, ours, 65536), 20)
            except OSError:
                break  # the other end was closed
            text += part
            if not part:
                break
            if until and until in text.decode("utf-8", "replace"):
                process.send_signal(signal.SIGINT)
                until = None
        os.close(ours)
        code = await asyncio.wait_for(process.wait(), 20)
        text = text.decode("utf-8", "replace").replace("\r\n", "\n")
        self.ctx.expect(code == expected, f"bridge {args} in a terminal: exit {code}: {text}")
        self.ctx.expect("\x1b" not in text and "\u202e" not in text, f"{args}: not harmless: {text!r}")
        return text


async def check_commands(ctx, shell, app):
    lines, _ = await shell.run("click", "stableId=save", "clickCount=2")
    ctx.match(lines, [{"type": "command_result", "requestType": "click", "success": True}], "click")
    ctx.match(app.commands[-1], {"type": "click", "target": {"stableId": "save"}, "options": {"clickCount": 2},
                                 "protocolVersion": 1, "sessionId": "dev", "origin": "agent", "appId": "app-1",
                                 "requestId": {"$regex": "^cli-"}}, "the command")
    lines, _ = await shell.run("click", "text=Other", expected=1)
    ctx.match(lines, [{"success": False, "error": {"code": "TARGET_NOT_FOUND"}}], "a click on nothing")
    lines, _ = await shell.run("request_ui_tree")
    ctx.match(lines, [{"type": "ui_tree", "items": ITEMS}, {"type": "command_result"}], "the tree")
    lines, _ = await shell.run("request_screenshot", "-o", "page.png")
    ctx.match(lines, [{"type": "screenshot", "file": "page.png"}, {"success": True}], "the picture")
    ctx.expect((ctx.work / "page.png").read_bytes() == PICTURE and "data" not in lines[0], "page.png is not the picture")
    lines, _ = await shell.run("request_state", "scope=cart")
    ctx.match(lines, [{"type": "state_update", "state": {"items": 2}}], "a state without a result")
    _, said = await shell.run("hover", "stableId=save", "--timeout", "300", expected=1)
    ctx.expect("no result of hover within 300 ms" in said, said)
    lines, _ = await shell.run("-", stdin='{"type":"click","target":{"stableId":"save"}}\n\n'
                               '{"type":"click","requestId":"mine","target":{}}\n{"type":"focus"}\n', expected=1)
    ctx.match(lines, [{"success": True}, {"success": False, "requestId": "mine"}, {"success": True}], "stdin")


async def check_refusals(ctx, shell, app):
    count = len(app.commands)
    for args, words in ((["clik"], "did you mean"), (["click"], "needs an element"), (["navigate", "/x"], "not a field"),
                        (["--list", "focus", "stableId=a"], "--list")):
        _, said = await shell.run(*args, expected=2)
        ctx.expect(words in said, f"{args}: {said}")
    _, said = await shell.run("-", stdin="focus\n", expected=2)
    ctx.expect("not a JSON object" in said, said)
    ctx.expect(len(app.commands) == count, f"refused commands were sent: {app.commands[count:]}")
    _, said = await shell.run(words=[ctx.options.binary, "bridge", shell.bridge.place], expected=2)
    ctx.expect("--bridge-session" in said, said)
    lines, _ = await shell.run("--app", "other", "focus", "stableId=a", expected=1)
    ctx.match(lines, [{"success": False, "error": {"code": "TARGET_NOT_FOUND"}, "origin": "server"}], "no such app")


async def check_watching(ctx, shell):
    process = await asyncio.create_subprocess_exec(
        *shell.words("--types", "console,command_result", "--app", "app-1"), env=shell.environment,
        stdout=asyncio.subprocess.PIPE)
    line = asyncio.create_task(process.stdout.readline())
    for _ in range(20):  # it may not exist yet
        await shell.run("click", "stableId=save")
        if line.done():
            break
    ctx.match(json.loads(await asyncio.wait_for(line, 5)), {"type": "console", "level": "warn"}, "telemetry")
    process.send_signal(signal.SIGTERM)
    rest = await asyncio.wait_for(process.stdout.read(), 10)
    ctx.expect(await process.wait() == 0, "watching does not end well")
    # Results go to the agent that asked.
    ctx.expect({json.loads(one)["type"] for one in rest.splitlines()} <= {"console"}, rest)


async def check_terminal(ctx, shell):
    text = await shell.in_terminal("--list")
    ctx.expect(text == "app-1  app-1 by name  http://localhost/  ui_tree, console\n", text)
    text = await shell.in_terminal("request_ui_tree")
    ctx.expect(text == 'save  button "Save \\u{1b}[2J\\u{202e}" [disabled]\nrequest_ui_tree: done in 3 ms\n', text)
    text = await shell.in_terminal("click", "stableId=none", expected=1)
    ctx.expect(text == "click: failed: TARGET_NOT_FOUND: there is none\n", text)
    watching = asyncio.create_task(shell.in_terminal(until="console warn"))
    while not watching.done():
        await shell.run("click", "stableId=save")
    text = await watching
    for words in (" app-1 hello app-1 by name http://localhost/\n", " app-1 capabilities ui_tree, console\n",
                  " app-1 console warn: done click \\u{1b}]0;title\\u{7}\n"):
        ctx.expect(words in text, f"{words!r} is not in {text!r}")


async def talk(ctx, bridge):
    shell = Shell(ctx, bridge)
    lines, said = await shell.run("--list", "--timeout", "300", expected=1)
    ctx.expect(lines == [] and "no app" in said, f"an empty session: {lines} {said}")
    async with App(bridge, "dev", "app-1", answer) as app, App(bridge, "other", "app-9", answer) as stranger:
        lines, _ = await shell.run("--list")
        ctx.match(lines, [{"appId": "app-1", "name": "app-1 by name", "url": "http://localhost/",
                           "capabilities": ["ui_tree", "console"]}], "--list")
        await check_commands(ctx, shell, app)
        await check_refusals(ctx, shell, app)
        await check_watching(ctx, shell)
        await check_terminal(ctx, shell)
        async with App(bridge, "dev", "app-2", answer) as second:
            count = len(app.commands)
            _, said = await shell.run("focus", "stableId=a", expected=2)
            ctx.expect("app-1  " in said and "app-2  " in said and "--app" in said, said)
            await shell.run("focus", "stableId=a", "--app", "app-2")
            ctx.expect(len(app.commands) == count and len(second.commands) == 1, "the command went to another app")
        ctx.expect(stranger.commands == [], "a command came to another session")


def run(ctx):
    with bridged(ctx) as bridge:
        asyncio.run(talk(ctx, bridge))
        gone = Shell(ctx, bridge)
    asyncio.run(gone.run("--list", expected=3))
    with bridged(ctx, "--token", "open sesame") as bridge:
        shell = Shell(ctx, bridge)
        _, said = asyncio.run(shell.run("--list", expected=3))
        ctx.expect("4001" in said, f"without the token: {said}")
        asyncio.run(shell.run("--list", "--token", "open sesame", "--timeout", "300", expected=1))
