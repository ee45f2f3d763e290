#!/usr/bin/python3
"""`browser-runner check` against Playwright's toHaveScreenshot and BackstopJS: whole runs of 60 checks.

All drive the same Chrome, as many pages at a time, to the same pages at the same size, each from a
server in a process of its own, and compare with baselines that they made themselves before. Each
round runs every program once, so that what else the machine does falls on all alike; a ratio is the
median of the rounds' own ratios, of the clock and of the processors. A run counts when all checks
passed in it; and before the rounds each program has to find a page that was changed. Memory is that of
a run outside of the rounds: the most that the programs, and the browsers that they started, had at
once. Exit code 1 when the aim is missed.

The peers come from npm, at the versions of checks/package-lock.json; npm is needed once.
"""
import argparse
import ctypes
import json
import os
import pathlib
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PEERS = HERE / "checks"
BIN = PEERS / "node_modules" / ".bin"
AIM = 0.5
LOOK_S = 0.1  # between two measurements of the memory
LEFT_OVER_S = 20  # for processes that a program leaves behind to end
PR_SET_CHILD_SUBREAPER = 36


class Contestant:
    """A program with its own folder; `words` matches its count of passed and failed checks."""

    def __init__(self, name, folder, make_baselines, compare, words, environment):
        self.name, self.folder, self.words = name, folder / name.split()[0], words
        self.make_baselines, self.compare = make_baselines, compare
        self.environment = {**os.environ, **environment, "BENCH_FOLDER": str(self.folder)}
        self.folder.mkdir()

    def start(self, command, log):
        command = [str(part).replace("FOLDER", str(self.folder)) for part in command]
        return subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=log, stderr=log,
                                stdin=subprocess.DEVNULL)

    def run(self, command, watch=None):
        """Returns seconds, processor seconds (including browsers), exit code, output."""
        with open(self.folder / "log", "w+") as log:
            before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            process = self.start(command, log)
            if watch:
                watch(process)
            code = process.wait()
            elapsed = time.perf_counter() - began
            await_the_end()
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            log.seek(0)
            return elapsed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, code, log.read()

    def expect(self, result, passed, failed):
        *_, code, text = result
        wanted = [form.format(count) for form, count in zip(self.words, (passed, failed)) if count]
        if (code == 0) != (failed == 0) or not all(word in text for word in wanted):
            sys.exit(f"{self.name}: exit code {code}, without {' and '.join(wanted)}:\n{text[-3000:]}")


def descendants():
    """Returns process ids below this one, except the server: orphans become our children."""
    children = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                stat = pathlib.Path(entry.path, "stat").read_text()
            except OSError:
                continue
            children.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append(int(entry.name))
    found, open_ends = [], [os.getpid()]
    while open_ends:
        for child in children.get(open_ends.pop(), []):
            if child != server_pid:
                found.append(child)
                open_ends.append(child)
    return found


def await_the_end():
    """Measures the time of processes that a program left behind, and prevents them from affecting the next one."""
    end = time.monotonic() + LEFT_OVER_S
    while left := descendants():
        for pid in left:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass
        if time.monotonic() > end:
            sys.exit(f"processes {left} do not end")
        time.sleep(0.01)


def end_all():
    """Ends all processes if the bench is aborted."""
    while left := descendants():
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        for pid in left:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass
        time.sleep(0.01)


def memory_of(pid):
    """Returns megabytes including the share of shared memory, and whether the process belongs to the browser."""
    try:
        rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
        program = os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return 0, False
    size = sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) / 1024
    return size, pathlib.Path(program).name.startswith("chrom")


def measure_memory(contestant):
    """Returns the peaks of the programs and of the browsers."""
    peaks = [0, 0]

    def watch(process):
        while process.poll() is None:
            sums = [0, 0]
            for pid in descendants():
                size, is_browser = memory_of(pid)
                sums[is_browser] += size
            peaks[:] = map(max, peaks, sums)
            time.sleep(LOOK_S)

    contestant.run(contestant.compare, watch)
    return peaks


def write_suite(path, url, count):
    suite = {
        "baseUrl": url,
        "viewports": {"desktop": {"width": 1280, "height": 720}},
        "defaults": {"fullPage": False, "threshold": 0.1},
        "checks": [{"name": f"page-{number}", "url": f"/page/{number}"} for number in range(1, count + 1)],
    }
    path.write_text(json.dumps(suite))


