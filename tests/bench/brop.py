#!/usr/bin/python3
"""BROP: commands a second with 1, 4 and 16 clients, each on a tab of its own, and the size of simplified DOM.

One `serve --brop` and one Chrome; a client sends the next command when it has the reply to the last one. Prints a
row for each command: commands a second, the median of a command in ms, and the processor time that a command costs
this program and Chrome, in ms. Beside them stands what Chrome's share of all processor time was, which says where the
limit is. Then, for pages: bytes of the markup and of the simplified DOM, their ratio, and how many of the page's
controls have an annotation. The pages are those of fixtures/, and those of --page URL. Needs python3-websockets.
"""
import argparse
import asyncio
import functools
import http.server
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import threading
import time

import websockets

ROOT = pathlib.Path(__file__).resolve().parents[2]
TICKS = os.sysconf("SC_CLK_TCK")
COMMANDS = {
    "get_screenshot": {"format": "jpeg", "quality": 50},
    "get_page_content": {},
    "get_simplified_dom": {},
    "click": {"selector": "#add"},
}
CLIENTS = (1, 4, 16)
PAGES = tuple(f"pages/training/{name}.html" for name in ("wiki", "mail", "docs", "search", "shop")) + ("pages/shop/checkout.html",)
CONTROLS = "[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea')].filter((e) => e.checkVisibility()).length"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


def serve_files(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def cpu_seconds(pid):
    """Returns the time of the program alone, and of Chrome's processes."""
    own = chrome = 0
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(entry.name)] = (int(fields[1]), int(fields[11]) + int(fields[12]))
    for process, (parent, ticks) in parents.items():
        seen = process
        while seen in parents and seen != pid:
            seen = parents[seen][0]
        if process == pid:
            own = ticks
        elif seen == pid:
            chrome += ticks
    return own / TICKS, chrome / TICKS


class Client:
    def __init__(self, socket):
        self.socket, self.last = socket, 0

    async def ask(self, method, **params):
        self.last += 1
        await self.socket.send(json.dumps({"id": self.last, "method": method, "params": params}))
        reply = json.loads(await self.socket.recv())
        if not reply["success"]:
            raise RuntimeError(f"{method}: {reply['error']}")
        return reply["result"]


async def repeat(client, method, params, until):
    took = []
    while time.monotonic() < until:
        began = time.monotonic()
        await client.ask(method, **params)
        took.append(1000 * (time.monotonic() - began))
    return took


async def throughput(url, page, pid, seconds):
    sockets = [await websockets.connect(f"{url}?name=bench", max_size=None) for _ in range(max(CLIENTS))]
    clients = [Client(socket) for socket in sockets]
    tabs = [(await client.ask("create_tab", url=page))["tabId"] for client in clients]
    print(f"{'command':20} {'clients':>7} {'per s':>8} {'times':>6} {'median':>8} {'cpu own':>8} {'cpu Chrome':>10} {'busy cores':>10}")
    for method, params in COMMANDS.items():
        alone = None
        for count in CLIENTS:
            before, began = cpu_seconds(pid), time.monotonic()
            took = await asyncio.gather(*(repeat(client, method, {"tabId": tab, **params}, began + seconds)
                                          for client, tab in list(zip(clients, tabs))[:count]))
            passed = time.monotonic() - began
            own, chrome = (after - start for after, start in zip(cpu_seconds(pid), before))
            done = sum(map(len, took))
            alone = alone or done / passed
            print(f"{method:20} {count:7} {done / passed:8.1f} {done / passed / alone:6.2f} {statistics.median(sum(took, [])):8.1f} "
                  f"{1000 * own / done:8.1f} {1000 * chrome / done:10.1f} {(own + chrome) / passed:10.2f}", flush=True)
    for client, tab in zip(clients, tabs):
        await client.ask("close_tab", tabId=tab)
    for socket in sockets:
        await socket.close()


async def sizes(url, pages):
    print(f"\n{'page':40} {'html':>9} {'dom':>8} {'%':>6} {'controls':>9} {'annotated':>9}")
    async with websockets.connect(url, max_size=None) as socket:
        client = Client(socket)
        for page in pages:
            tab = (await client.ask("create_tab", url=page))["tabId"]
            html = len((await client.ask("get_page_content", tabId=tab))["html"].encode())
            dom = (await client.ask("get_simplified_dom", tabId=tab))["markdown"]
            controls = (await client.ask("evaluate_js", tabId=tab, code=CONTROLS))["result"]
            annotated = len(re.findall(r"<!--(?!label:)[a-z-]+:", dom))
            print(f"{page[-40:]:40} {html:9} {len(dom.encode()):8} {100 * len(dom.encode()) / html:6.1f} {controls:9} {annotated:9}", flush=True)
            await client.ask("close_tab", tabId=tab)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "build" / "release" / "browser-runner")
    parser.add_argument("--seconds", type=float, default=3, help="for each row; 0: only the sizes")
    parser.add_argument("--page", action="append", default=[], help="whose simplified DOM is measured, too")
    parser.add_argument("--no-sandbox", action="store_true")
    options = parser.parse_args()
    fixtures, bench = serve_files(ROOT / "fixtures"), serve_files(ROOT / "tests" / "bench")
    words = [options.program, "serve", "--brop=0", "--temp-profile", *(["--no-sandbox"] if options.no_sandbox else [])]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        url = json.loads(server.stdout.readline())["url"]
        if options.seconds:
            asyncio.run(throughput(url, f"{bench}/pages/form.html", server.pid, options.seconds))
        asyncio.run(sizes(url, [f"{fixtures}/{page}" for page in PAGES] + options.page))
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    sys.exit(main())
