#!/usr/bin/env python3
"""Loads serve --http: CLIENTS clients ask without a pause, most are refused; Chrome may be killed meanwhile.

    tests/bench/http_load.py --binary build/release/browser-runner [--clients 200] [--seconds 60] [--kill-every 5]

Prints how many answers of each status came, how long those with 429 took beside /health, which a process of its own asks in
turn, the memory of the server before and after, and what is left of Chrome. Fails if an answer is lost or incomplete, or a
process is left.
"""
import argparse
import asyncio
import collections
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
import time

BATCH = json.dumps([{"type": "start", "url": "data:text/html,<h1>load</h1>"}, {"type": "evaluate", "expression": "6*7"}]).encode()


class Load:
    def __init__(self, port):
        self.port = port
        self.statuses = collections.Counter()
        self.served_ms = []
        self.faults = collections.Counter()
        self.failed = 0
        self.ends = False

    async def ask(self):
        began = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(b"POST /run HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nContent-Length: %d\r\n\r\n%s"
                         % (len(BATCH), BATCH))
            answer = await asyncio.wait_for(reader.read(), 120)
        finally:
            writer.close()
        took_ms = (time.monotonic() - began) * 1000
        head, _, body = answer.partition(b"\r\n\r\n")
        status = int(head.split()[1])
        retry = 0.0
        self.statuses[status] += 1
        if status == 200:
            self.served_ms.append(took_ms)
            responses = json.loads(body)["responses"]
            self.failed += sum(not response["success"] for response in responses)
            if len(responses) != 2 or (responses[1]["success"] and responses[1]["result"] != 42):
                self.faults["incomplete"] += 1
        else:
            json.loads(body)
            retry = float(head.split(b"Retry-After: ")[1].split()[0]) if b"Retry-After" in head else 1.0
        return retry

    async def client(self):
        while not self.ends:
            try:
                # As clients should, but sooner, so that many are refused.
                await asyncio.sleep(await self.ask() / 4)
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


def left(directory):
    """Processes that have the directory in their command line."""
    return processes(lambda words: directory.encode() in words, "cmdline")


async def run(load, args, server):
    clients = [asyncio.ensure_future(load.client()) for _ in range(args.clients)]
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
    while time.monotonic() < ends:
        for what, method, path, body in (("health", "GET", "/health", None), ("refused", "POST", "/run", BATCH)):
            began = time.monotonic()
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
            connection.request(method, path, body)
            answer = connection.getresponse()
            if answer.status != (200 if what == "health" else 429):
                connection.close()
                continue
            answer.read()
            connection.close()
            took_ms[what].append((time.monotonic() - began) * 1000)
        time.sleep(random.uniform(0.02, 0.1))
    pipe.send(took_ms)


def quantile(values, share):
    return sorted(values)[int(len(values) * share)] if values else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kill-every", type=float, default=0)
    args, more = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as directory:
        server = subprocess.Popen([args.binary, "serve", "--http=0", "--temp-profile", "--screenshots", "none", "--max-queued",
                                   "20", *more], stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": directory})
        port = int(json.loads(server.stdout.readline())["url"].rsplit(":", 1)[1])
        load = Load(port)
        ours, theirs = multiprocessing.Pipe()
        prober = multiprocessing.Process(target=probe, args=(port, args.seconds, theirs))
        prober.start()
        memory = asyncio.run(run(load, args, server))
        took_ms = ours.recv()
        prober.join()
        server.send_signal(signal.SIGTERM)
        code = server.wait(60)
        remains = left(directory)
    tail = memory[len(memory) // 4:]
    print(f"load {os.getloadavg()[0]:.1f}; answers {dict(load.statuses)}, failed actions {load.failed}, faults {dict(load.faults)}")
    for what, values in took_ms.items():
        print(f"{what} after ms: median {quantile(values, 0.5):.1f}, 90 % {quantile(values, 0.9):.1f}, 99 % "
              f"{quantile(values, 0.99):.1f} of {len(values)}")
    print(f"200 after ms: median {quantile(load.served_ms, 0.5):.0f}, {len(load.served_ms) / args.seconds:.1f} a second")
    if len(tail) > 1:
        half = len(tail) // 2
        print(f"server MB: after a quarter {tail[0]:.1f}, middle {statistics.mean(tail[:half]):.1f}, "
              f"end {statistics.mean(tail[half:]):.1f}, most {max(memory):.1f}")
    print(f"exit {code}, left {remains}")
    return 1 if load.faults or remains or code else 0


if __name__ == "__main__":
    sys.exit(main())
