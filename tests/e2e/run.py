#!/usr/bin/python3
"""Runs the end-to-end cases against a real browser-runner and a real Chrome.

    tests/e2e/run.py --binary build/dev/browser-runner [--filter NAME…] [--tier gate|long|timing]… [--list]
    tests/e2e/run.py --binary … --ctest build/dev:e2e                 with the tests in C that have the label e2e

Without --tier and --filter these are the cases of the gate. Which browser a case gets changes by the day
(browsers.py): --day N chooses as on another day, --others what the day does not. How failures are tried again and
reported is in tests/runner.py.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

try:
    import browsers
    import harness
    import workers
except ModuleNotFoundError as error:
    sys.exit(f"run.py: python has no module {error.name}; on Debian: apt-get install python3-{error.name}")
import runner

SKIPPED = 77  # exit code of a worker
TIERS = ("gate", "long", "timing")


class Case:
    """A folder of cases/, and its settings in expect.json or in a line of case.py."""

    def __init__(self, folder):
        self.name = folder.name
        data, script = folder / "expect.json", folder / "case.py"
        self.exists = data.is_file() or script.is_file()
        expect = json.loads(data.read_text()) if data.is_file() else {}
        text = script.read_text() if script.is_file() else ""
        limit = re.search(r"^TIME_LIMIT = (\d+)$", text, re.M)
        tier = re.search(r'^TIER = "(\w+)"', text, re.M)
        browser = re.search(r'^BROWSER = "(\w+)"', text, re.M)
        self.limit = expect.get("timeLimit") or int(limit[1] if limit else harness.TIME_LIMIT)
        self.tier = expect.get("tier") or (tier[1] if tier else "gate")
        self.browser = expect.get("browser") or (browser[1] if browser else "chrome")
        if not limit and re.search(r"^TIME_LIMIT\b", text, re.M):
            sys.exit(f"run.py: {script}: TIME_LIMIT is not a number")
        for value, values in ((self.tier, TIERS), (self.browser, browsers.NEEDS)):
            if value not in values:
                sys.exit(f"run.py: {folder}: \"{value}\" is none of {', '.join(values)}")


def find_cases(options):
    tiers = options.tier or (TIERS if options.filter else ("gate",))
    cases = [Case(folder) for folder in sorted(options.cases.iterdir()) if folder.is_dir()]
    return [case for case in cases if case.exists and case.tier in tiers
            and (case.browser != "chrome" or not options.others)
            and runner.is_chosen(case.name, options)]


def make_test(case, options, choice, pool, nursery):
    """Runs the case in its own process, which is the parent of all that the case starts."""
    command = [__file__, "--binary", options.binary, "--cases", str(options.cases),
               "--worker", case.name]
    command += [flag for flag, given in (("--sandbox", options.sandbox), ("--keep", options.keep)) if given]
    repeat = ["tests/e2e/run.py", "--binary", os.path.relpath(options.binary), "--filter", case.name]
    if case.browser != "chrome":
        repeat += ["--day", str(choice.day)] + (["--others"] if options.others else [])
    program = choice.program(case)
    if program:
        command += ["--chrome", program]

    def around(attempt):
        return pool.use(program, lambda url, tab: attempt("--shared", url, tab))
    return runner.Test(case.name, command, case.limit, shlex.join(repeat), skip_code=SKIPPED,
                       start=nursery.start, around=around if choice.is_shared(case) else None)


def work(options):
    """Runs one case in this process."""
    problems, skipped = harness.execute(options.worker, harness.Options(
        options.binary, options.cases, options.sandbox, options.chrome, options.keep, options.shared))
    for problem in problems:
        print("- " + problem.replace("\n", "\n  "))
    if skipped and not problems:
        print(skipped)
    return 1 if problems else SKIPPED if skipped else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", help="the program under test")
    runner.add_options(parser)
    parser.add_argument("--tier", action="append", default=[], choices=TIERS, help="only cases of this kind")
    parser.add_argument("--list", action="store_true", help="print the cases' names and end")
    parser.add_argument("--ctest", action="extend", nargs="+", default=[], metavar="BUILD:LABEL",
                        help="also the tests of a build directory with this label")
    parser.add_argument("--cases", type=pathlib.Path, default=harness.CASES, help="the cases' folder")
    parser.add_argument("--chrome", help="passed on to the program")
    parser.add_argument("--day", type=int, default=browsers.today(), help="choose browsers as on this day (a number)")
    parser.add_argument("--others", action="store_true", help="only cases that have a choice, each with the other browser")
    parser.add_argument("--sandbox", action="store_true", help="keep Chrome's sandbox")
    parser.add_argument("--keep", action="store_true", help="keep the cases' directories")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--shared", nargs=2, help=argparse.SUPPRESS)  # URL of a browser, id of a tab
    options = parser.parse_args()

    if options.list:
        print("\n".join(case.name for case in find_cases(options)))
        return 0
    if not options.binary:
        parser.error("--binary is needed")
    options.binary = str(pathlib.Path(options.binary).resolve())
    if not os.access(options.binary, os.X_OK):
        parser.error(f"{options.binary} cannot be executed")
    for place in options.ctest:
        if ":" not in place:
            parser.error(f"--ctest {place}: its label is missing: --ctest {place}:e2e")
    if options.worker:
        return work(options)
    cases = find_cases(options)
    tests = [test for place in options.ctest for test in runner.ctest_tests(*place.rsplit(":", 1), options)]
    if not cases and not tests and options.filter:
        parser.error("no case has such a name")
    options.name = options.name or "end to end"
    runner.processes.become_reaper()
    nursery = workers.Nursery()
    choice, pool = browsers.Choice(options.day, options.others, options.chrome), browsers.Pool(options.binary)
    print(choice.describe(cases), flush=True)
    try:
        tests += [make_test(case, options, choice, pool, nursery) for case in cases]
        return runner.run_all(tests, options)
    finally:
        pool.end()


if __name__ == "__main__":
    sys.exit(main())
