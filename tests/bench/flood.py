#!/usr/bin/python3
"""What a page that floods the driver costs it: processor time for each second, memory, answers.

One `browser-runner run -` for each flood. The page is told to flood for some seconds, by a script of
its own; meanwhile the driver runs an action after the other (an `evaluate` of 1+1, each with a
deadline of its own), as it would if it knew nothing. Then it is asked once more, in peace.

Prints a row for each flood: processor seconds of the program alone (Chrome's are not in it) for each
second of the flood, its peak of memory in MB, how many actions were answered and how many of them
well, the slowest in seconds, the largest answer in KB, and what the first entry of the tool's own
says. Exit code 1 when an answer came later than its deadline allows, or when the page is not there
any more after a flood; else 0. The figures are for docs/performance.md.
"""
import argparse
import json
import os
import pathlib
import signal
import sys
import time

sys.dont_write_bytecode = True

from soak import Broken, Runner, find_program, number, processes, start_server  # noqa: E402

ACTION_MS = 10000
PATIENCE = 6  # actions after the flood, one of which must succeed
LATE_S = 1.5  # beyond the deadline: grace for finding out how the action ended, and for reading the answer
TICKS = os.sysconf("SC_CLK_TCK")

# Each flood is a body of `function (big, every, seconds)`: `big(n)` is a text of n characters,
# `every(ms, n, act)` acts n times in a task every ms milliseconds until the seconds are over.
FLOODS = {
    "nothing": "",
    "console, 20 texts of 20 MB": "const text = big(20e6); for (let i = 0; i < 20; i++) console.log(text)",
    "console, 20 MB again and again": "const text = big(20e6); every(100, 1, () => console.log(text))",
    "console, 5 texts of 20 MB of euros": "const text = '€'.repeat(20e6); for (let i = 0; i < 5; i++) console.log(text + i)",
    "console, half surrogates": "const text = '\\ud83d'.repeat(2e6); every(100, 1, () => console.log(text))",
    "console, small lines": "let n = 0; every(1, 200, () => console.log('line', n++))",
    "console, 100,000 lines a second": "let n = 0; every(10, 1000, () => console.log('line ' + n++))",
    "console, objects": "const o = { list: Array.from({ length: 1000 }, (_, i) => ({ i, text: big(1000) })) };"
                        " every(1, 20, () => console.log(o, o, o))",
    "console, 100,000 arguments": "const a = Array.from({ length: 1e5 }, (_, i) => 'a' + i); every(100, 1, () => console.log(...a))",
    "exceptions": "let n = 0; every(1, 50, () => setTimeout(() => { throw new Error('e' + n++) }))",
    "exceptions of 10 MB": "every(200, 1, () => setTimeout(() => { throw new Error(big(10e6)) }))",
    "exceptions, deep stacks of long names": "const f = new Function('n', `return function ${'x'.repeat(5e4)}(n) "
        "{ if (n) { return arguments.callee(n - 1); } throw new Error('deep'); }`)();"
        " every(50, 1, () => setTimeout(() => f(100)))",
    "rejections": "let n = 0; every(1, 50, () => Promise.reject('r' + n++))",
    "requests of blob:": "const u = URL.createObjectURL(new Blob(['x'])); every(5, 50, () => fetch(u).catch(() => {}))",
    "requests of data:": "every(5, 100, () => fetch('data:text/plain,x').catch(() => {}))",
    "requests, 404": "let n = 0; every(20, 20, () => fetch('/e2e/none' + n++).catch(() => {}))",
    "requests, URLs of 1.5 MB": "let n = 0; every(100, 2, () => fetch('/e2e/none?' + big(15e5) + n++).catch(() => {}))",
    "requests, images of data: of 5 MB": "every(200, 1, () => { new Image().src = 'data:image/png,' + big(5e6) + Math.random() })",
    "requests, bodies of 10 MB": "every(200, 1, () => fetch('/e2e/none', { method: 'POST', body: big(10e6) }).catch(() => {}))",
    "title of 20 MB": "document.title = big(20e6)",
    "title, 10,000 a second": "let n = 0; every(10, 100, () => { document.title = 't' + n++ })",
    "title of 5 MB, 10 a second": "let n = 0; every(100, 1, () => { document.title = big(5e6) + n++ })",
    "URL of 1.9 MB": "history.replaceState(null, '', '?' + big(19e5))",
    "URLs of 1.9 MB, by pushState": "let n = 0; every(200, 1, () => history.pushState(null, '', '?' + big(19e5) + n++))",
    "fragments, small": "let n = 0; every(5, 1, () => { location.hash = n++ })",
    "frames that come and go": "every(10, 5, () => { const f = document.createElement('iframe'); document.body.append(f);"
                               " f.srcdoc = '<p>x'; setTimeout(() => f.remove(), 50) })",
    "dialogs": "every(1, 1, () => alert('x'))",
    "dialogs of 10 MB": "const text = big(10e6); every(200, 1, () => alert(text))",
    "downloads": "let n = 0; every(50, 1, () => { const a = document.createElement('a'); a.download = 'x' + n++;"
                 " a.href = URL.createObjectURL(new Blob(['x'])); a.click() })",
    "popups": "every(50, 1, () => { const w = window.open('about:blank'); if (w) setTimeout(() => w.close(), 200) })",
    "popups, URLs of 1.9 MB": "every(200, 1, () => { const w = window.open('about:blank?' + big(19e5)); if (w) setTimeout(() => w.close(), 300) })",
    "WebSockets that fail": "every(20, 5, () => { try { new WebSocket(location.origin.replace('http', 'ws') + '/e2e/no') } catch (e) {} })",
    "workers": "const u = URL.createObjectURL(new Blob(['console.log(\"w\")'])); every(50, 2, () => { const w = new Worker(u);"
               " setTimeout(() => w.terminate(), 100) })",
    "a worker's console, 5 MB": "const u = URL.createObjectURL(new Blob(['const t = \"x\".repeat(5e6);"
                                " setInterval(() => console.log(t), 100)'])); const w = new Worker(u); setTimeout(() => w.terminate(), seconds * 1000)",
    "storage of 5 MB that changes": "let n = 0; every(50, 1, () => { localStorage.setItem('a', big(4e6) + n++) })",
    "an attribute of 50 MB": "document.body.setAttribute('data-x', big(50e6)); document.body.id = big(20e6)",
}

