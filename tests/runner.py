#!/usr/bin/python3
"""Runs tests, each in a process of its own with a limit, the longest first.

    tests/runner.py --build build/asan --label 'unit|integration'     tests that ctest knows
    tests/runner.py --close build/results/*.json                      what several runs come to together

tests/e2e/run.py runs the end-to-end cases in the same way.

A test that fails is run again, alone, after all the others, twice at most. One that passes then is FLAKY: it is
named with its first failure, and fails the run only where more than FLAKY_SHARE of the tests are. A report of a
sanitizer is never forgiven. A test that is over its limit is ended; the stack of each thread goes into its output.

Time limits are multiplied by BR_TEST_SLOWNESS, or by the load that is measured when the test begins, if that is more:
the test receives the result as BR_TEST_SLOWNESS.
"""
import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
import processes  # noqa: E402

SLOWNESS = float(os.environ.get("BR_TEST_SLOWNESS") or 1)
BUSY = 3  # runnable threads a processor up to which time limits hold as they are
MOST = 3  # times as much time as usual, unless BR_TEST_SLOWNESS says more
TRIES = 3
FLAKY_SHARE = 0.05
LONGEST = ROOT / "tests" / "longest.txt"  # names of tests, for a machine that has not measured their times
FLAKY_ALLOWED = 2  # in a run of few tests
SANITIZER = re.compile(r"(ERROR|WARNING|SUMMARY): (Address|Thread|UndefinedBehavior)Sanitizer|runtime error: ")
# A leak after a failed assertion is not a second failure.
LEAK = re.compile(r"ERROR: LeakSanitizer")
ASSERTION = re.compile(r"\[  FAILED  \]")
REPORT_LINES = 60  # lines of a failed run's last output


class Test:
    """A test to run. `repeat` is the command with which a person repeats it; `is_serial`: no other test at the same time.

    `start`, if given, replaces subprocess.Popen. `around(attempt)`, if given, calls attempt(*further arguments of the command), which runs the test, and returns its result.
    Tests whose time is unknown begin in the order of LONGEST.
    """

    def __init__(self, name, command, limit, repeat, cwd=None, is_serial=False, skip_code=None, around=None,
                 start=subprocess.Popen):
        self.name, self.command, self.cwd, self.repeat = name, command, cwd, repeat
        self.around, self.start = around, start
        self.limit, self.is_serial, self.skip_code = limit, is_serial, skip_code


class Result:
    """`seconds` is the time that passed, `cpu` what processors worked for the test and all that it has started."""

    def __init__(self, test, code, output, seconds, cpu):
        self.test, self.code, self.output, self.seconds, self.cpu = test, code, output, seconds, cpu
        self.is_skipped = test.skip_code is not None and code == test.skip_code
        self.has_passed = code == 0 or self.is_skipped
        is_leak = LEAK.search(output)
        is_report = not ASSERTION.search(output) if is_leak else SANITIZER.search(output)
        self.is_final = self.has_passed or bool(is_report)


def has_ended(process, limit):
    """Waits until the child has ended, and leaves it to be reaped."""
    try:
        descriptor = os.pidfd_open(process.pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], limit)[0])
    finally:
        os.close(descriptor)


def end_processes(running):
    """SIGTERM lets tests end the processes that they have started. They are left to be reaped."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, number)
        deadline = time.monotonic() + 15
        running = [process for process in running if not has_ended(process, max(0, deadline - time.monotonic()))]


def reap(process):
    """Returns the exit code of a child, and the processor time of it and of all that it has waited for."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def stacks(pids):
    """Returns the stacks of our own programs' threads among the processes."""
    texts = []
    for pid in pids[:6]:
        try:
            if ROOT not in pathlib.Path(os.readlink(f"/proc/{pid}/exe")).parents:
                continue
        except OSError:
            continue
        for command in (["gdb", "-batch", "-p", str(pid), "-ex", "thread apply all bt 24"], ["eu-stack", "-p", str(pid)]):
            if shutil.which(command[0]):
                try:
                    found = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                           stderr=subprocess.DEVNULL, timeout=30, text=True, errors="replace").stdout
                except subprocess.TimeoutExpired:
                    found = "no stack within 30 s"
                texts.append(f"stacks of {processes.describe(pid)}:\n{found.strip()}")
                break
    return "\n".join(texts)