def contestants(options, folder, url):
    environment = {"BENCH_CHROME": options.chrome, "BENCH_COUNT": str(options.count), "BENCH_JOBS": str(options.jobs),
                   "BENCH_URL": url, "CI": ""}
    # In the order of the table; the others are compared with the first one.
    ours = [pathlib.Path(options.program).resolve(), "check", folder / "suite.json", "--chrome", options.chrome,
            "--jobs", options.jobs, "--retries", "0", "--report", "FOLDER/report"]
    playwright = [BIN / "playwright", "test", "--config", PEERS / "playwright.config.cjs"]
    backstop = [BIN / "backstop", "--config", PEERS / "backstop.config.cjs"]
    rows = [
        ("browser-runner check", [*ours, "--allow-errors"], [*ours, "--ci"], ("{} passed", "{} failed")),
        ("playwright", [*playwright, "--update-snapshots"], playwright, ("{} passed", "{} failed")),
        ("backstopjs", [*backstop, "reference"], [*backstop, "test"], ("{} Passed", "{} Failed")),
    ]
    write_suite(folder / "suite.json", url, options.count)
    return [Contestant(name, folder, make, compare, words, environment)
            for name, make, compare, words in rows if name not in options.without]


def prepare(contestant, url, count):
    """Creates baselines, and proves that a changed page is detected."""
    *_, code, text = contestant.run(contestant.make_baselines)
    if code:
        sys.exit(f"{contestant.name}: no baselines, exit code {code}:\n{text[-3000:]}")
    changed = count // 2
    urllib.request.urlopen(f"{url}change/{changed}").close()
    contestant.expect(contestant.run(contestant.compare), count - 1, 1)
    urllib.request.urlopen(f"{url}change/0").close()


def bench(programs, rounds, count):
    """Returns a list of (seconds, processor seconds) for each program."""
    results = {program.name: [] for program in programs}
    for number in range(rounds + 1):
        for place in range(len(programs)):
            program = programs[(number + place) % len(programs)]
            result = program.run(program.compare)
            program.expect(result, count, 0)
            if number > 0:  # the first round warms up
                results[program.name].append(result[:2])
    return results


def report(results, memory):
    """Prints the table; returns whether the aim is met."""
    ours = next(iter(results.values()))
    is_met = True
    print("| program | s | quartiles | processor s | peak MB: program, browser | ours / this: s, processor s |")
    print("|---|---:|---|---:|---:|---|")
    for name, rows in results.items():
        elapsed, work = zip(*rows)
        low, middle, high = statistics.quantiles(elapsed, n=4, method="inclusive") if len(rows) > 1 else elapsed * 3
        note = ""
        if rows is not ours:
            ratio, work_ratio = (statistics.median(mine[i] / theirs[i] for mine, theirs in zip(ours, rows))
                                 for i in (0, 1))
            is_met = is_met and ratio <= AIM
            note = f"{ratio:.2f}, {work_ratio:.2f} (aim: at most {AIM}{'' if ratio <= AIM else ', missed'})"
        program, browser = memory[name]
        print(f"| {name} | {middle:.2f} | {low:.2f} to {high:.2f} | {statistics.median(work):.2f} |"
              f" {program:.0f}, {browser:.0f} | {note} |")
    return is_met


def start_server():
    """Returns its process and the address."""
    global server_pid
    server = subprocess.Popen([sys.executable, PEERS / "server.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True)
    server_pid = server.pid
    return server, f"http://127.0.0.1:{int(server.stdout.readline())}/"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "browser-runner"))
    parser.add_argument("--chrome", default=shutil.which("chromium") or shutil.which("google-chrome"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=60, help="checks of a run")
    parser.add_argument("--jobs", type=int, default=2, help="pages at a time")
    parser.add_argument("--without", choices=["playwright", "backstopjs"], action="append", default=[])
    options = parser.parse_args()
    if not BIN.exists():
        # The peers' own browsers are not needed.
        subprocess.run(["npm", "ci", "--prefix", PEERS, "--no-audit", "--no-fund", "--ignore-scripts"], check=True,
                       stdout=sys.stderr)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    server, url = start_server()
    try:
        with tempfile.TemporaryDirectory(prefix="bench-checks-") as folder:
            programs = contestants(options, pathlib.Path(folder), url)
            print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, {options.count} checks, {options.jobs} pages at"
                  f" a time, medians of {options.rounds} rounds\n", flush=True)
            for program in programs:
                prepare(program, url, options.count)
            memory = {program.name: measure_memory(program) for program in programs}
            return 0 if report(bench(programs, options.rounds, options.count), memory) else 1
    finally:
        end_all()
        server.stdin.close()
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
