#!/usr/bin/env python3
"""What the shells complete, in the shells themselves; and the manual pages, by mandoc.

    completion_test.py BINARY MAN-DIRECTORY
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

BINARY = MAN = None

BASH = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_browser_runner
printf '%s\\n' "${COMPREPLY[@]}"
"""


def output(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30, **options).stdout


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        for shell in ("bash", "zsh", "fish"):
            path = pathlib.Path(cls.directory.name, shell)
            path.write_text(output(BINARY, "completion", shell))

    def script(self, shell):
        return str(pathlib.Path(self.directory.name, shell))

    def bash(self, *words):
        # Without a daemon, and with a stand-in that reports sessions like the program.
        stand_in = "browser-runner() { [ \"$*\" = 'session list --names' ] && printf 'shop\\ndesk\\n'; }\n"
        return output("bash", "--norc", "-c", stand_in + BASH, "bash", self.script("bash"), *words).split()

    def fish(self, line):
        found = output("fish", "--no-config", "-c", f"source {self.script('fish')}; complete -C '{line}'",
                       env={"HOME": self.directory.name, "PATH": "/usr/bin:/bin"})
        return [row.split("\t")[0] for row in found.splitlines()]

    def test_bash_commands(self):
        found = self.bash("browser-runner", "s")
        self.assertEqual(sorted(found), ["schema", "serve", "session", "shot", "skill", "snapshot", "submit"])

    def test_bash_options(self):
        self.assertIn("--full-page", self.bash("browser-runner", "shot", "--fu"))
        self.assertNotIn("--full-page", self.bash("browser-runner", "run", "--fu"))

    def test_bash_words(self):
        self.assertEqual(self.bash("browser-runner", "session", "sta"), ["start"])
        self.assertEqual(self.bash("browser-runner", "completion", "z"), ["zsh"])

    def test_bash_actions_and_their_parameters(self):
        self.assertEqual(self.bash("browser-runner", "act", "clic"), ["click"])
        self.assertIn("--click-count", self.bash("browser-runner", "act", "click", "--cli"))
        self.assertNotIn("--click-count", self.bash("browser-runner", "act", "wait", "--cli"))

    def test_bash_sessions(self):
        self.assertEqual(self.bash("browser-runner", "act", "--session", "d"), ["desk"])
        self.assertEqual(sorted(self.bash("browser-runner", "session", "stop", "")), ["desk", "shop"])

    def test_bash_files(self):
        pathlib.Path(self.directory.name, "page.jpg").touch()
        prefix = self.directory.name + "/pa"
        self.assertEqual(self.bash("browser-runner", "shot", "--output", prefix), [prefix + "ge.jpg"])

    def test_zsh_reads_it(self):
        output("zsh", "-f", "-c", f"autoload -U compinit; compinit -D; source {self.script('zsh')}; "
                                  "(( $+functions[_browser_runner] ))")

    def test_fish(self):
        self.assertIn("snapshot", self.fish("browser-runner sn"))
        self.assertIn("--full-page", self.fish("browser-runner shot --fu"))
        self.assertIn("click", self.fish("browser-runner act cl"))
        self.assertIn("stop", self.fish("browser-runner session st"))

    def test_another_shell_is_refused(self):
        result = subprocess.run([BINARY, "completion", "tcsh"], capture_output=True, text=True, timeout=30)
        self.assertEqual(result.returncode, 2)
        self.assertIn("bash, zsh or fish", result.stderr)


class Manual(unittest.TestCase):
    def test_a_page_for_each_command(self):
        commands = self.commands()
        pages = {path.name for path in pathlib.Path(MAN).glob("*.1")}
        self.assertEqual(pages, {"browser-runner.1"} | {f"browser-runner-{name}.1" for name in commands})

    def commands(self):
        lines = output(BINARY, "--help").splitlines()
        begin = lines.index("Commands:") + 1
        return [line.split()[0] for line in lines[begin:lines.index("", begin)]]

    def test_pages_are_well_formed(self):
        pages = sorted(str(path) for path in pathlib.Path(MAN).glob("*.1"))
        result = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *pages], capture_output=True,
                                text=True, timeout=30)
        # None contains a date: two builds are equal.
        problems = [line for line in result.stdout.splitlines() if "missing date" not in line]
        self.assertEqual(problems, [])

    def test_a_page_has_its_options(self):
        page = output("mandoc", "-T", "utf8", str(pathlib.Path(MAN, "browser-runner-act.1")))
        plain = "".join(c for i, c in enumerate(page) if c != "\b" and page[i + 1:i + 2] != "\b")
        self.assertIn("--no-autostart", plain)
        self.assertIn('browser-runner act click "Sign in"', plain)
        self.assertIn("browser-runner-session(1)", plain)


if __name__ == "__main__":
    BINARY, MAN = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1], verbosity=1)