class Load:
    """Measures how many threads want each processor: every `period` seconds, on average over the last `average` or so."""

    def __init__(self, stat="/proc/stat", period=0.5, average=10):
        self.stat, self.period, self.share = stat, period, period / average
        self.runnable = os.getloadavg()[0]
        self.processors = os.cpu_count() or 1
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        with contextlib.suppress(OSError):  # systems without /proc have the load of the beginning
            while True:
                self.runnable += (self.read() - self.runnable) * self.share
                time.sleep(self.period)

    def read(self):
        with open(self.stat, encoding="ascii") as file:
            return int(re.search(r"^procs_running (\d+)$", file.read(), re.M)[1])

    def slowness(self):
        """Returns by what the time limits of a test that begins now are multiplied, in halves."""
        return max(SLOWNESS, min(MOST, round(2 * self.runnable / self.processors / BUSY) / 2))


class Runner:
    """Runs tests in parallel. end() may be called from a signal's handler."""

    def __init__(self):
        self.load = Load()
        self.running = set()
        self.lock = threading.RLock()  # a signal may interrupt its holder
        self.is_ending = False

    def run(self, test):
        """Returns the result of one attempt; None if the run is being ended."""
        if self.is_ending:
            return None
        if not test.around:
            return self.attempt(test)
        try:
            return test.around(lambda *arguments: self.attempt(test, arguments))
        except OSError as error:
            return Result(test, 1, str(error), 0, 0)

    def attempt(self, test, arguments=()):
        place = tempfile.mkdtemp(prefix="br-")
        try:
            return self.attempt_in(place, test, arguments)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def attempt_in(self, place, test, arguments):
        tmp, runtime = os.path.join(place, "tmp"), os.path.join(place, "run")
        os.mkdir(tmp)
        os.mkdir(runtime, 0o700)
        slowness = self.load.slowness()
        limit = test.limit * slowness
        environment = {**os.environ, "TMPDIR": tmp, "XDG_RUNTIME_DIR": runtime}
        if slowness > 1:
            environment["BR_TEST_SLOWNESS"] = str(slowness)
        began = time.monotonic()
        with tempfile.TemporaryFile() as output:
            process = test.start([*test.command, *arguments], cwd=test.cwd, env=environment, stdin=subprocess.DEVNULL,
                                 stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            ticks = processes.status(process.pid)[2]
            with self.lock:
                self.running.add(process)
            words = []
            if not has_ended(process, limit):
                words += [stacks(processes.naming(place)), f"not done after {limit:.0f} s"]
                end_processes([process])
            code, cpu = reap(process)
            code = code or (-signal.SIGKILL if words else 0)
            seconds = time.monotonic() - began
            with self.lock:
                self.running.discard(process)
            stray = processes.wait_until_gone(lambda: processes.naming(place, since=ticks), 2)
            if stray and code == 0:
                code = 1
                words.append("left running: " + "; ".join(map(processes.describe, stray[:8])))
            processes.kill(stray)
            left = sorted(os.listdir(tmp))
            if left and code == 0:
                code = 1
                words.append("left in TMPDIR: " + ", ".join(left[:8]))
            output.seek(0)
            text = output.read().decode("utf-8", "replace")
        if code < 0 and not words:
            words.append(f"ended by {signal.Signals(-code).name}")
        return Result(test, code, "\n".join([text.rstrip(), *filter(None, words)]).strip(), seconds, cpu)

    def end(self):
        self.is_ending = True
        with self.lock:
            running = list(self.running)
        end_processes(running)


class Tally:
    """The results so far, and the lines that print them."""

    def __init__(self, name, is_verbose):
        self.name, self.is_verbose = name, is_verbose
        self.began = time.monotonic()
        self.passed, self.skipped, self.times, self.cpu = 0, [], {}, {}
        self.failed, self.flaky, self.not_run = [], [], []

    def add(self, tries):
        """Adds the results of all attempts of one test."""
        first, last = tries[0], tries[-1]
        test = first.test
        self.times[test.name], self.cpu[test.name] = round(first.seconds, 1), round(first.cpu, 1)
        if not last.has_passed:
            self.failed.append(self.entry(tries))
            self.report(f"FAILED {test.name} ({len(tries)} of {len(tries)} tries, {last.seconds:.1f} s)", last)
        elif len(tries) > 1:
            self.flaky.append(self.entry(tries))
            print(f"FLAKY {test.name} (failed {len(tries) - 1} of {len(tries)} tries)", flush=True)
        elif last.is_skipped:
            self.skipped.append(test.name)
            print(f"skipped {test.name}: {(last.output.splitlines() or ['no reason given'])[-1]}", flush=True)
        else:
            self.passed += 1
            if self.is_verbose:
                print(f"passed {test.name} ({last.seconds:.1f} s)", flush=True)

    def skip_rest(self, test, tries):
        """Records that there is no time left for the test, or for another attempt."""
        self.not_run.append(test.name)
        if tries:
            print(f"failed once, no time to try again: {test.name}", flush=True)

    @staticmethod
    def entry(tries):
        lines = [line.strip() for line in tries[0].output.splitlines() if line.strip()]
        telling = [line for line in lines if re.search(
            r"^- |\[  ERROR|\[  FAILED|SUMMARY: |runtime error|error: |Error|Failure|not done after|left ", line)]
        why = (telling or lines[-2:] or [f"exit {tries[0].code} without a word"])[:2]
        return {"name": tries[0].test.name, "why": [line[:240] for line in why], "repeat": tries[0].test.repeat}

    @staticmethod
    def report(headline, result):
        lines = result.output.splitlines()
        if len(lines) > 120:
            lines = lines[:40] + [f"… {len(lines) - 120} lines …"] + lines[-80:]
        print("\n".join([headline, *("    " + line for line in lines), ""]), flush=True)

    def results(self):
        return {"name": self.name, "passed": self.passed, "skipped": self.skipped, "failed": self.failed,
                "flaky": self.flaky, "notRun": self.not_run, "times": self.times, "cpu": self.cpu,
                "seconds": round(time.monotonic() - self.began, 1)}


def is_too_flaky(flaky, passed):
    return flaky > max(FLAKY_ALLOWED, FLAKY_SHARE * (flaky + passed))


def read_times(path):
    try:
        return json.loads(pathlib.Path(path).read_text())["times"]
    except (OSError, ValueError, KeyError):
        return {}


def run_first(tests, runner, tally, jobs, deadline):
    """Runs each test once; returns the failed ones."""
    def attempt(test):
        return (None, True) if time.monotonic() >= deadline else (runner.run(test), False)

    doubtful = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(attempt, test): test for test in tests}
        for future in concurrent.futures.as_completed(waiting):
            result, is_late = future.result()
            if is_late:
                tally.skip_rest(waiting[future], [])
            elif result and result.is_final:
                tally.add([result])
            elif result:
                doubtful.append([result])
                tally.report(f"{result.test.name} failed; it is run again after the others", result)
    return doubtful


