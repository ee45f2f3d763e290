#!/usr/bin/python3
"""How long a session takes to get over each fault, as a ratio to a plain `start`.

One session goes through all faults in each round, and through a `stop` and a `start` whose time is
what the ratios refer to: whatever else the machine does falls on all of them alike. The order turns
from round to round. Times are those that a user of the stream sees: from the sending of the first
action after the fault to its answer, which has to be a success with `recovered`; where the fault
comes in the middle of an action, from the fault to the answer of that action.

Prints one table of medians. A ratio is the median of the rounds' own ratios. A stuck page and a
stopped browser stand apart: by design it takes 5 s without a sign of life until they are given up.
Exit code 0 says that everything ran, not that an aim is met.
"""
import argparse
import os
import re
import signal
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True

from soak import Broken, Runner, find_program, processes, start_server  # noqa: E402

AIM = 1.5
# Between a fault and the next action: by then ending processes have ended, and the program is idle.
IDLE_S = 0.3
START = "plain `start`"


class Faults:
    """Each method causes one fault, and returns the seconds until the recovery."""

    def __init__(self, options):
        self.server, self.origin = start_server()
        self.runner = Runner(find_program(options.program), options.chrome, args=options.profile)
        self.url = f"{self.origin}/e2e/board.html?shade=120"
        self.count = 0

    def open(self):
        _, took = self.runner.do("start", url=self.url, maxConsecutiveErrors=0, totalErrorThreshold=0)
        return took

    def start(self):
        self.runner.do("stop")
        return self.open()

    def next(self, kind, **parameters):
        """Runs the next action, which must restore the page."""
        response, took = self.runner.do(kind, **parameters)
        if not response["recovered"]:
            raise Broken(f"{kind}: nothing was recovered from")
        if response["url"] != self.url or response.get("result", self.url) != self.url:
            raise Broken(f"{kind}: the page that came back is {response['url']}")
        return took

    def evaluate(self):
        return self.next("evaluate", expression="location.href")

    def kill_then_evaluate(self):
        self.runner.kill()
        time.sleep(IDLE_S)
        return self.evaluate()

    def kill_then_screenshot(self):
        self.runner.kill()
        time.sleep(IDLE_S)
        return self.next("screenshot")

    def kill_in_navigate(self):
        """The server does not answer the first request, and the second one at once."""
        self.count += 1
        name = f"recovery-{self.count}"
        pids = self.runner.chrome()
        self.runner.send("navigate", url=f"{self.origin}/flaky?name={name}&fails=1&how=hang")
        deadline = time.monotonic() + 10
        while not self.server.counts.get(name):
            if time.monotonic() > deadline:
                raise Broken("navigate: no request came")
            time.sleep(0.001)
        killed = time.monotonic()
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        response = self.runner.answer()
        if not response["success"] or not response["recovered"] or response["title"] != "Works":
            raise Broken(f"navigate: {response.get('error')}")
        took = self.runner.came - killed
        self.runner.do("navigate", url=self.url)
        return took

    def kill_renderer(self):
        self.runner.kill("renderer")
        time.sleep(IDLE_S)
        return self.evaluate()

    def stick(self):
        self.runner.do("evaluate", expression="setTimeout(() => { for (;;) ; }, 0); 0")
        time.sleep(IDLE_S)

    def stick_then_wait(self):
        """An action with a short timeout finds the page stuck, and the next one makes it reopen."""
        self.stick()
        self.runner.send("wait", selector="#c1", timeout=1000)
        began = time.monotonic()
        response = self.runner.answer()
        if response.get("errorCode") != "TIMEOUT":
            raise Broken(f"wait: not a timeout, but {response}")
        self.next("screenshot")
        return self.runner.came - began

    def stick_then_screenshot(self):
        self.stick()
        return self.next("screenshot")

    def stop_browser(self):
        self.runner.signal(signal.SIGSTOP)
        time.sleep(IDLE_S)
        return self.next("screenshot")


KILLS = {
    START: Faults.start,
    "browser killed, then evaluate": Faults.kill_then_evaluate,
    "browser killed, then screenshot": Faults.kill_then_screenshot,
    "browser killed in navigate": Faults.kill_in_navigate,
    "renderer killed, then evaluate": Faults.kill_renderer,
}
SILENT = {
    "browser stopped, then screenshot": Faults.stop_browser,
    "page stuck, wait (1 s), screenshot": Faults.stick_then_wait,
    "page stuck, then screenshot": Faults.stick_then_screenshot,
}


def measure(faults, rounds):
    """Returns for each row its seconds, one for each round."""
    rows = {**KILLS, **SILENT}
    samples = {name: [] for name in rows}
    faults.open()
    for number in range(-1, rounds):
        names = list(rows)
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            if number < 0 and name in SILENT:
                continue
            if sys.stderr.isatty():
                print(f"\r\x1b[Kround {number + 1} of {rounds}: {name}", end="", file=sys.stderr)
            took = rows[name](faults)
            if number >= 0:  # the first one is for the page cache
                samples[name].append(took)
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    return samples


def report(samples):
    base = samples[START]

    def line(name, aim):
        values = samples[name]
        low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
        ratio = statistics.median(value / start for value, start in zip(values, base))
        verdict = "" if not aim else f"  aim {AIM}: {'met' if ratio < AIM else 'MISSED'}"
        quartiles = f"{low * 1000:.0f} to {high * 1000:.0f}"
        print(f"{name:36} {middle * 1000:9.0f} {quartiles:>15} {ratio:9.2f}{verdict}")

    print(f"{'':36} {'median ms':>9} {'quartiles':>15} {'of start':>9}")
    for name in KILLS:
        line(name, name != START)
    print("\n5 s of silence are a part of these:")
    for name in SILENT:
        line(name, False)


def chrome_version(pid):
    """Returns the version that the running browser reports."""
    for word in processes.read(pid, "cmdline").split(b"\0")[:1]:
        told = subprocess.run([os.fsdecode(word), "--version"], capture_output=True, text=True, timeout=20)
        return re.sub(r"\s+", " ", told.stdout).strip()
    return "Chrome"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, help="how many (20)")
    parser.add_argument("--program", help="the program (build/release/browser-runner)")
    parser.add_argument("--chrome", help="the browser, as the program's --chrome takes it")
    parser.add_argument("--kept-profile", dest="profile", action="store_const",
                        const=("--project", "kept"), default=("--temp-profile",),
                        help="a persistent profile, in the place of a temporary one")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("at least 2 rounds")
    processes.become_reaper()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # started processes are ended in any case
    load = os.getloadavg()[0]
    faults = Faults(options)
    try:
        samples = measure(faults, options.rounds)
        version = chrome_version(faults.runner.chrome()[0])
        faults.runner.end()
    except Broken as broken:
        sys.exit(f"recovery: {broken}")
    finally:
        faults.runner.close()
    print(f"{version}, {' '.join(options.profile)}, {options.rounds} rounds, "
          f"load {load:.1f} at the beginning\n")
    report(samples)


if __name__ == "__main__":
    main()
