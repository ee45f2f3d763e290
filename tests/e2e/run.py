#!/usr/bin/python3
"""Runs the end-to-end cases against a real browser-runner and a real Chrome.

    tests/e2e/run.py --binary build/dev/browser-runner [--jobs 2] [--filter NAME]… [--list]

A case that fails is run once more, alone, after all the others. One that passes then is FLAKY and named.
A few of them are no failure (FLAKY_SHARE); the file flaky beside the cases' folder lists them with their
causes, and fewer still are not in it yet (NEW_SHARE).
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True

try:
    import harness
except ModuleNotFoundError as error:
    sys.exit(f"run.py: python has no module {error.name}; on Debian: apt-get install python3-jsonschema")

# One of so many cases; two and one are always allowed.
FLAKY_SHARE = 30
NEW_SHARE = 45


def find_cases(folder, filters):
    names = sorted(path.name for path in folder.iterdir()
                   if (path / "case.py").is_file() or (path / "expect.json").is_file())
    return [name for name in names if not filters or any(part in name for part in filters)]


def read_known(cases):
    """The cases that may be flaky; each line of the file has the name, since when, and the cause."""
    path = cases.parent / "flaky"
    lines = path.read_text().splitlines() if path.is_file() else []
    known = [line.split(None, 2) for line in lines if line and not line.startswith("#")]
    for parts in known:
        if len(parts) != 3 or not re.fullmatch(r"\d{4}-\d\d-\d\d", parts[1]):
            sys.exit(f"{path}: \"{' '.join(parts)}\" is no name, date and cause")
    return {parts[0] for parts in known}


def time_limit(folder, name):
    """timeLimit in expect.json, or a line TIME_LIMIT = … in case.py."""
    data, script = folder / name / "expect.json", folder / name / "case.py"
    limit = json.loads(data.read_text()).get("timeLimit") if data.is_file() else None
    line = re.search(r"^TIME_LIMIT = (\d+)$", script.read_text(), re.M) if script.is_file() else None
    return limit or int(line[1] if line else harness.TIME_LIMIT)


class Workers:
    """Each case runs in a process of its own, which is the parent of all that the case starts."""

    def __init__(self, options):
        self.options = options
        self.running = set()
        self.ending = False

    def run(self, name):
        if self.ending:
            return None
        began = time.monotonic()
        command = [sys.executable, __file__, "--binary", self.options.binary,
                   "--cases", self.options.cases, "--worker", name]
        command += [flag for flag, given in (("--sandbox", self.options.sandbox),
                                             ("--keep", self.options.keep)) if given]
        if self.options.chrome:
            command += ["--chrome", self.options.chrome]
        limit = time_limit(self.options.cases, name)
        worker = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  start_new_session=True)
        self.running.add(worker)
        try:
            output, _ = worker.communicate(timeout=limit)
            result = json.loads(output)
        except subprocess.TimeoutExpired:
            self.end(worker)
            result = {"problems": [f"not done after {limit} s"], "skipped": None}
        except json.JSONDecodeError:
            result = {"problems": [f"the worker ended with {worker.returncode}"], "skipped": None}
        finally:
            self.running.discard(worker)
        return {**result, "name": name, "seconds": time.monotonic() - began}

    @staticmethod
    def end(worker):
        """SIGTERM lets it end what it has started."""
        worker.terminate()
        try:
            worker.communicate(timeout=15)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.communicate()

    def end_all(self):
        self.ending = True
        for worker in list(self.running):
            self.end(worker)


def report(word, result):
    print(f"{word} {result['name']} ({result['seconds']:.1f} s)")
    for problem in result["problems"]:
        print("  - " + problem.replace("\n", "\n    "))
    print(flush=True)


class Tally:
    """What came out so far; says of each case what there is to say."""

    def __init__(self, verbose, known_flaky, cases):
        self.most_flaky = max(2, cases // FLAKY_SHARE)
        self.most_new = max(1, cases // NEW_SHARE)
        self.verbose = verbose
        self.known_flaky = known_flaky
        self.passed = self.flaky = self.new = self.failed = self.skipped = 0

    def add(self, result, first=None):
        """`first` is the result of the case's first run, where this is its second."""
        if result["problems"]:
            self.failed += 1
            report("FAILED", result)
        elif first:
            is_known = first["name"] in self.known_flaky
            self.flaky += 1
            self.new += not is_known
            report("FLAKY" if is_known else "FLAKY, and not listed:", first)
        elif result["skipped"]:
            self.skipped += 1
            print(f"skipped {result['name']}: {result['skipped']}", flush=True)
        else:
            self.passed += 1
            if self.verbose:
                print(f"passed {result['name']} ({result['seconds']:.1f} s)", flush=True)

    def exit_code(self):
        print(f"{self.passed} passed, {self.failed} failed, {self.flaky} flaky"
              + (f", {self.skipped} skipped" if self.skipped else ""))
        is_too_flaky = self.flaky > self.most_flaky or self.new > self.most_new
        if is_too_flaky:
            print(f"more than {self.most_flaky} are flaky, or more than {self.most_new} without being listed")
        ran = self.passed + self.flaky + self.skipped
        return 1 if self.failed or is_too_flaky or not ran else 0


def run_each(names, pool, workers, tally):
    futures = [pool.submit(workers.run, name) for name in names]
    doubtful = []
    for future in concurrent.futures.as_completed(futures):
        result = future.result()
        if result["problems"]:
            doubtful.append(result)
            print(f"{result['name']} failed; it is run again after the others", flush=True)
        else:
            tally.add(result)
    for first in doubtful:
        tally.add(workers.run(first["name"]), first)


def run_all(names, options):
    tally = Tally(options.verbose, read_known(options.cases), len(names))
    workers = Workers(options)
    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    try:
        run_each(names, pool, workers, tally)
    except KeyboardInterrupt:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        workers.end_all()
        pool.shutdown(cancel_futures=True)
        print("interrupted")
        return 130
    return tally.exit_code()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", help="the program under test")
    parser.add_argument("--jobs", type=int, default=2, help="cases at the same time")
    parser.add_argument("--filter", action="append", default=[], metavar="NAME",
                        help="only cases with this in their name; may be repeated")
    parser.add_argument("--list", action="store_true", help="print the cases' names and end")
    parser.add_argument("--cases", type=pathlib.Path, default=harness.CASES, help="the cases' folder")
    parser.add_argument("--verbose", action="store_true", help="name the cases that pass, too")
    parser.add_argument("--chrome", help="passed on to the program")
    parser.add_argument("--sandbox", action="store_true", help="keep Chrome's sandbox")
    parser.add_argument("--keep", action="store_true", help="keep the cases' directories")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()

    if options.list:
        print("\n".join(find_cases(options.cases, options.filter)))
        return 0
    if not options.binary:
        parser.error("--binary is needed")
    options.binary = str(pathlib.Path(options.binary).resolve())
    if not os.access(options.binary, os.X_OK):
        parser.error(f"{options.binary} cannot be executed")
    if options.worker:
        problems, skipped = harness.execute(options.worker, harness.Options(
            options.binary, options.cases, options.sandbox, options.chrome, options.keep))
        json.dump({"problems": problems, "skipped": skipped}, sys.stdout)
        return 0
    names = find_cases(options.cases, options.filter)
    if not names:
        parser.error("no case has such a name")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return run_all(names, options)


if __name__ == "__main__":
    sys.exit(main())
