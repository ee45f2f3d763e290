#!/usr/bin/python3
"""What runner.py and the runner of the end-to-end cases say and return. Needs no browser."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PASSES = "def run(ctx):\n    pass\n"
FAILS = "def run(ctx):\n    ctx.problem('it is broken')\n"
SKIPS = "import harness\ndef run(ctx):\n    raise harness.Skip('not here')\n"
HANGS = """TIME_LIMIT = 1
import pathlib, time
def run(ctx):
    pathlib.Path(__file__).with_name('began').touch()
    time.sleep(60)
"""
LEAKS = "import subprocess\ndef run(ctx):\n    ctx.leak = subprocess.Popen(['sleep', '60'], start_new_session=True)\n"
IS_SICK = "def run(ctx):\n    ctx.problem('SUMMARY: AddressSanitizer: heap-use-after-free')\n"


def fails(times):
    """A case that leaves marks beside itself, and fails while there are not enough of them."""
    return f"""import pathlib
def run(ctx):
    marks = list(pathlib.Path(__file__).parent.glob('mark*'))
    if len(marks) < {times}:
        pathlib.Path(__file__).with_name(f'mark{{len(marks)}}').touch()
        ctx.problem('it was too slow')
"""


class RunTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)
        self.results = self.place / "results" / "cases.json"

    def start(self, *args, **cases):
        folder = self.place / "cases"
        for name, text in cases.items():
            (folder / name).mkdir(parents=True)
            (folder / name / "case.py").write_text(text)
        return subprocess.Popen([sys.executable, HERE / "e2e" / "run.py", "--binary", "/bin/true", "--cases", folder,
                                 "--results", self.results, *args], stdout=subprocess.PIPE, text=True,
                                env={**os.environ, "BR_TEST_SLOWNESS": "1"})

    def run_cases(self, *args, **cases):
        process = self.start(*args, **cases)
        output, _ = process.communicate(timeout=120)
        return process.returncode, output

    def last(self, output):
        return output.splitlines()[-1]

    def test_all_pass(self):
        code, output = self.run_cases(one=PASSES, two=PASSES, three=SKIPS)
        self.assertEqual((code, self.last(output)), (0, "2 passed, 0 failed, 1 skipped"))
        self.assertIn("skipped three: not here", output)

    def test_fails_each_time(self):
        code, output = self.run_cases(good=PASSES, bad=FAILS)
        self.assertEqual((code, self.last(output)), (1, "1 passed, 1 failed"))
        self.assertRegex(output, r"(?m)^FAILED bad \(3 of 3 tries")
        self.assertRegex(output, r"FAILED bad\n    - it is broken\n    again: tests/e2e/run.py .*--filter bad\n")

    def test_passes_at_its_second_or_third_try(self):
        code, output = self.run_cases(good=PASSES, shy=fails(1), shyer=fails(2))
        self.assertEqual((code, self.last(output)), (0, "3 passed, 0 failed"))
        self.assertRegex(output, r"(?m)^shy failed; it is run again after the others\n    - it was too slow")
        self.assertRegex(output, r"(?m)^FLAKY shy \(failed 1 of 2 tries\)")
        self.assertRegex(output, r"(?m)^FLAKY shyer \(failed 2 of 3 tries\)")

    def test_too_many_pass_at_their_second_try(self):
        code, output = self.run_cases(**{name: fails(1) for name in "abc"}, good=PASSES)
        self.assertEqual(code, 1)
        self.assertIn("3 of 4 are flaky", output)

    def test_a_report_of_a_sanitizer_is_not_tried_again(self):
        code, output = self.run_cases(good=PASSES, sick=IS_SICK)
        self.assertEqual(code, 1)
        self.assertRegex(output, r"(?m)^FAILED sick \(1 of 1 tries")

    def test_one_that_hangs_takes_no_other_along(self):
        code, output = self.run_cases(good=PASSES, stuck=HANGS)
        self.assertEqual((code, self.last(output)), (1, "1 passed, 1 failed"))
        self.assertRegex(output, r"not done after \d+ s")

    def test_what_a_case_starts_is_ended(self):
        code, output = self.run_cases(leaky=LEAKS)
        self.assertEqual(code, 1)
        self.assertRegex(output, r"1 processes left")

    def test_only_the_gate_unless_said(self):
        cases = dict(quick=PASSES, slow='TIER = "long"\n' + PASSES, fast='TIER = "timing"\n' + PASSES)
        code, output = self.run_cases("--verbose", **cases)
        self.assertEqual((code, self.last(output)), (0, "1 passed, 0 failed"))
        self.assertIn("passed quick", output)

    def test_only_those_that_a_file_names(self):
        names = self.place / "names"
        names.write_text("one\nunit/three\n")
        code, output = self.run_cases("--verbose", "--names", str(names), one=PASSES, one_more=PASSES, two=PASSES)
        self.assertEqual((code, self.last(output)), (0, "1 passed, 0 failed"))
        self.assertIn("passed one (", output)

    def test_no_test_begins_after_the_budget(self):
        code, output = self.run_cases("--budget", "0", one=PASSES, two=PASSES)
        self.assertEqual(code, 1)
        self.assertIn("not run in time: one, two", output)
        self.assertIn("no test was run", output)

    def test_interrupted(self):
        process = self.start("--verbose", "--jobs", "1", long=HANGS.replace("TIME_LIMIT = 1", "TIME_LIMIT = 90"))
        deadline = time.monotonic() + 60
        while not (self.place / "cases" / "long" / "began").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, self.last(output)), (130, "interrupted"))

    def test_times_are_listed_the_dearest_first(self):
        busy = "import time\ndef run(ctx):\n    while time.process_time() < 1.5:\n        pass\n"
        code, output = self.run_cases("--times", quick=PASSES, busy=busy)
        self.assertEqual(code, 0)
        rows = [line.split() for line in output.splitlines() if len(line.split()) == 3]
        self.assertEqual([row[2] for row in rows], ["test", "busy", "quick"][-len(rows):])
        self.assertGreater(float(rows[-2][0]), 1.4)
        self.assertLess(float(rows[-1][0]), 1.4)
        told = json.loads(self.results.read_text())
        self.assertGreater(told["cpu"]["busy"], 1.4)

    def test_the_longest_begin_first(self):
        sys.path.insert(0, str(HERE))
        import runner
        longest = runner.LONGEST.read_text().split()
        for name in longest:
            is_there = any(HERE.rglob(name.split("/")[1] + ".*")) if "/" in name else (HERE / "e2e" / "cases" / name).is_dir()
            self.assertTrue(is_there, name)
        cases = [name for name in longest if "/" not in name][:4]
        _, output = self.run_cases("--jobs", "1", "--verbose", **{name: PASSES for name in ("a", *cases)})
        self.assertEqual(re.findall(r"passed (\S+) \(", output), [*cases, "a"])

    def test_load_gives_more_time(self):
        sys.path.insert(0, str(HERE))
        import runner
        stat = self.place / "stat"
        stat.write_text(f"cpu 1\nprocs_running {6 * (os.cpu_count() or 1)}\n")
        load = runner.Load(stat, period=0.01, average=0.1)
        deadline = time.monotonic() + 60
        while load.slowness() != max(runner.SLOWNESS, 2) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertEqual(load.slowness(), max(runner.SLOWNESS, 2))

    def test_results_are_summed_up(self):
        self.run_cases(good=PASSES, bad=FAILS)
        told = json.loads(self.results.read_text())
        self.assertEqual((told["passed"], len(told["failed"])), (1, 1))
        other = {**told, "name": "other", "failed": [], "passed": 3}
        (self.place / "other.json").write_text(json.dumps(other))
        ended = subprocess.run([sys.executable, HERE / "runner.py", "--close", self.results, self.place / "other.json"],
                               stdout=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual((ended.returncode, self.last(ended.stdout)), (1, "4 passed, 1 failed"))


if __name__ == "__main__":
    unittest.main()
