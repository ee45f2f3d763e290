#!/usr/bin/env python3
"""Loads serve --http: CLIENTS clients ask without a pause, most are refused; Chrome may be killed meanwhile.

    tests/bench/http_load.py --binary build/release/browser-runner [--clients 200] [--seconds 60] [--kill-every 5] [--json]

Half of the clients take lines, half one answer. Prints how many answers of each status came, how long those with 429 took beside
/health, which a process of its own asks in turn, the memory and the open files of the server, and what is left of Chrome.
Fails if an answer is lost or incomplete, a file is still open, or a process is left.
"""
import argparse
import asyncio
import collections
import contextlib
import http.client
import json
import multiprocessing
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

PROBES, WAIT_S = 6, 2
BATCH = json.dumps([{"type": "start", "url": "data:text/html,<h1>load</h1>"}, {"type": "evaluate", "expression": "6*7"}]).encode()


class Load:
    def __init__(self, port):
        self.port = port
        self.statuses = collections.Counter()
        self.served_ms = []
        self.faults = collections.Counter()
        self.failed = self.aborted = 0
        self.ends = False

    async def ask(self, kind):
        began = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(b"POST /run HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\nContent-Length: %d\r\n\r\n%s"
                         % (kind, len(BATCH), BATCH))
            answer = await asyncio.wait_for(reader.read(), 120)
        finally:
            writer.close()
        took_ms = (time.monotonic() - began) * 1000
        head, _, body = answer.partition(b"\r\n\r\n")
        status = int(head.split()[1])
        self.statuses[status] += 1
        if status == 200:
            self.served_ms.append(took_ms)
            responses, summary = self.lines(head, body)
            self.failed += sum(not response["success"] for response in responses)
            self.aborted += summary["aborted"]  # Chrome was killed while it started, and the summary says so
            if len(responses) != summary["actions"] or (not summary["aborted"] and len(responses) != 2) \
                    or any(response.get("result", 42) != 42 for response in responses):
                self.faults["incomplete"] += 1
            return 0.0
        if len(body) != int(head.split(b"Content-Length: ")[1].split()[0]):
            self.faults[f"{status} is cut"] += 1
        json.loads(body)
        return float(head.split(b"Retry-After: ")[1].split()[0])

    def lines(self, head, body):
        """The answers of a whole batch, and its summary; ValueError if some of it is missing."""
        if b"application/x-ndjson" not in head:
            whole = json.loads(body)
            return whole["responses"], whole["summary"]
        parts = b""
        while body:
            size, _, rest = body.partition(b"\r\n")
            length = int(size, 16)
            parts, body = parts + rest[:length], rest[length + 2:]
            if rest[length:length + 2] != b"\r\n" or (length == 0 and body):
                raise ValueError("chunks are cut")
        if length:
            raise ValueError("the last chunk is missing")
        lines = [json.loads(line) for line in parts.splitlines()]
        if lines[-1]["kind"] != "summary":
            raise ValueError("the summary is missing")
        return lines[:-1], lines[-1]

    async def client(self, kind):
        while not self.ends:
            try:
                # As clients should, but sooner, so that many are refused.
                await asyncio.sleep(await self.ask(kind) / 4)
            except (OSError, ValueError, IndexError, KeyError, asyncio.TimeoutError) as fault:
                self.faults[repr(fault)[:80]] += 1


