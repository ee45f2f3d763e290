#!/usr/bin/python3
"""A long session with crashes: what the program itself grows by, and whether each answer is true.

One `browser-runner run -` on a stream that is held open runs 1,000 actions (navigate, click, type,
evaluate, screenshot in turn) while the browser is killed (SIGKILL) every 50: in turn between two
actions, so that the next one finds it dead, and while one runs. Memory, descriptors and threads of
the program are read from /proc every 100 actions, when it waits for the next one.

Prints one table. Exit code 1 when after the first 100 actions its memory grows by 1 MB or more,
when it ends with more descriptors or threads than it had, when a browser or a file is left behind,
or when an answer is missing or not true by the test server's own count; else 0.
"""
import argparse
import base64
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

import processes  # noqa: E402
import server as web  # noqa: E402
from pictures import Picture  # noqa: E402

TIMEOUT_MS = 15000
GRACE_S = 1.5  # how much later than its timeout an answer may come, including the time to read it
STEP = 100  # actions between two readings
GROWTH_KB = 1024
CRASHES = ("BROWSER_CRASHED", "PAGE_CRASHED", "DISCONNECTED")
PASSED_ON = ("PATH", "TZ", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS",
             "MALLOC_ARENA_MAX", "MALLOC_TRIM_THRESHOLD_", "BROWSER_RUNNER_CHROME")


class Broken(Exception):
    """The run cannot continue."""


# The program, its browser, and the pages.

def start_server():
    server = web.Server(0, web.PAGES, None)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}"


def instruction(kind, parameters):
    """Returns the XML of one action."""
    elements = [f"<type>{kind}</type>"]
    for name, value in parameters.items():
        text = value if isinstance(value, str) else json.dumps(value)
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        elements.append(f"<{name}>{text}</{name}>")
    return f"<browser_action>{''.join(elements)}</browser_action>\n"