def run_all(tests, options):
    """Runs the tests; add_options() defines the options. Returns the exit code."""
    processes.become_reaper()
    times = {}
    if options.results:
        times = read_times(options.results)
        pathlib.Path(options.results).unlink(missing_ok=True)  # a run that is aborted has none
    unknown = {name: 1e6 - place for place, name in enumerate(LONGEST.read_text().split())}
    tests = sorted(tests, key=lambda test: -times.get(test.name, unknown.get(test.name, test.limit)))
    tally, runner = Tally(options.name, options.verbose), Runner()
    deadline = time.monotonic() + (float("inf") if options.budget is None else options.budget)

    def on_signal(*_):
        runner.end()
        raise KeyboardInterrupt
    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)
    try:
        doubtful = run_first([test for test in tests if not test.is_serial], runner, tally, options.jobs, deadline)
        doubtful += run_first([test for test in tests if test.is_serial], runner, tally, 1, deadline)
        for tries in doubtful:
            while len(tries) < TRIES and not tries[-1].is_final and time.monotonic() < deadline:
                tries.append(runner.run(tries[0].test))
            if tries[-1].is_final or len(tries) == TRIES:
                tally.add(tries)
            else:
                tally.skip_rest(tries[0].test, tries)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        runner.end()
        if options.times:
            print_times(tally.results())
        print("interrupted")
        return 130
    results = tally.results()
    if options.times:
        print_times(results)
    if options.results:
        pathlib.Path(options.results).parent.mkdir(parents=True, exist_ok=True)
        results["times"] = {**times, **results["times"]}
        pathlib.Path(options.results).write_text(json.dumps(results, indent=1))
    return close([results])


def print_times(results):
    """Prints what each test cost, the dearest first. What passed beyond the processor's time was waiting, or another's turn."""
    print(f"{'cpu s':>8} {'other s':>8}  test")
    rows = [(cpu, results["times"][name] - cpu, name) for name, cpu in results["cpu"].items()]
    for cpu, other, name in sorted(rows, key=lambda row: -(row[0] + max(0, row[1]))):
        print(f"{cpu:8.1f} {other:8.1f}  {name}")
    print(f"{sum(row[0] for row in rows):8.1f} {sum(row[1] for row in rows):8.1f}  {len(rows)} tests")


