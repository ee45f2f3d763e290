#!/usr/bin/env python3
"""Counts what makes the sources hard to read, and fails if a count has risen.

    house.py [SOURCE]            compares with tests/house.json
    house.py [SOURCE] --store    writes the counts of today to tests/house.json
    house.py [SOURCE] --list MEASURE

SOURCE is the root of the sources; by default, those that this file belongs to.

A count may fall and never rise. When one has fallen, the stored count has to be lowered in the same commit, so that
what was gained cannot be lost again. The sources are read as clang-format leaves them.
"""
import collections
import functools
import json
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True

import layers  # noqa: E402

SHORT_FILE = 60
SHORT_HEADER = 40
FOLDER_FILES = 40
ONE_EACH = {"cli", "actions"}  # folders with a file for each command or action, named after it
ROOMS = {"server", "messages", "commands"}  # files that each server has

# A definition: its first line begins in column 0, and "{" stands alone in column 0.
DEFINITION = re.compile(r"^(?!(?:typedef|struct \w+ =|enum|union|#|/| ))([^\n;={}#]*?)\b(\w+)\(([^;{}]*?)\)\n\{", re.MULTILINE)
PROTOTYPE = re.compile(r"^(?!(?:typedef|static|#|/| ))[a-z][^;{}()]*?\b(\w+)\([^{}]*?\)[^;{}()]*;", re.MULTILINE | re.DOTALL)
STRUCT = re.compile(r"^(?:struct|union|enum) (\w+)(?: \w+)* \{", re.MULTILINE)
VARIABLE = re.compile(r"^(?:static )?(?!(?:typedef|return|extern|struct \w+ \{|enum|union|#|/| |\}|static_assert))"
                      r"[a-z]\w*[^;{}()=#]*?[ *](\w+)(?:\[[^\]]*\])*(?: =[^;]*)?;", re.MULTILINE | re.DOTALL)
# A forward declaration of a struct is no variable; in "const char *name" only what the pointer points to is constant.
CONSTANT = re.compile(r"^struct \w+;|\bconst (?:struct )?\w+ \w+\b|\*const \w+|\bconst \w+\[")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
# The name of a function that is used; tags and members may have the same name.
NAME = re.compile(r"(?<!\bstruct )(?<!->)(?<!\.)\b[a-z_]\w*\b")
FILE_NAME = re.compile(r"(?<![\w.])[a-z]\w*\.[ch]\b")
WORD = re.compile(r"\b[A-Za-z_]\w*\b")


class Source:
    """A file: its text, and the text without comments and without the contents of literals."""

    def __init__(self, root, path):
        self.root, self.place = root, str(path.relative_to(root))
        self.text = path.read_text()
        self.code = COMMENT.sub(lambda match: '""' if match[0][0] in "\"'" else " ", self.text)
        self.lines = self.text.count("\n")
        self.stem, self.folder = path.stem, path.parent.name
        self.folder_place = self.place.rpartition("/")[0]
        self.module = f"{self.folder_place}/{self.stem}"
        self.is_header = path.suffix == ".h"

    @functools.cached_property
    def functions(self):
        """Returns the functions that the file defines: name, and whether it is static."""
        return [(match[2], "static" in match[1].split()) for match in DEFINITION.finditer(self.code)]

    @functools.cached_property
    def comments(self):
        return "\n".join(match[0] for match in COMMENT.finditer(self.text) if match[0][0] == "/")

    @functools.cached_property
    def words(self):
        return collections.Counter(WORD.findall(self.code))


def short_files(sources):
    return [source.place for source in sources if source.lines < SHORT_FILE]


def short_headers(sources):
    return [source.place for source in sources if source.is_header and source.lines <= SHORT_HEADER]


def headers_of_one_function(sources):
    return [source.place for source in sources
            if source.is_header and len(PROTOTYPE.findall(source.code)) == 1]


def twins(found):
    """Returns the places of names that stand in several files."""
    places = collections.defaultdict(set)
    for name, place in found:
        places[name].add(place)
    return [f"{name}: {', '.join(sorted(files))}" for name, files in sorted(places.items()) if len(files) > 1]


def twin_structs(sources):
    return twins((name, source.place) for source in sources for name in STRUCT.findall(source.code))


def twin_stems(sources):
    return twins((source.stem, source.place) for source in sources
                 if not source.is_header and source.stem not in ROOMS and source.folder not in ONE_EACH)


def functions_without_caller(sources):
    """Names that nothing in the product mentions but their declaration and definition."""
    mentions = collections.Counter()
    for source in sources:
        mentions.update(source.words)
    declared = collections.Counter(name for source in sources if source.is_header
                                   for name in PROTOTYPE.findall(source.code))
    return [f"{source.place}: {name}" for source in sources for name, _ in source.functions
            if mentions[name] <= 1 + declared[name] and not name.startswith("br_") and name != "main"]


