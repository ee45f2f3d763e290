#!/usr/bin/python3
"""changed.py names the tests that a file reaches: by a real build of ninja, and by the folders of the cases that there are."""
import pathlib
import subprocess
import tempfile
import unittest

import changed

RULES = """rule cc
  command = gcc -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule ld
  command = gcc $in -o $out
rule embed
  command = cp $in $out
build text.c: embed ../source/text.txt
build a.o: cc ../source/a.c
build b.o: cc ../source/b.c
build text.o: cc text.c
build test_a: ld a.o text.o
build test_b: ld b.o
"""
SOURCES = {"common.h": "int f(void);\n", "only_a.h": "int g(void);\n", "text.txt": "int g(void) { return 0; }\n",
           "a.c": '#include "common.h"\n#include "only_a.h"\nint main(void) { return g(); }\n',
           "b.c": '#include "common.h"\nint main(void) { return 0; }\n'}


class Tests(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name).resolve()
        self.build = self.root / "build"
        self.build.mkdir()
        (self.root / "source").mkdir()
        for name, text in SOURCES.items():
            (self.root / "source" / name).write_text(text)
        (self.build / "build.ninja").write_text(RULES)
        subprocess.run(["ninja"], cwd=self.build, check=True, stdout=subprocess.DEVNULL)
        self.tests = [(name, [str(self.build / name)]) for name in ("test_a", "test_b")] + [("script", ["/usr/bin/python3"])]

    def expect(self, paths, *names):
        graph = changed.Graph(self.build, self.root)
        self.assertEqual(changed.reached_tests(paths, self.tests, graph), [*names, "script"], paths)

    def test_sources_headers_and_what_is_embedded(self):
        for path, names in (("a.c", "a"), ("b.c", "b"), ("only_a.h", "a"), ("text.txt", "a"), ("common.h", "ab")):
            self.expect([f"source/{path}"], *(f"test_{name}" for name in names))
        self.expect(["source/only_a.h", "source/b.c"], "test_a", "test_b")

    def test_files_of_no_program(self):
        for path in ("docs/a.md", "README.md", "tests/e2e/run.py", "tests/e2e/cases/x/case.py"):
            self.expect([path])
        for path in ("CMakeLists.txt", "source/new.c", "fixtures/x.json", "tests/e2e/CMakeLists.txt"):
            self.expect([path], "test_a", "test_b")

    def test_changed_files(self):
        def git(*words):
            subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words], cwd=self.root, check=True,
                           stdout=subprocess.DEVNULL)
        git("init", "-q", "-b", "main")
        git("add", "source")
        git("commit", "-q", "-m", "first")
        git("checkout", "-q", "-b", "work")
        git("rm", "-q", "source/b.c")
        git("commit", "-q", "-m", "second")
        (self.root / "source" / "a.c").write_text("int main(void) { return 1; }\n")
        (self.root / "source" / "new.c").write_text("")
        (self.root / ".gitignore").write_text("build\n")
        self.assertEqual(changed.changed_files("main", self.root), [".gitignore", "source/a.c", "source/b.c", "source/new.c"])


class Cases(unittest.TestCase):
    def setUp(self):
        self.all = set(changed.reached_cases(["CMakeLists.txt"]))

    def test_what_reaches_all(self):
        folders = {path.name for path in (changed.ROOT / "tests" / "e2e" / "cases").iterdir() if path.is_dir()}
        self.assertEqual(self.all, folders)
        for path in ("runner/page/element/input.c", "runner/new_folder/x.c", "fixtures/pages/index.html", "tests/e2e/harness.py",
                     "tests/e2e/matchers.py", "tests/runner.py"):
            self.assertEqual(set(changed.reached_cases([path])), self.all, path)

    def expect(self, path, reached, others):
        names = set(changed.reached_cases([path]))
        self.assertLessEqual(set(reached), names, path)
        self.assertFalse(set(others) & names, path)
        self.assertLessEqual(set(reached) | set(others), self.all)

    def test_folders_of_one_side(self):
        self.expect("runner/servers/brop/tab.c", ["brop-commands", "cdp-beside", "docs-protocols", "readme"], ["click-options", "mcp-http"])
        self.expect("runner/servers/debug_bridge/app/x.c", ["bridge-app", "bridge-relay"], ["click-options", "brop-written"])
        self.expect("runner/checks/report/page.c", ["check-outcomes", "report-page"], ["click-options", "mcp-http"])
        self.expect("runner/servers/backend/room.c", ["serve-actions", "cancel-clean"], ["click-options"])
        self.expect("runner/servers/local/daemon.c", ["act-delta", "warm-act", "mcp-http", "console-pages"], ["click-options"])
        self.expect("docs/mcp.md", ["docs-agents", "mcp-conformance"], ["click-options"])
        for side in changed.SIDES:
            self.assertTrue((changed.ROOT / side).is_dir(), side)

    def test_cases_and_what_they_import(self):
        self.expect("tests/e2e/cases/click-options/batch.xml", ["click-options"], ["click-emoji"])
        self.expect("tests/e2e/cases/snapshot-and-role/case.py", ["snapshot-and-role", "snapshot-and-role-all"], ["click-options"])
        self.expect("tests/e2e/endpoint.py", ["cdp-beside"], ["click-options"])
        self.expect("tests/e2e/served.py", ["serve-actions", "brop-commands"], ["click-options"])  # brop-commands by way of broped.py
        self.assertEqual(changed.reached_cases(["tests/unit/test_png.c", "fixtures/fuzz/fuzz_png/x", "fixtures/cases/xml.txt"]), [])

    def test_several_files(self):
        one, other = ("runner/servers/brop/tab.c", "tests/e2e/cases/click-options/batch.xml")
        both = changed.reached_cases([one, other])
        self.assertEqual(both, sorted({*changed.reached_cases([one]), "click-options"}))


if __name__ == "__main__":
    unittest.main()
