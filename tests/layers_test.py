#!/usr/bin/env python3
"""layers.py finds each kind of breach, in a small tree that it finds nothing wrong with."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import layers

TABLE = """\
| folder | what lives there | may use |
|---|---|---|
| `runner/base/` | the ground | include |
| `imaging/` | pictures | base |
| `runner/loop/` | the loop | base |
| `runner/net/` | servers | base, loop |
| `runner/page/core/` | a page | base, loop |
| `runner/page/element/` | what is in it | core, base |
| `runner/cli/` | the program | everything above |
"""
FILES = {
    "docs/architecture.md": TABLE,
    "runner/base/error.h": "#include <browser_runner/error.h>\nint error_set(void);\n",
    "runner/base/error.c": '#include "runner/base/error.h"\nint error_set(void) { return 1; }\n',
    "runner/base/text.h": "int text(void);\n",
    "runner/base/text.c": '#include "runner/base/error.h"\nint text(void) { return error_set(); }\n',
    "runner/base/CMakeLists.txt": "br_folder(br_base SOURCES error.c text.c USES Threads::Threads)\n",
    "imaging/png.c": '#include "runner/base/error.h"\n#include <png.h>\n',
    "imaging/CMakeLists.txt": "br_folder(br_imaging SOURCES png.c USES br_base PkgConfig::PNG)\n",
    "runner/page/core/wire.h": '#include "runner/base/error.h"\n',
    "runner/page/element/node.h": '#include "runner/page/core/wire.h"\n',
    "runner/loop/loop.c": "#include <libwebsockets.h>\n",
    "runner/net/web.h": "#include <libwebsockets.h>\n",
    "runner/page/CMakeLists.txt": "br_folder(br_page SOURCES core/wire.c USES br_base)\n",
    "runner/cli/main.c": '#include "runner/page/element/node.h"\n#include <browser_runner/error.h>\n',
}


class Layers(unittest.TestCase):
    def setUp(self):
        self.tree = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.tree)
        for place, text in FILES.items():
            self.write(place, text)

    def write(self, place, text):
        path = self.tree / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def compile(self):
        commands = []
        build = self.tree / "build"
        build.mkdir()
        for path in [*self.tree.glob("runner/base/*.c"), *self.tree.glob("runner/page/*/*.c")]:
            output = path.name + ".o"
            commands.append({"file": str(path), "command": f"cc -o {output} -c"})
            subprocess.run(["cc", "-w", "-I", str(self.tree), "-I", str(INCLUDE), "-c", str(path), "-o",
                            str(build / output)], check=True)
        (build / "compile_commands.json").write_text(json.dumps(commands))
        return build

    def assert_broken(self, *parts, build=None):
        problems = layers.check(self.tree, build)
        self.assertEqual(len(problems), 1, problems)
        for part in parts:
            self.assertIn(part, problems[0])

    def test_a_tree_that_holds(self):
        self.assertEqual(layers.check(self.tree, self.compile()), [])

    def test_an_include_upwards(self):
        self.write("runner/base/error.c", '#include "runner/page/core/wire.h"\n')
        problems = layers.check(self.tree)
        self.assertTrue(any("runner/base/error.c includes runner/page/core/wire.h" in one for one in problems))

    def test_an_include_of_what_only_a_folder_below_may_use(self):
        self.write("docs/architecture.md", TABLE.replace("| core, base |", "| core |"))
        self.write("runner/page/element/node.c", '#include "runner/base/text.h"\n')
        self.assert_broken("runner/page/element/node.c includes runner/base/text.h")

    def test_a_public_header_where_the_row_has_no_include(self):
        self.write("imaging/png.c", "#include <browser_runner/image.h>\n")
        self.assert_broken("imaging/png.c includes browser_runner/image.h")

    def test_the_header_of_a_library_elsewhere(self):
        self.write("runner/cli/main.c", "#include <png.h>\n")
        self.assert_broken("runner/cli/main.c includes png.h, which belongs to imaging")

    def test_a_link_that_the_row_does_not_allow(self):
        self.write("imaging/CMakeLists.txt", "br_folder(br_imaging SOURCES png.c USES br_base br_page)\n")
        self.assert_broken("imaging/CMakeLists.txt links br_page")

    def test_a_folder_that_is_not_in_the_table(self):
        self.write("runner/new/new.c", "\n")
        self.assert_broken("runner/new/new.c: its folder is not in the table")

    def test_a_row_without_sources(self):
        self.write("docs/architecture.md", TABLE + "| `runner/gone/` | nothing | base |\n")
        self.assert_broken("runner/gone is in the table and has no sources")

    def test_a_row_that_names_what_is_not_below_it(self):
        self.write("docs/architecture.md", TABLE.replace("pictures | base |", "pictures | base, cli |"))
        self.assert_broken('lets imaging use "cli"')

    def test_libwebsockets_in_a_page(self):
        self.write("runner/page/core/wire.c", "#include <libwebsockets.h>\n")
        self.assert_broken("runner/page/core/wire.c includes libwebsockets.h",
                           "belongs to runner/loop, runner/net")

    def test_a_circle_of_headers(self):
        self.write("runner/base/text.h", '#include "runner/base/error.h"\nint text(void);\n')
        self.write("runner/base/error.h", '#include <browser_runner/error.h>\n#include "runner/base/text.h"\n')
        self.assert_broken("a circle of 2 headers", "runner/base/error.h → runner/base/text.h",
                           "runner/base/text.h → runner/base/error.h")

    def test_files_of_a_folder_may_lean_on_each_other(self):
        self.write("runner/base/error.c",
                   '#include "runner/base/text.h"\nint error_set(void);\nint error_set(void) { return text(); }\n')
        self.assertEqual(layers.check(self.tree, self.compile()), [])

    def test_a_circle_of_folders_by_a_call_that_no_include_shows(self):
        self.write("runner/page/core/wire.c", "int text(void);\nint wire(void) { return text(); }\n")
        self.write("runner/base/error.c", "int wire(void);\nint error_set(void) { return wire(); }\n")
        self.assertEqual(layers.check(self.tree), [])
        self.assert_broken("a circle of 2 folders", "runner/base → runner/page/core",
                           "runner/page/core → runner/base", build=self.compile())


if __name__ == "__main__":
    INCLUDE = pathlib.Path(sys.argv.pop(1)) / "include"
    unittest.main()
