#!/usr/bin/python3
"""What becomes of an action that is sent right after its page or its browser was killed.

Each round kills in one of three ways (Page.crash over Chrome's own port, SIGKILL for the renderers,
SIGKILL for the browser), and sends the next action at once, or after a random pause of `--pause` ms
at most. Several programs take turns, in random order. An answer counts as

    recovered   a success on the restored page, and the action arrived at the server once
    refused     an error that says that the action may have reached the page; it came at most once
    TIMEOUT     or another code: the machine was too slow; the action came at most once
    lied        anything else

Prints one line for each program, kill and action. Exit code 1 if there were lies.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import sys
import tempfile
import time
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True

from soak import CRASHES, Broken, Runner, find_program, processes, start_server  # noqa: E402

MAY_HAVE_ARRIVED = re.compile(r"(?i)may have (reached|arrived)")


def open_websocket(url):
    place = urllib.parse.urlsplit(url)
    opened = socket.create_connection((place.hostname, place.port), 10)
    opened.sendall(f"GET {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\n"
                   "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                   "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        part = opened.recv(4096)
        if not part:
            raise Broken(f"{url}: {answer}")
        answer += part
    return opened


def text_frame(text):
    """Returns a short masked frame; the mask is zero."""
    return bytes([0x81, 0x80 | len(text)]) + bytes(4) + text


class Session:
    """A program with its page, and the three kills."""

    def __init__(self, program, options, origin, number):
        self.program = program
        self.runner = Runner(find_program(program), options.with_port)
        self.url = f"{origin}/e2e/board.html?shade={30 + number}"
        self.runner.do("start", url=self.url, maxConsecutiveErrors=0, totalErrorThreshold=0)

    def port(self):
        """Chrome's own port, from the file that it writes into its profile."""
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            for pid in self.runner.chrome():
                words = processes.read(pid, "cmdline").split(b"\0")
                profile = next((w[16:] for w in words if w.startswith(b"--user-data-dir=")), None)
                try:
                    text = (pathlib.Path(os.fsdecode(profile)) / "DevToolsActivePort").read_text()
                    return int(text.split()[0])
                except (OSError, TypeError, ValueError, IndexError):
                    pass
            time.sleep(0.01)
        raise Broken("Chrome has no port")

    def prepare_crash(self):
        """Returns a function that crashes the page."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port()}/json/list", timeout=10) as answer:
            pages = [one for one in json.load(answer) if one["url"] == self.url]
        client = open_websocket(pages[0]["webSocketDebuggerUrl"])
        frame = text_frame(b'{"id": 1, "method": "Page.crash"}')
        return lambda: client.sendall(frame), client.close

    def prepare_kill(self, kind):
        pids = self.runner.chrome(kind)

        def kill():
            for pid in pids:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        return kill, lambda: None


KILLS = {
    "Page.crash": Session.prepare_crash,
    "renderers": lambda session: session.prepare_kill("renderer"),
    "browser": lambda session: session.prepare_kill(None),
}


def write_wrapper(folder, chrome):
    """Returns the path of a Chrome that also opens a port, which the program does not allow as an argument."""
    path = pathlib.Path(folder) / "chrome"
    chrome = chrome or shutil.which("chromium") or shutil.which("google-chrome")
    path.write_text(f'#!/bin/sh\nexec "{chrome}" --remote-debugging-port=0 "$@"\n')
    path.chmod(0o755)
    return str(path)


def act(session, kind, name):
    if kind == "evaluate":
        session.runner.send("evaluate", expression=f"tell('{name}')")
    else:
        session.runner.send("click", selector=f"#{name}")


def judge(response, came, kind, name):
    told = MAY_HAVE_ARRIVED.search(str(response.get("hint")) + str(response["logs"]))
    if response["success"]:
        is_true = came == 1 and (kind != "evaluate" or response["result"] == name)
        return ("recovered" if response["recovered"] else "untouched") if is_true else "lied"
    is_true = came <= 1 and (told or came == 0)
    if response.get("errorCode") not in CRASHES and came <= 1:
        return response.get("errorCode")
    return "refused" if is_true else "lied"


def run_round(session, server, kill, kind, number, pause_s):
    name = f"e{number}" if kind == "evaluate" else f"c{number % 40}"
    before = server.counts.get(name, 0)
    do_kill, close = KILLS[kill](session)
    time.sleep(0.02 + random.random() * 0.02)
    do_kill()
    if pause_s:
        time.sleep(random.random() * pause_s)
    act(session, kind, name)
    response = session.runner.answer()
    close()
    came = server.counts.get(name, 0) - before
    outcome = judge(response, came, kind, name)
    if outcome.split()[0] not in ("recovered", "refused", "untouched"):
        told = [log["message"] for log in response["logs"]]
        print(f"{session.program}: {kill}, {kind}: {came} came, but {response.get('error')}: {told}", file=sys.stderr)
    # Whatever is still ending must not fall into the next round.
    after = {"success": False}
    while not after["success"]:
        session.runner.send("evaluate", expression="1")
        after = session.runner.answer()
    return f"{outcome} ({response['attempts']})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", action="append", help="a program; may be given more than once")
    parser.add_argument("--chrome", help="the browser, as the program's --chrome takes it")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--pause", type=float, default=0)
    parser.add_argument("--only", help="one kill, or several with commas")
    options = parser.parse_args()
    processes.become_reaper()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    server, origin = start_server()
    load = os.getloadavg()[0]
    folder = tempfile.TemporaryDirectory(prefix="br-bench-")
    options.with_port = write_wrapper(folder.name, options.chrome)
    sessions = []
    counts = collections.Counter()
    kills = options.only.split(",") if options.only else list(KILLS)
    try:
        for i, program in enumerate(options.program or [None]):
            sessions.append(Session(program, options, origin, i))
        for number in range(options.rounds):
            trials = [(session, kill, kind) for session in sessions for kill in kills
                      for kind in ("evaluate", "click")]
            random.shuffle(trials)
            for i, (session, kill, kind) in enumerate(trials):
                outcome = run_round(session, server, kill, kind, number * 100 + i, options.pause / 1000)
                counts[session.program, kill, kind, outcome] += 1
    finally:
        for session in sessions:
            session.runner.close()
        folder.cleanup()
        print(f"load {load:.1f}, pause {options.pause} ms")
        for key in sorted({key[:3] for key in counts}, key=str):
            outcomes = {outcome: count for (*rest, outcome), count in sorted(counts.items(), key=str) if tuple(rest) == key}
            print(f"{str(key[0])[-40:]:40} {key[1]:12} {key[2]:10} {outcomes}")
    return 1 if any("lied" in key[3] for key in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