class Runner:
    """`browser-runner run -` in its own directory, one action at a time."""

    def __init__(self, program, chrome=None, args=("--temp-profile",)):
        self.base = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="br-bench-")))
        self.tmp = self.base / "tmp"
        for name in ("tmp", "home", "config", "run"):
            (self.base / name).mkdir(mode=0o700)
        environment = {key: os.environ[key] for key in PASSED_ON if key in os.environ}
        environment.update(
            HOME=str(self.base / "home"), XDG_CONFIG_HOME=str(self.base / "config"),
            XDG_CACHE_HOME=str(self.base / "cache"), XDG_RUNTIME_DIR=str(self.base / "run"),
            TMPDIR=str(self.tmp), LANG="C.UTF-8")
        command = [program, "run", "-", "--screenshots", "explicit", "--timeout", str(TIMEOUT_MS),
                   *(["--chrome", chrome] if chrome else []), *args]
        self.log = open(self.base / "stderr", "w+b")
        self.popen = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=self.log, cwd=self.base, env=environment)
        self.pid = self.popen.pid
        self.lines = queue.Queue()
        self.chunks = {}
        threading.Thread(target=self.read, daemon=True).start()
        self.write("<batch>\n")

    def read(self):
        for line in self.popen.stdout:
            self.lines.put((time.monotonic(), line))
        self.lines.put((time.monotonic(), None))

    def write(self, text):
        try:
            self.popen.stdin.write(text.encode())
            self.popen.stdin.flush()
        except OSError:
            raise Broken(f"the program has ended: {self.words()}") from None

    def words(self):
        """Returns the end of its stderr."""
        self.log.seek(0)
        return self.log.read().decode(errors="replace")[-2000:].strip()

    def line(self, seconds):
        """Returns the next line of stdout, and when it arrived."""
        try:
            came, line = self.lines.get(timeout=seconds)
        except queue.Empty:
            raise Broken(f"no answer within {seconds:.0f} s: {self.words()}") from None
        if line is None:
            raise Broken(f"the program has ended: {self.words()}")
        return came, json.loads(line)

    def send(self, kind, **parameters):
        self.write(instruction(kind, parameters))
        self.limit = parameters.get("timeout", TIMEOUT_MS) / 1000 + GRACE_S
        self.sent = time.monotonic()

    def answer(self):
        """Returns the answer to the last action; `came` is when it arrived."""
        while True:
            self.came, value = self.line(self.limit + 20)
            if value["kind"] != "chunk":
                return value
            self.chunks.setdefault(value["id"], []).append(value["data"])

    def do(self, kind, **parameters):
        """Runs an action that must succeed. Returns the answer and its duration in seconds."""
        self.send(kind, **parameters)
        response = self.answer()
        if not response["success"]:
            raise Broken(f"{kind}: {response.get('errorCode')}: {response.get('error')}")
        return response, self.came - self.sent

    def picture(self, response):
        """Returns the bytes of the answer's picture."""
        data = response["screenshots"]["post"]["source"]["data"]
        name = response["captures"]["post"].get("chunks", {}).get("id")
        return base64.b64decode("".join(self.chunks.pop(name)) if name else data)

    # Its browser.

    def chrome(self, kind=None):
        """Returns the living browser processes, or those of a --type such as renderer; "" for all."""
        found = []
        for pid in processes.descendants(self.pid):
            words = processes.read(pid, "cmdline").replace(b"\0", b" ")
            types = re.findall(rb" --type=([a-z-]+)", words)
            if kind == "" or kind and kind.encode() in types or \
                    kind is None and not types and b" --user-data-dir=" in words:
                found.append(pid)
        return found

    def kill(self, kind=None):
        """Kills the browser, or all processes of a type, and waits for their end."""
        pids = self.signal(signal.SIGKILL, kind)
        while set(pids) & set(self.chrome(kind)):
            time.sleep(0.002)

    def signal(self, number, kind=None):
        deadline = time.monotonic() + 10
        while not (pids := self.chrome(kind)):
            if time.monotonic() > deadline:
                raise Broken(f"there is no {kind or 'browser'} process")
            time.sleep(0.002)
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        return pids

    # Its end.

    def end(self):
        """Closes the stream. Returns the summary and the exit code."""
        self.write("</batch>\n")
        self.popen.stdin.close()
        _, summary = self.line(20)
        return summary, self.popen.wait(20)

    def left(self):
        """Returns processes, and names in its TMPDIR, that it left behind."""
        stray = processes.wait_until_gone(lambda: processes.naming(str(self.base)), 2)
        return stray, sorted(path.name for path in self.tmp.iterdir())

    def close(self):
        """Ends and removes everything that is left, all of it below its own directory."""
        deadline = time.monotonic() + 10
        self.popen.kill()
        self.popen.wait()
        while time.monotonic() < deadline:
            stray = processes.naming(str(self.base))
            if not stray:
                break
            processes.kill(stray)
            time.sleep(0.02)
        self.log.close()
        shutil.rmtree(self.base, ignore_errors=True)


def find_program(given):
    """Returns the program to measure."""
    path = pathlib.Path(given or ROOT / "build" / "release" / "browser-runner").resolve()
    if not os.access(path, os.X_OK):
        sys.exit(f"{path} is not there: build it (cmake --preset release && ninja -C build/release), "
                 "or name it by --program")
    return str(path)


# What the program holds.

class Reading:
    """Memory in kB, descriptors and threads of a process."""

    def __init__(self, pid):
        status = processes.read(pid, "status").decode()
        rollup = processes.read(pid, "smaps_rollup").decode()
        self.resident = number("VmRSS", status)
        self.anonymous = number("RssAnon", status)
        self.pss = number("Pss", rollup)
        self.threads = number("Threads", status)
        self.descriptors = len(os.listdir(f"/proc/{pid}/fd"))


def number(name, text):
    found = re.search(rf"^{name}:\s*(\d+)", text, re.M)
    return int(found[1]) if found else 0


