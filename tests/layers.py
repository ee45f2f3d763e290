#!/usr/bin/env python3
"""Holds the sources against the table of folders in docs/architecture.md.

    layers.py SOURCE [BUILD]

- A file includes what is in its folder, and in the folders that its row names: these alone, not what
  they may use in turn. A public header <browser_runner/…> needs the word `include` in the row.
- A header of a library belongs to the folders of VENDORS.
- A CMakeLists.txt links (USES) what its row allows.
- No circle of headers by what they include, and none of folders by what their files include. With BUILD,
  where the objects and compile_commands.json are, also by whatever they call, wherever that was declared.
  How the files of one folder call each other is counted by house.py.
Prints what is wrong, a line each, and fails.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

ROW = re.compile(r"^\| `([a-z_/]+)/` \|.*\| ([^|]*) \|$")
INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"]')
ROOTS = ("runner", "imaging", "profiles")
VENDORS = {
    "libwebsockets.h": {"runner/loop", "runner/net"},
    "png.h": {"imaging"},
    "jpeglib.h": {"imaging"},
    "zlib.h": {"imaging"},
    "libdeflate.h": {"imaging"},
    "expat.h": {"runner/formats"},
    "hiredis/hiredis.h": {"runner/servers/redis"},
    "openssl/ssl.h": {"runner/servers/redis"},
}


def read_table(source):
    """Returns the folders, from the bottom to the top, and what each may use; and the errors of the table."""
    rows, problems = {}, []
    for line in (source / "docs" / "architecture.md").read_text().splitlines():
        if not (match := ROW.match(line)):
            continue
        folder, used = match.groups()
        uses = {folder}
        for word in re.findall(r"[a-z_/]+", used):
            found = [row for row in rows if row == word or row.endswith("/" + word)]
            if word == "everything":
                uses.update(rows, {"include"})
            elif word == "include" or len(found) == 1:
                uses.add(found[0] if found else word)
            elif word not in ("above", "nothing"):
                problems.append(f'the table lets {folder} use "{word}", which is no row above it')
        rows[folder] = uses
    return rows, problems


def sources_of(source):
    return sorted(path for root in ROOTS for path in (source / root).rglob("*.[ch]"))


def folder_of(path):
    return str(pathlib.PurePath(path).parent)


def includes_of(path):
    for line in path.read_text().splitlines():
        if match := INCLUDE.match(line):
            yield match.groups()


def check_include(place, folder, uses, header):
    if header.startswith("browser_runner/"):
        return [] if "include" in uses else [f"{place} includes {header}, which its row does not name"]
    if header.split("/")[0] in ROOTS and folder_of(header) not in uses:
        return [f"{place} includes {header}, whose folder its row does not name"]
    if header in VENDORS and folder not in VENDORS[header]:
        return [f"{place} includes {header}, which belongs to {', '.join(sorted(VENDORS[header]))}"]
    return []


def check_includes(source, rows):
    problems = []
    for path in sources_of(source):
        place = str(path.relative_to(source))
        folder = folder_of(place)
        if folder not in rows:
            problems.append(f"{place}: its folder is not in the table")
            continue
        for _, header in includes_of(path):
            problems += check_include(place, folder, rows[folder], header)
    return problems


def check_links(source, rows):
    """USES names targets: br_NAME is the folder NAME, with its subfolders; br_ABOVE_NAME a folder whose name is not
    unique."""
    problems = []
    for path in sorted(path for root in ROOTS for path in (source / root).rglob("CMakeLists.txt")):
        folder = folder_of(path.relative_to(source))
        uses = set().union(*(uses for row, uses in rows.items() if (row + "/").startswith(folder + "/")))
        allowed = {"br_" + part for use in uses for part in use.split("/")}
        allowed |= {"br_" + "_".join(use.split("/")[-2:]) for use in uses}
        line = re.search(r"USES([^)]*)\)", path.read_text())
        for target in re.findall(r"br_[a-z_]+", line[1] if line else ""):
            if target not in allowed:
                problems.append(f"{folder}/CMakeLists.txt links {target}")
    return problems


def check_rows(source, rows):
    return [f"{folder} is in the table and has no sources" for folder in rows
            if not any((source / folder).glob("*.[ch]"))]


def included_edges(source, suffixes=(".c", ".h")):
    edges = collections.defaultdict(set)
    for path in sources_of(source):
        for kind, header in includes_of(path) if path.suffix in suffixes else ():
            if kind == '"' and header.split("/")[0] in ROOTS:
                edges[str(path.relative_to(source))].add(header)
    return edges


def called_edges(source, build):
    """Uses the symbols of the objects: finds files that use a symbol of another file."""
    places = {}
    for command in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(command["file"])
        output = build / re.search(r" -o (\S+)", command["command"])[1]
        if path.is_relative_to(source) and path.relative_to(source).parts[0] in ROOTS and output.is_file():
            places[str(output)] = str(path.relative_to(source))
    symbols = subprocess.run(["nm", "-g", "-A", *places], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^(.+?):.* ([A-Z]) (\S+)$", symbols, re.MULTILINE)
    defined = {name: places[output] for output, kind, name in found if kind != "U"}
    edges = collections.defaultdict(set)
    for output, kind, name in found:
        if kind == "U" and name in defined:
            edges[places[output]].add(defined[name])
    return edges


def circles_of(edges):
    """Returns the strongly connected components of more than one node (Tarjan), the nodes of each in order."""
    index, low, stack, circles = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            part = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(part) > 1:
                circles.append(sorted(part))

    sys.setrecursionlimit(10000)
    for node in sorted(edges):
        if node not in index:
            visit(node)
    return circles


def describe_circles(kind, edges):
    return [f"a circle of {len(circle)} {kind}: " +
            "; ".join(f"{node} → {', '.join(sorted(edges[node] & set(circle) - {node}))}" for node in circle)
            for circle in circles_of(edges)]


def check_circles(source, build):
    folders = collections.defaultdict(set)
    for edges in (included_edges(source), called_edges(source, build) if build else {}):
        for node, others in edges.items():
            folders[folder_of(node)].update(folder_of(other) for other in others)
    return (describe_circles("headers", included_edges(source, (".h",))) +
            describe_circles("folders", folders))


def check(source, build=None):
    rows, problems = read_table(source)
    if not rows:
        return ["docs/architecture.md: the table of folders was not found"]
    return (problems + check_rows(source, rows) + check_includes(source, rows) + check_links(source, rows) +
            check_circles(source, build))


def main():
    problems = check(*(pathlib.Path(argument).resolve() for argument in sys.argv[1:3]))
    print("\n".join(problems) or "the layers hold")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