def leads_to(name, source):
    """Whether the prefix of a function's name is the stem of its file, or what the file's folder and stem are together."""
    name = name.removeprefix("br_")
    stems = {source.stem, source.stem.removesuffix("s"), f"{source.folder}_{source.stem}"}
    return source.stem == "server" or any(name == stem or name.startswith(stem + "_") for stem in stems)


def functions_elsewhere(sources):
    return [f"{source.place}: {name}" for source in sources for name, is_static in source.functions
            if not is_static and name != "main" and not leads_to(name, source)]


def in_circles(sources):
    """Files of one folder that call each other in a circle; a header and its .c count as one."""
    homes = {(source.folder_place, name): source.module for source in sources
             for name, is_static in source.functions if not is_static}
    edges = collections.defaultdict(set)
    for source in sources:
        for name in () if source.is_header else set(NAME.findall(source.code)):
            home = homes.get((source.folder_place, name), source.module)
            if home != source.module:
                edges[source.module].add(home)
    return [f"{file}: with {', '.join(other.rpartition('/')[2] for other in circle if other != file)}"
            for circle in layers.circles_of(edges) for file in circle]


def comments_on_missing_files(sources):
    """Names of C files in comments that no file has: it was renamed or merged. Those of other projects count, too."""
    names = {path.name for top in ("include", "tests", *layers.ROOTS) for path in (sources[0].root / top).rglob("*.[ch]")}
    return [f"{source.place}: {name}" for source in sources
            for name in sorted(set(FILE_NAME.findall(source.comments)) - names)]


def mutable_variables(sources):
    return [f"{source.place}: {match[1]}" for source in sources for match in VARIABLE.finditer(source.code)
            if not source.is_header and not CONSTANT.search(match[0])]


def large_folders(sources):
    counts = collections.Counter(source.folder_place for source in sources)
    return [f"{folder}: {count} files" for folder, count in sorted(counts.items()) if count > FOLDER_FILES]


MEASURES = {
    f"files under {SHORT_FILE} lines": short_files,
    f"headers of at most {SHORT_HEADER} lines": short_headers,
    "headers of one function": headers_of_one_function,
    "structs whose tag is used twice": twin_structs,
    "files whose name is used twice": twin_stems,
    "functions that nothing in the product calls": functions_without_caller,
    "functions whose prefix does not lead to their file": functions_elsewhere,
    "files that call each other in a circle": in_circles,
    "files that are named in comments and are not there": comments_on_missing_files,
    "mutable variables of files": mutable_variables,
    f"folders with more than {FOLDER_FILES} files": large_folders,
}


def changed_since_stored(root):
    """Returns the files that have changed since the counts were stored; None where git cannot tell."""
    def git(*words):
        return subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=True).stdout.split()
    try:
        stored = git("log", "-1", "--format=%H", "--", "tests/house.json")
        return set(git("diff", "--name-only", *stored) + git("ls-files", "--others", "--exclude-standard")) if stored else None
    except (OSError, subprocess.CalledProcessError):
        return None


def compare(root, stored, found):
    """Returns what has to be mended, a line each."""
    problems, changed = [], None
    for measure, entries in found.items():
        before = stored.get(measure, 0)
        if len(entries) > before:
            changed = changed or changed_since_stored(root)
            suspects = [entry for entry in entries if not changed or any(place in entry for place in changed)]
            problems.append(f"{measure}: {len(entries)}, at most {before}. In files that have changed:")
            problems += [f"    {entry}" for entry in (suspects or entries)]
        elif len(entries) < before:
            problems.append(f"{measure}: {len(entries)} instead of {before}: run tests/house.py . --store, and commit tests/house.json")
    return problems


def main(arguments):
    if not arguments or arguments[0].startswith("--"):
        arguments = [pathlib.Path(__file__).parent.parent, *arguments]
    root = pathlib.Path(arguments[0]).resolve()
    sources = [Source(root, path) for path in layers.sources_of(root)]
    found = {measure: count(sources) for measure, count in MEASURES.items()}
    path = root / "tests" / "house.json"
    if arguments[1:2] == ["--list"]:
        print(*found[arguments[2]], sep="\n")
        return 0
    if arguments[1:2] == ["--store"]:
        path.write_text(json.dumps({measure: len(entries) for measure, entries in found.items()}, indent=4) + "\n")
        return 0
    problems = compare(root, json.loads(path.read_text()), found)
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