def settle(pid):
    """Waits briefly for delayed ends, such as that of a killed process."""
    time.sleep(0.1)
    return Reading(pid)


# The actions.

class Soak:
    def __init__(self, options):
        self.options = options
        self.problems = []
        self.kills = self.recovered = self.failed = 0
        self.server, self.origin = start_server()
        self.runner = Runner(find_program(options.program), options.chrome)
        self.url = None

    def problem(self, text):
        self.problems.append(text)

    def action(self, count):
        """Returns action number `count`: its type, its parameters and the name that the server counts."""
        turn, at = divmod(count - 1, 5)
        place = turn % 40
        return [
            ("navigate", {"url": self.board(turn % 46)}, None),
            ("click", {"selector": f"#c{place}"}, f"c{place}"),
            ("type", {"selector": f"#t{place}", "text": "x"}, f"t{place}"),
            ("evaluate", {"expression": f"tell('e{place}'); location.href"}, f"e{place}"),
            ("screenshot", {}, None),
        ][at]

    def board(self, turn):
        return f"{self.origin}/e2e/board.html?shade={25 + 5 * turn}"

    def kill_of(self, count):
        """Returns how to kill the browser at this action: "before", "during" or None."""
        every = self.options.every
        if not every:
            return None
        # Not always the same of the five types, nor just before a measurement.
        turn = count // every + 1
        if count != every * turn - 1 - turn % 5:
            return None
        return "before" if turn % 2 else "during"

    def run(self, count):
        kind, parameters, name = self.action(count)
        how = self.kill_of(count)
        came = self.server.counts.get(name, 0)
        if how == "before":
            self.runner.kill()
        self.runner.send(kind, **parameters)
        if how == "during":
            time.sleep(0.002 + 0.006 * (count // self.options.every % 7))
            self.runner.kill()
        self.kills += how is not None
        response = self.runner.answer()
        took = self.runner.came - self.runner.sent
        before = len(self.problems)
        if response["type"] != kind or response["id"] != count + 1:
            self.problem("it is the answer to something else")
        if took > self.runner.limit:
            self.problem(f"it came after {took:.1f} s")
        self.check(response, kind, parameters, self.server.counts.get(name, 0) - came, how)
        if len(self.problems) > before:
            self.problem(f"that was action {count} ({kind}, browser killed: {how}): "
                         + json.dumps({key: value for key, value in response.items()
                                       if key not in ("screenshots", "networkEvents")})[:1500])

    def check(self, response, kind, parameters, came, how):
        """Checks the answer against the server's records and the picture."""
        self.recovered += response["recovered"]
        self.failed += not response["success"]
        if how == "before" and not response["recovered"]:
            self.problem("the browser was dead, and nothing says so")
        if not response["success"]:
            hint = response.get("hint", "")
            if not how or response["errorCode"] not in CRASHES or kind in ("navigate", "screenshot"):
                self.problem(f"failed: {response['errorCode']}: {response['error']}")
            if came > 1 or came and "may have reached" not in hint:
                self.problem(f"failed, and arrived {came} times")
            return
        self.url = parameters.get("url", self.url)
        if response["url"] != self.url:
            self.problem(f"at {response['url']}, not {self.url}")
        if kind in ("click", "type", "evaluate") and came != 1:
            self.problem(f"succeeded, and arrived {came} times")
        if kind == "evaluate" and response["result"] != self.url:
            self.problem(f"the script ran at {response['result']}, not {self.url}")
        if kind == "screenshot":
            # The page's lower edge has one grey, which identifies the board.
            edge = Picture(self.runner.picture(response)).thumbnail()[-3]
            if abs(sum(edge) / len(edge) - int(self.url.partition("shade=")[2])) > 4:
                self.problem("the picture shows another page")

    def whole(self):
        """Runs everything. Returns rows (what, kills, Reading)."""
        pid = self.runner.pid
        rows = [("before the first action", 0, settle(pid))]
        self.url = self.board(0)
        self.runner.do("start", url=self.url, maxConsecutiveErrors=0, totalErrorThreshold=0)
        for count in range(1, self.options.actions + 1):
            self.run(count)
            if count % STEP == 0 or count == self.options.actions:
                rows.append((f"after {count} actions", self.kills, settle(pid)))
        self.runner.do("stop")
        rows.append(("after `stop`", self.kills, settle(pid)))
        self.check_end(*self.runner.end())
        return rows

    def check_end(self, summary, code):
        actions = self.options.actions + 2
        if summary.get("kind") != "summary" or summary["actions"] != actions or \
                summary["failed"] != self.failed or summary["aborted"]:
            self.problem(f"the summary is {summary}; there were {actions} actions, {self.failed} failed")
        if code != (1 if self.failed else 0):
            self.problem(f"exit code {code}")
        self.stray, self.files = self.runner.left()
        for pid in self.stray:
            self.problem("left running: " + processes.describe(pid))
        if self.files:
            self.problem(f"left in TMPDIR: {', '.join(self.files)}")


def judge(soak, rows):
    """Returns the requirements: (what, value, whether it is met)."""
    readings = [reading for _, _, reading in rows]
    first, warm, last, stopped = readings[0], readings[1], readings[-2], readings[-1]
    growth = last.resident - warm.resident
    return [
        (f"memory after warm-up grows by less than {GROWTH_KB} kB", f"{growth:+} kB", growth < GROWTH_KB),
        ("descriptors do not grow", f"{last.descriptors - warm.descriptors:+}, after `stop` "
         f"{stopped.descriptors - first.descriptors:+}",
         last.descriptors <= warm.descriptors and stopped.descriptors <= first.descriptors),
        ("every thread ends", f"{last.threads - warm.threads:+}, after `stop` "
         f"{stopped.threads - first.threads:+}",
         last.threads <= warm.threads and stopped.threads <= first.threads),
        ("nothing is left", f"{len(soak.stray)} processes, {len(soak.files)} files",
         not soak.stray and not soak.files),
        ("every answer is there and true", f"{len(soak.problems)} problems", not soak.problems),
    ]


def report(soak, rows):
    """Prints the table. Returns whether all requirements are met."""
    print(f"{'':24} {'kills':>6} {'VmRSS kB':>9} {'RssAnon kB':>11} {'Pss kB':>7} "
          f"{'descriptors':>12} {'threads':>8}")
    for what, kills, reading in rows:
        print(f"{what:24} {kills:6} {reading.resident:9} {reading.anonymous:11} {reading.pss:7} "
              f"{reading.descriptors:12} {reading.threads:8}")
    print(f"\n{soak.options.actions} actions, {soak.kills} kills, {soak.recovered} answers with "
          f"recovered, {soak.failed} not repeated after a kill\n")
    verdict = judge(soak, rows)
    for what, value, is_met in verdict:
        print(f"{'met   ' if is_met else 'MISSED'}  {what}: {value}")
    return all(is_met for _, _, is_met in verdict)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--actions", type=int, default=1000, help="how many (1000)")
    parser.add_argument("--every", type=int, default=50, help="actions for each kill (50); 0: no kills")
    parser.add_argument("--program", help="the program (build/release/browser-runner)")
    parser.add_argument("--chrome", help="the browser, as the program's --chrome takes it")
    options = parser.parse_args()
    if options.actions < 2 * STEP or options.every and options.every < 10:
        parser.error(f"at least {2 * STEP} actions, and kills at least 10 apart")
    processes.become_reaper()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # started processes are ended in any case
    soak = Soak(options)
    began, load = time.monotonic(), os.getloadavg()[0]
    try:
        is_met = report(soak, soak.whole())
    except Broken as broken:
        soak.problem(str(broken))
        is_met = False
    finally:
        soak.runner.close()
    for problem in soak.problems:
        print(f"  {problem}")
    print(f"{time.monotonic() - began:.0f} s, load {load:.1f} at the beginning")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
