#!/usr/bin/python3
"""Writes the names of the tests that a change can reach, one a line, for `./test.sh --changed`.

    tests/changed.py BUILD BASE FILE

The change is all that differs from the commit at which BASE and HEAD parted, also files that are not committed. A test in
C is reached if its program is built from a changed file, as ninja knows after BUILD was built. A case is reached unless
all changed files are in folders of SIDES of which the case has no word. A file about which nothing is known reaches all.
"""
import json
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[1]

# Folders that only some cases reach, and what those have in their files.
SIDES = {
    "runner/checks/": r"check",
    "runner/console/": r"console",
    "runner/servers/backend/": r"actions|serve",
    "runner/servers/brop/": r"brop",
    "runner/servers/cdp/": r"cdp|endpoint",
    "runner/servers/clients/": r"bridge|console",
    "runner/servers/console_bridge/": r"console",
    "runner/servers/debug_bridge/": r"bridge",
    "runner/servers/http/": r"one_shots|--http|http_load",
    "runner/servers/local/": r"\bact\b|console|daemon|mcp|show|warm",
    "runner/servers/mcp/": r"mcp",
    "runner/servers/redis/": r"queued|redis",
}
# These run the commands of documents, which may be any.
RUN_DOCUMENTS = re.compile(r"docs|readme")
# Files that no case reads, and files that no test in C reads unless it is built from them.
NOT_OF_CASES = ("tests/unit/", "tests/integration/", "tests/fuzz/", "tests/bench/", "tests/install/", "fixtures/fuzz/", "fixtures/cdp/",
                "fixtures/cases/")
NOT_OF_TESTS = ("tests/e2e/", "tests/bench/", "tests/install/", "tests/widgets/", "docs/", "tools/", "scripts/")


def lines(*command, cwd=ROOT):
    return subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def changed_files(base, root=ROOT):
    """Returns their paths in the repository, deleted and new ones included."""
    parting = lines("git", "merge-base", base, "HEAD", cwd=root)[0]
    return sorted({*lines("git", "diff", "--name-only", "--no-renames", parting, cwd=root),
                   *lines("git", "ls-files", "--others", "--exclude-standard", cwd=root)})


class Graph:
    """What programs of a build directory are made of."""

    def __init__(self, build, root=ROOT):
        self.build, self.root = pathlib.Path(build).resolve(), pathlib.Path(root).resolve()
        self.headers, output = {}, None
        for line in lines("ninja", "-t", "deps", cwd=self.build):
            if line.startswith("    "):
                self.headers[output].add(self.relative(line.strip()))
            elif line:
                output = line.split(": #deps")[0]
                self.headers[output] = set()

    def relative(self, path):
        """Returns the path in the repository; as it is for files elsewhere."""
        whole = pathlib.Path(*(self.build / path).parts)
        parts = []
        for part in whole.parts:
            if part == "..":
                parts.pop()
            else:
                parts.append(part)
        whole = pathlib.Path(*parts)
        return str(whole.relative_to(self.root)) if whole.is_relative_to(self.root) else str(whole)

    def files(self, program):
        """Returns the sources and headers of a program."""
        target = str(pathlib.Path(program).resolve().relative_to(self.build))
        inputs = lines("ninja", "-t", "inputs", target, cwd=self.build)
        return {self.relative(path) for path in inputs}.union(*(self.headers.get(path, ()) for path in inputs))


def reached_tests(changed, tests, graph):
    """Returns which of the tests, pairs of name and command, the files reach."""
    reached, known = [], set().union(*graph.headers.values())
    for name, command in tests:
        if not pathlib.Path(command[0]).resolve().is_relative_to(graph.build):
            reached.append(name)  # scripts, which read the sources themselves
            continue
        files = graph.files(command[0])
        known |= files
        if not files.isdisjoint(changed):
            reached.append(name)
    if all(path in known or is_not_of_tests(path) for path in changed):
        return reached
    return [name for name, _ in tests]


def is_not_of_tests(path):
    return (path.startswith(NOT_OF_TESTS) or path.endswith(".md")) and not path.endswith((".cmake", "CMakeLists.txt"))


def text_of(case):
    return "\n".join(path.read_text(errors="replace") for path in sorted(case.glob("*")) if path.is_file())


def imported_by(text, modules):
    return {name for name in re.findall(r"^(?:from|import) (\w+)", text, re.M) if name in modules}


def users_of(module, cases, folder):
    """Returns the cases that import the module, directly or not; None if the runner does, so that all depend on it."""
    modules = {path.stem: path.read_text() for path in folder.glob("*.py")}
    users = {module}
    while more := {name for name, text in modules.items() if imported_by(text, users)} - users:
        users |= more
    return None if users & {"run", "harness"} else {name for name, text in cases.items() if imported_by(text, users)}


def reached_cases(changed, folder=ROOT / "tests" / "e2e"):
    """Returns the names of the cases that the files reach."""
    cases = {path.name: text_of(path) for path in sorted((folder / "cases").iterdir()) if path.is_dir()}
    reached = set()
    for path in changed:
        side = max((side for side in SIDES if path.startswith(side)), key=len, default=None)
        name = pathlib.PurePath(path).name
        if path.startswith(NOT_OF_CASES):
            pass
        elif path.startswith("tests/e2e/cases/"):
            case = path.split("/")[3]
            reached |= {one for one, text in cases.items() if one == case or f'"{case}"' in text}
        elif path.startswith("tests/e2e/") and path.endswith(".py"):
            users = users_of(pathlib.PurePath(path).stem, cases, folder)
            reached |= cases.keys() if users is None else users
        elif path.startswith("docs/") or path.endswith(".md"):
            reached |= {one for one, text in cases.items() if RUN_DOCUMENTS.match(one) or "docs" in text or name in text}
        elif side:
            reached |= {one for one, text in cases.items() if RUN_DOCUMENTS.match(one) or re.search(SIDES[side], one + text)}
        else:
            return sorted(cases)
    return sorted(reached)


def main():
    build, base, file = sys.argv[1:]
    changed = changed_files(base)
    listed = json.loads("\n".join(lines("ctest", "--test-dir", build, "--show-only=json-v1")))["tests"]
    tests = [(test["name"], test["command"]) for test in listed if "command" in test]
    reached, cases = reached_tests(changed, tests, Graph(build)) if changed else [], reached_cases(changed)
    pathlib.Path(file).write_text("".join(f"{name}\n" for name in [*reached, *cases]))
    print(f"{len(changed)} files changed since {base}: {len(reached)} of {len(tests)} tests, {len(cases)} cases")


if __name__ == "__main__":
    main()