def processes(holds, name):
    """The numbers of the processes for whose file in /proc this holds; they may end meanwhile."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and holds((entry / name).read_bytes()):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def children(pid):
    return processes(lambda stat: int(stat.rsplit(b")", 1)[1].split()[1]) == pid, "stat")


def resident_mb(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def open_files(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def left(directory):
    """Processes that have the directory in their command line."""
    return processes(lambda words: directory.encode() in words, "cmdline")


async def run(load, args, server):
    kinds = (b"application/json", b"application/x-ndjson")
    clients = [asyncio.ensure_future(load.client(kinds[i % 2])) for i in range(args.clients)]
    memory, end = [], time.monotonic() + args.seconds
    kill_at = time.monotonic() + (args.kill_every or args.seconds * 2)
    while time.monotonic() < end:
        await asyncio.sleep(1)
        memory.append(resident_mb(server.pid))
        if time.monotonic() >= kill_at:
            kill_at += args.kill_every
            for pid in children(server.pid):
                os.kill(pid, signal.SIGKILL)
    load.ends = True
    await asyncio.gather(*clients)
    return memory


def probe(port, seconds, pipe):
    """Asks a page of the listener and a batch in turn, in a process that does nothing else."""
    ends, took_ms = time.monotonic() + seconds, {"health": [], "refused": []}

    def ask():
        while time.monotonic() < ends:
            for what, method, path, body in (("health", "GET", "/health", None), ("refused", "POST", "/run", BATCH)):
                began = time.monotonic()
                with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_S)) as connection, \
                        contextlib.suppress(TimeoutError):
                    connection.request(method, path, body)
                    answer = connection.getresponse()
                    if answer.status == (200 if what == "health" else 429):
                        answer.read()
                        took_ms[what].append((time.monotonic() - began) * 1000)
            time.sleep(random.uniform(0.2, 1))

    # Several, since those that are not refused wait; they leave after a while, which makes room for a client.
    threads = [threading.Thread(target=ask) for _ in range(PROBES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pipe.send(took_ms)


def quantile(values, share):
    return sorted(values)[int(len(values) * share)] if values else 0.0


def settled_files(pid, before):
    """How many files are open when the last connections and browsers have been closed."""
    end = time.monotonic() + 20
    while open_files(pid) > before and time.monotonic() < end:
        time.sleep(0.1)
    return open_files(pid)


def report(args, load, took_ms, memory, ending):
    tail = memory[len(memory) // 4:]
    half = len(tail) // 2
    figures = {
        "load": round(os.getloadavg()[0], 1), "answers": dict(load.statuses), "failed_actions": load.failed, "aborted": load.aborted,
        "faults": dict(load.faults), "a_second": round(len(load.served_ms) / args.seconds, 1),
        "served_ms": round(quantile(load.served_ms, 0.5)),
        "server_mb": [round(statistics.mean(part or [0]), 1) for part in (memory[:1], tail[:half], tail[half:], [max(memory or [0])])],
        **{f"{what}_ms": [round(quantile(values, share), 1) for share in (0.5, 0.9, 0.99)] for what, values in took_ms.items()},
        "asked": {what: len(values) for what, values in took_ms.items()}, **ending}
    if args.json:
        print(json.dumps(figures))
        return
    print(f"load {figures['load']}; answers {figures['answers']}, failed actions {load.failed}, batches aborted {load.aborted}, faults {figures['faults']}")
    for what in took_ms:
        print("{} after ms: median {}, 90 % {}, 99 % {}".format(what, *figures[f"{what}_ms"]), f"of {figures['asked'][what]}")
    print(f"200 after ms: median {figures['served_ms']}, {figures['a_second']} a second")
    print("server MB: first {}, the middle {}, end {}, most {}".format(*figures["server_mb"]))
    print(f"exit {ending['exit']}, processes left {ending['left']}, open files more {ending['files_left']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kill-every", type=float, default=0)
    parser.add_argument("--json", action="store_true", help="prints one object")
    args, more = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as directory:
        server = subprocess.Popen([args.binary, "serve", "--http=0", "--temp-profile", "--screenshots", "none", "--max-queued",
                                   "20", *more], stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": directory})
        port = int(json.loads(server.stdout.readline())["url"].rsplit(":", 1)[1])
        load = Load(port)
        asyncio.run(load.ask(b"application/json"))  # so that the browser runs
        files = open_files(server.pid)
        ours, theirs = multiprocessing.Pipe()
        prober = multiprocessing.Process(target=probe, args=(port, args.seconds, theirs))
        prober.start()
        memory = asyncio.run(run(load, args, server))
        took_ms = ours.recv()
        prober.join()
        files_left = settled_files(server.pid, files) - files
        server.send_signal(signal.SIGTERM)
        code = server.wait(60)
        remains = left(directory)
    report(args, load, took_ms, memory, {"exit": code, "left": remains, "files_left": files_left})
    return 1 if load.faults or remains or code or files_left > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