def close(all_results):
    """Prints the combined result of the runs in a few lines, and returns the exit code."""
    lines, passed, failed, flaky, skipped = [], 0, 0, 0, 0
    for results in all_results:
        counts = [f"{results['passed']} passed", f"{len(results['failed'])} failed"]
        counts += [f"{len(results[key])} {word}" for key, word in (("flaky", "flaky"), ("skipped", "skipped"),
                                                                 ("notRun", "not run")) if results[key]]
        print(f"{results['name']}: {', '.join(counts)} in {results['seconds']:.0f} s")
        passed += results["passed"] + len(results["flaky"])
        failed, flaky = failed + len(results["failed"]), flaky + len(results["flaky"])
        skipped += len(results["skipped"])
        for word, key in (("FAILED", "failed"), ("FLAKY", "flaky")):
            lines += [[f"{word} {entry['name']}", *("    " + why for why in entry["why"]),
                       f"    again: {entry['repeat']}"] for entry in results[key]]
        if results["notRun"]:
            lines.append([f"not run in time: {', '.join(results['notRun'])}"[:1000]])
    flat = [line for entry in sorted(lines, key=lambda entry: not entry[0].startswith("FAILED")) for line in entry]
    for line in flat[:REPORT_LINES - 6]:
        print(line)
    if len(flat) > REPORT_LINES - 6:
        print(f"… {len(flat) - REPORT_LINES + 6} lines more of this kind above")
    if is_too_flaky(flaky, passed):
        print(f"{flaky} of {passed + failed} are flaky, which is too many to believe the others")
    if not passed + skipped:
        print("no test was run")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return int(failed > 0 or is_too_flaky(flaky, passed) or not passed + skipped)


def read_names(path):
    return set(pathlib.Path(path).read_text().splitlines())


def is_chosen(name, options):
    """Whether --filter and --names choose the test."""
    return (not options.filter or any(part in name for part in options.filter)) and (
        options.names is None or name in options.names)


def add_options(parser):
    parser.add_argument("--jobs", type=int, default=max(2, os.cpu_count() or 2), help="tests at the same time")
    parser.add_argument("--filter", action="extend", nargs="+", default=[], metavar="TEXT",
                        help="only tests with this in their name; several may be given")
    parser.add_argument("--names", type=read_names, metavar="FILE", help="only tests that it names, one a line")
    parser.add_argument("--verbose", action="store_true", help="name the tests that pass, too")
    parser.add_argument("--name", help="what the run is called in its report")
    parser.add_argument("--results", metavar="FILE", help="write counts and times there, as JSON")
    parser.add_argument("--times", action="store_true", help="print a table of what each test cost: processor and waiting")
    parser.add_argument("--budget", type=float, metavar="SECONDS", help="begin no test after this time")


def ctest_tests(build, label, options):
    """Returns the tests of a build directory with a matching label."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, stdout=subprocess.PIPE)
    for entry in json.loads(listed.stdout)["tests"]:
        properties = {item["name"]: item["value"] for item in entry.get("properties", [])}
        labels = properties.get("LABELS", [])
        if any(re.fullmatch(label, one) for one in labels) and is_chosen(entry["name"], options):
            if "command" not in entry:
                sys.exit(f"runner.py: {entry['name']} is not built: ninja -C {build}")
            yield Test(entry["name"], entry["command"], properties.get("TIMEOUT", 60),
                       f"ctest --test-dir {shlex.quote(build)} --output-on-failure -R '^{entry['name']}$'",
                       properties.get("WORKING_DIRECTORY"), properties.get("RUN_SERIAL", False),
                       properties.get("SKIP_RETURN_CODE"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", help="the build directory whose tests are run")
    parser.add_argument("--label", default=".*", help="a regular expression for the labels of tests")
    parser.add_argument("--close", nargs="+", metavar="FILE", help="sum up these results")
    add_options(parser)
    options = parser.parse_args()
    if options.close:
        return close([json.loads(pathlib.Path(path).read_text()) for path in options.close])
    if not options.build:
        parser.error("--build or --close is needed")
    options.name = options.name or f"{options.build} {options.label}"
    return run_all(list(ctest_tests(options.build, options.label, options)), options)


if __name__ == "__main__":
    sys.exit(main())
