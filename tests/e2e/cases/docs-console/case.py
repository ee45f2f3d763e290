"""docs/console.md: its example prints the shown output, its options are complete, its links lead somewhere."""
import asyncio
import json
import re
import signal
import subprocess
import time

from consoled import hear, printing, requires
from documents import check_links
from harness import ROOT
from terminal import Terminal, compare_picture

BROWSER = "any"
DOCS = ROOT / "docs"
TEXT = (DOCS / "console.md").read_text()


def quoted(name):
    return re.search(rf"<!-- {name} -->\n```\w*\n(.*?)```", TEXT, re.S).group(1)


async def send(url):
    import websockets
    async with websockets.connect(url) as peer:
        for line in quoted("events").splitlines():
            await peer.send(line)
        await peer.send('{"version":"1.0.0","type":"ping","timestamp":"2025-10-07T12:34:57Z","payload":{"id":1}}')
        while (await hear(peer))["type"] != "pong":
            pass


def options_of(ctx, command):
    text = subprocess.run([ctx.options.binary, command, "--help"], capture_output=True, text=True, timeout=30).stdout
    return set(re.findall(r"^ +(?:-\w, |    )(--[a-z-]+)", text, re.M)) - {"--help"}


def shown_in_colours(ctx):
    columns = 78
    terminal = Terminal(columns)
    with printing(ctx, stdout=terminal.slave, environment={"TZ": "UTC", "NO_COLOR": ""}) as (_, url):
        asyncio.run(send(url))
        text = terminal.read(b"(app.js:7:3)")
        text += terminal.read(b"gone")[len(text):]
    terminal.close()
    text = re.sub(r"\[\d\d:\d\d:\d\d\]", "[12:34:56]", text)
    compare_picture(ctx, DOCS / "console.svg", text, columns)


def run(ctx):
    requires()
    console = ctx.start(["console", "--port", "0", "--timestamp", "iso"])
    deadline = time.monotonic() + 20
    while not (url := re.search(rb"ws://\S+", console.stderr)):
        if console.popen.poll() is not None or time.monotonic() > deadline:
            ctx.problem(f"it did not start: {console.stderr.decode()}")
            return
        time.sleep(0.01)
    asyncio.run(send(url.group().decode()))
    console.signal(signal.SIGTERM)
    ctx.expect(console.popen.wait(20) == 0, "it did not end well")
    for reader in console.readers:
        reader.join(5)
    said = re.sub(r"^\[[^\]]*\] (connection)", r"\1", console.stdout.decode(), flags=re.M)
    ctx.expect(said == quoted("lines"), f"the example prints:\n{said}")
    for line in quoted("events").splitlines():
        json.loads(line)

    shown_in_colours(ctx)
    options = options_of(ctx, "console")
    told = set(re.findall(r"^\| `(--[a-z-]+)", TEXT, re.M))
    ctx.expect(told <= options, f"its page has what the program does not: {told - options}")
    untold = options - told - options_of(ctx, "run")
    ctx.expect(not untold, f"its page is silent about {untold}")
    check_links(ctx, TEXT)
