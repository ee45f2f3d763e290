#!/usr/bin/env python3
"""house.py counts each measure right in a small tree, and refuses a count that has risen or fallen unnoticed."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import house

LONG = "/* */\n" * house.SHORT_FILE
FILES = {
    "runner/net/bucket.h": "struct bucket {\n    int full;\n};\nint bucket_take(struct bucket *bucket,\n                int rate);\n",
    "runner/net/bucket.c": LONG + "int bucket_take(struct bucket *bucket,\n                int rate)\n{\n    return rate;\n}\n",
    "runner/net/queue.h": "int queue_add(void);\nint queue_take(void);\n",
    "runner/net/queue.c": LONG + "static const char *const names[] = { \"a\", \"b;\" };\n\n"
                          "int queue_add(void)\n{\n    return bucket_take(0, names[0][0]);\n}\n\n"
                          "int queue_take(void)\n{\n    return queue_add();\n}\n",
    "runner/cli/main.c": LONG + "int main(void)\n{\n    return queue_take();\n}\n",
}
COUNTS = {"files under 60 lines": 2, "headers of at most 40 lines": 2, "headers of one function": 1}


class House(unittest.TestCase):
    def setUp(self):
        self.tree = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.tree)
        (self.tree / "tests").mkdir()
        for place, text in FILES.items():
            self.write(place, text)

    def write(self, place, text):
        path = self.tree / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_house(self, *words):
        done = subprocess.run([sys.executable, house.__file__, self.tree, *words], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def stored(self):
        return json.loads((self.tree / "tests" / "house.json").read_text())

    def expect_more(self, measure, place, text, entry):
        """Adds the file, and expects that this measure rises by one and names the entry."""
        self.run_house("--store")
        before = self.stored()[measure]
        self.write(place, text)
        code, output = self.run_house()
        self.assertEqual(code, 1)
        self.assertIn(f"{measure}: {before + 1}, at most {before}", output)
        self.assertIn(f"    {entry}\n", output)

    def test_counts(self):
        self.run_house("--store")
        for measure, count in self.stored().items():
            self.assertEqual(count, COUNTS.get(measure, 0), measure)
        self.assertEqual(self.run_house(), (0, ""))

    def test_short_file(self):
        self.expect_more("files under 60 lines", "runner/net/new.c", "\n" * 59, "runner/net/new.c")

    def test_short_header(self):
        self.expect_more("headers of at most 40 lines", "runner/net/new.h", "\n" * 40, "runner/net/new.h")

    def test_header_of_one_function(self):
        self.expect_more("headers of one function", "runner/net/new.h", "int new_one(int (*of)(int));\n", "runner/net/new.h")

    def test_struct_twice(self):
        self.expect_more("structs whose tag is used twice", "runner/cli/twin.c", LONG + "struct bucket {\n    int x;\n};\n",
                         "bucket: runner/cli/twin.c, runner/net/bucket.h")

    def test_file_name_twice(self):
        self.expect_more("files whose name is used twice", "runner/base/queue.c", LONG,
                         "queue: runner/base/queue.c, runner/net/queue.c")

    def test_commands_and_rooms_of_servers_may_have_the_same_name(self):
        self.run_house("--store")
        for place in ("runner/cli/queue.c", "runner/servers/mcp/server.c", "runner/servers/cdp/server.c"):
            self.write(place, LONG)
        self.assertEqual(self.run_house(), (0, ""))

    def test_no_caller(self):
        self.expect_more("functions that nothing in the product calls", "runner/net/new.c",
                         LONG + "/* new_idle() is called by tests. */\nint new_idle(void)\n{\n    return 1;\n}\n",
                         "runner/net/new.c: new_idle")

    def test_prefix(self):
        self.expect_more("functions whose prefix does not lead to their file", "runner/cli/new.c",
                         LONG + "int old_one(void)\n{\n    return old_one();\n}\n", "runner/cli/new.c: old_one")

    def test_mutable_variable(self):
        self.expect_more("mutable variables of files", "runner/cli/new.c",
                         LONG + "struct bucket;\nstatic const char *last = \"a;\";\n", "runner/cli/new.c: last")

    def test_circle(self):
        self.write("runner/net/pipe.c", LONG + "int pipe_read(void)\n{\n    return queue_take();\n}\n")
        self.write("runner/cli/main.c", LONG + "int main(void)\n{\n    return queue_take() + pipe_read();\n}\n")
        self.run_house("--store")
        self.assertEqual(self.stored()["files that call each other in a circle"], 0)
        ring = FILES["runner/net/queue.c"].replace("return queue_add()", "return queue_add() + pipe_read()")
        self.write("runner/net/queue.c", ring.replace("pipe_read()", "all->pipe_read + sizeof(struct pipe_read)"))
        self.assertEqual(self.run_house(), (0, ""))
        self.write("runner/net/queue.c", ring)
        code, output = self.run_house()
        self.assertEqual(code, 1)
        self.assertIn("files that call each other in a circle: 2, at most 0", output)
        self.assertIn("    runner/net/pipe: with queue\n", output)

    def test_comment_on_a_missing_file(self):
        self.expect_more("files that are named in comments and are not there", "runner/net/new.c",
                         LONG + "/* As in queue.c, main.c and pipe.h. */\nstatic const char *const name = \"no.h\";\n",
                         "runner/net/new.c: pipe.h")

    def test_large_folder(self):
        for i in range(house.FOLDER_FILES - 4):
            self.write(f"runner/net/file{i}.c", LONG)
        self.expect_more("folders with more than 40 files", "runner/net/more.c", LONG, "runner/net: 41 files")

    def test_a_count_that_has_fallen_is_to_be_stored(self):
        self.run_house("--store")
        self.write("runner/net/queue.h", FILES["runner/net/queue.h"] + "\n" * 40)
        code, output = self.run_house()
        self.assertEqual(code, 1)
        self.assertIn("headers of at most 40 lines: 1 instead of 2: run tests/house.py . --store", output)


if __name__ == "__main__":
    unittest.main()
