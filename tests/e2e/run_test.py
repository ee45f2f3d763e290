#!/usr/bin/python3
"""What run.py says and returns of cases that fail once, always or never. Needs no browser."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

RUN = pathlib.Path(__file__).with_name("run.py")
PASSES = "def run(ctx):\n    pass\n"
FAILS = "def run(ctx):\n    ctx.problem('it is broken')\n"
SKIPS = "import harness\ndef run(ctx):\n    raise harness.Skip('not here')\n"
# Leaves a mark beside itself, and fails while there is none.
FAILS_ONCE = """import pathlib
def run(ctx):
    mark = pathlib.Path(__file__).with_name('mark')
    if not mark.exists():
        mark.touch()
        ctx.problem('it was too slow')
"""


class RunTest(unittest.TestCase):
    def run_cases(self, known=(), **cases):
        with tempfile.TemporaryDirectory() as parent:
            folder = pathlib.Path(parent) / "cases"
            folder.mkdir()
            (pathlib.Path(parent) / "flaky").write_text(
                "# name, since when, why\n" + "".join(f"{name} 2026-11-23 a race of its own\n" for name in known))
            for name, text in cases.items():
                case = pathlib.Path(folder) / name
                case.mkdir()
                (case / "case.py").write_text(text)
            ended = subprocess.run([sys.executable, RUN, "--binary", "/bin/true", "--cases", folder],
                                   stdout=subprocess.PIPE, text=True, timeout=120)
        return ended.returncode, ended.stdout

    def test_all_pass(self):
        code, output = self.run_cases(one=PASSES, two=PASSES, three=SKIPS)
        self.assertEqual((code, output.splitlines()[-1]), (0, "2 passed, 0 failed, 0 flaky, 1 skipped"))

    def test_fails_twice(self):
        code, output = self.run_cases(good=PASSES, bad=FAILS)
        self.assertEqual((code, output.splitlines()[-1]), (1, "1 passed, 1 failed, 0 flaky"))
        self.assertRegex(output, r"(?m)^FAILED bad \(")
        self.assertIn("it is broken", output)

    def test_fails_once(self):
        code, output = self.run_cases(known=["shy"], good=PASSES, shy=FAILS_ONCE)
        self.assertEqual((code, output.splitlines()[-1]), (0, "1 passed, 0 failed, 1 flaky"))
        self.assertRegex(output, r"(?m)^FLAKY shy \(.*\n  - it was too slow")
        self.assertIsNone(re.search("^FAILED", output, re.M))

    def test_one_that_is_not_listed_fails_once(self):
        code, output = self.run_cases(known=["other"], good=PASSES, shy=FAILS_ONCE)
        self.assertEqual((code, output.splitlines()[-1]), (0, "1 passed, 0 failed, 1 flaky"))
        self.assertRegex(output, r"(?m)^FLAKY, and not listed: shy \(.*\n  - it was too slow")

    def test_two_that_are_not_listed_fail_once(self):
        code, output = self.run_cases(known=["other"], shy=FAILS_ONCE, slow=FAILS_ONCE)
        self.assertEqual(code, 1)
        self.assertIn("0 passed, 0 failed, 2 flaky", output)

    def test_too_many_fail_once(self):
        code, output = self.run_cases(known="abc", **{name: FAILS_ONCE for name in "abc"}, good=PASSES)
        self.assertEqual(code, 1)
        self.assertIn("1 passed, 0 failed, 3 flaky", output)


if __name__ == "__main__":
    unittest.main()