PRELUDE = """(() => {
const seconds = %f;
const big = n => 'x'.repeat(n);
const until = performance.now() + seconds * 1000;
const every = (ms, n, act) => { const id = setInterval(() => {
    for (let i = 0; i < n && performance.now() < until; i++) { act(); }
    if (performance.now() >= until) { clearInterval(id); } }, ms); };
setTimeout(() => { %s }, 20);
})()"""


def cpu_seconds(pid):
    """Returns the processor time of a process, including its threads."""
    words = processes.read(pid, "stat").rpartition(b")")[2].split()
    return (int(words[11]) + int(words[12])) / TICKS


def resident_mb(pid, name):
    return number(name, processes.read(pid, "status").decode()) / 1024


class Flood:
    def __init__(self, options, origin, name):
        self.options, self.origin, self.name = options, origin, name
        self.problems = []
        self.answers = self.good = self.slowest = self.largest = 0
        self.said = ""

    def note(self, response, raw):
        self.answers += 1
        self.good += response["success"]
        self.slowest = max(self.slowest, self.runner.came - self.runner.sent)
        self.largest = max(self.largest, raw)
        if not self.said:
            said = [log["message"] for log in response.get("logs", ())
                    if log["source"] == "tool" and log["type"] in ("warning", "error")]
            self.said = response.get("error") or (said[0] if said else "")
        if self.runner.came - self.runner.sent > ACTION_MS / 1000 + LATE_S:
            self.problems.append(f"an answer came after {self.runner.came - self.runner.sent:.1f} s")

    def ask(self, **parameters):
        self.runner.send("evaluate", expression="1 + 1", timeout=ACTION_MS, **parameters)
        response = self.runner.answer()
        self.note(response, len(json.dumps(response)))
        return response

    def measure(self):
        seconds = self.options.seconds
        runner = self.runner
        runner.do("start", url=f"{self.origin}/e2e/board.html", maxConsecutiveErrors=0, totalErrorThreshold=0)
        runner.do("evaluate", expression="1")
        pathlib.Path(f"/proc/{runner.pid}/clear_refs").write_text("5")  # resets the peak
        quiet = resident_mb(runner.pid, "VmRSS")
        before, began = cpu_seconds(runner.pid), time.monotonic()
        runner.send("evaluate", expression=PRELUDE % (seconds, FLOODS[self.name]), timeout=ACTION_MS)
        response = runner.answer()
        self.note(response, len(json.dumps(response)))
        while time.monotonic() - began < seconds + 0.5:
            self.ask()
            time.sleep(self.options.pause)
        took = time.monotonic() - began
        used = cpu_seconds(runner.pid) - before
        # Chrome itself may be busy for a long time.
        for _ in range(PATIENCE):
            last = self.ask()
            if last["success"]:
                break
        if last.get("result") != 2:
            self.problems.append("it did not answer after the flood: " + str(last.get("error"))[:300])
        return used, took, resident_mb(runner.pid, "VmHWM") - quiet, quiet

    def run(self):
        self.runner = Runner(find_program(self.options.program), self.options.chrome,
                             args=("--temp-profile", *self.options.arguments.split()))
        try:
            used, took, peak, quiet = self.measure()
            print(f"| {self.name} | {used / took:.2f} | {used:.1f} | {quiet:.0f} + {peak:.0f} | {self.good} of {self.answers} "
                  f"| {self.slowest:.2f} | {self.largest / 1024:.0f} | {self.said[:self.options.said]} |", flush=True)
        except Broken as broken:
            self.problems.append(str(broken)[:500])
            print(f"| {self.name} | broken | | | {self.good} of {self.answers} | {self.slowest:.2f} | | |", flush=True)
        finally:
            self.runner.close()
        for problem in self.problems:
            print(f"  {self.name}: {problem}", flush=True)
        return not self.problems


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4, help="of each flood (4)")
    parser.add_argument("--pause", type=float, default=0.2, help="seconds between two actions (0.2)")
    parser.add_argument("--only", default="", help="only floods with this in their name")
    parser.add_argument("--arguments", default="", help="further arguments of `run`, such as --har FILE")
    parser.add_argument("--said", type=int, default=90, help="characters of the last column (90)")
    parser.add_argument("--program", help="the program (build/release/browser-runner)")
    parser.add_argument("--chrome", help="the browser, as the program's --chrome takes it")
    options = parser.parse_args()
    processes.become_reaper()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # started processes are ended in any case
    _, origin = start_server()
    load = os.getloadavg()[0]
    print("| flood | processor s/s | in all, s | MB, + peak | answered well | slowest, s | largest, KB | first word |")
    print("|---|---:|---:|---:|---:|---:|---:|---|")
    are_fine = [Flood(options, origin, name).run() for name in FLOODS if options.only in name]
    print(f"load {load:.1f} at the beginning, {os.getloadavg()[0]:.1f} at the end")
    return 0 if all(are_fine) else 1


if __name__ == "__main__":
    sys.exit(main())
