"""docs/schema/smoke.schema.json and the reader of suites take the same documents.

Called as: suite_schema.py READER SOURCE [SHARE]. The schema never refuses what the reader takes. The reader
refuses more only for what a schema cannot say, which is listed here. With SHARE, each place gets one
wrong value in SHARE; neighbouring places get different ones."""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import jsonschema

sys.dont_write_bytecode = True
import quick_schema  # noqa: E402

# Problems that the schema cannot express, and the minimum number of documents for each.
BEYOND = {
    r"is relative and there is no \"baseUrl\"": 1,
    r"is no http, https, file, data or about URL": 0,
    r"is no http, https or file URL|is not a plain http or https URL": 1,
    r": (the folder )?/.* does not exist": 1,
    r"viewports\[\d+\]: is unknown": 1,
    r"the same file on file systems|is the name of two checks": 1,
    r"actions(\[\d+\])?(\.file)?: .*(line \d+, column \d+|cannot read|is not a file|no instruction)": 1,
    r"actions\[\d+\]: [a-z]+(\.[^:]+)?: ": 1,
    r"actions\[\d+\]: unknown action type": 0,
    r"is not a time": 1,
    r"a picture of it has \d+ pixels": 1,
    r"is not a separate folder": 1,
    r"\"strict\" is .* and has to be below \"threshold\"": 1,
    r"server: needs a \"url\"": 1,
}

# Every member with a valid value.
WHOLE = {
    "$schema": "./smoke.schema.json",
    "baseUrl": "http://localhost:3000/",
    "server": {"command": ["npm", "start"], "url": "/health", "timeout": 30000, "directory": ".",
               "reuse": False},
    "baselines": "pictures",
    "setup": {"url": "/login", "actions": [{"type": "click", "selector": "#go"}], "ready": {"text": "Welcome"}, "timeout": 1000},
    "viewports": {"desktop": {"width": 1280, "height": 720, "scale": 1}, "phone": {"preset": "iphone"},
                  "tablet": "tablet", "dark": {"colorScheme": "dark", "locale": "de-DE", "media": "print"}},
    "defaults": {"viewports": ["desktop"], "actions": [], "ready": {"networkIdle": True}, "hide": ["video"],
                 "remove": ["#x"], "mask": [".t"], "ignore": [".u", {"x": 0, "y": 1.5, "width": 10, "height": 20}],
                 "regions": [{"selector": "#m", "threshold": 0.3}, {"x": 0, "y": 0, "width": 1, "height": 1, "threshold": 0}], "freeze": True, "fullPage": True, "threshold": 0.2, "strict": 0.01,
                 "strictArea": 500, "allowHttpErrors": True,
                 "antialias": True, "maxDiffPixels": 10, "maxDiffRatio": 0.01, "allowSizeChange": 2,
                 "expectNoErrors": True,
                 "timeout": 1000, "retries": 2, "skip": False, "only": False, "tags": ["smoke"]},
    "checks": [
        {"name": "home", "url": "/", "viewports": ["desktop", "phone"],
         "actions": "<browser_action><type>click</type><selector>#go</selector></browser_action>",
         "ready": {"selector": "#a", "text": "b", "expression": "true", "networkIdle": False},
         "freeze": {"time": "2026-01-01T00:00:00Z", "seed": 7}, "fullPage": False, "selector": "main",
         "ignore": ["defaults", {"selector": ".v"}], "regions": ["defaults"],
         "skip": "not yet", "tags": ["a", "b@c"]},
        {"name": "cart", "url": "cart?x=1", "actions": {"file": "login.xml"}},
        {"name": "about", "url": "http://other:1/", "fullPage": True,
         "actions": ["defaults", {"type": "navigate", "url": "x"}, {"file": "login.xml"},
                     {"type": "click", "selector": "#go"}]},
    ],
}

VALUES = [None, True, False, 0, 1, -1, 0.1, 0.5, 1.0, 1.5, 7, 100, 10000, 10001, 1e9, 1e10, "", "x", "a b",
          "ü", "desktop", "iphone", ".", "..", "-x", "a" * 100, "a" * 101, "2026-13-01", "2026-02-30",
          "2026-01-01", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00.5+01:00", [], [1], ["x"], ["x", "x"],
          ["desktop"], [""], [{}], {}, {"x": 1}, {"file": "none.xml"}, {"preset": "nokia"},
          {"width": 10000, "height": 10000}, [{"type": "stop"}], [{"type": "click"}], [{"type": "clik"}],
          "defaults", ["defaults"], [{"file": "login.xml"}], "de", "de-DE-x", "zh-Hant-TW", "d", "de_DE", "12", "dark", "print",
          "<type>back</type>", "<x", "about:blank"]


def places(value, way=()):
    yield way
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, way + (key,))


def parent_of(document, way):
    for key in way[:-1]:
        document = document[key]
    return document


def replaced(document, way, value):
    """The document with another value at a place; what is not on the way there is shared."""
    if not way:
        return value
    document = document.copy()
    document[way[0]] = replaced(document[way[0]], way[1:], value) if way[1:] else value
    return document


def removed(document, way):
    parent = parent_of(document, way).copy()
    del parent[way[-1]]
    return replaced(document, way[:-1], parent)


def mutations(document, share):
    for number, way in enumerate(list(places(document))):
        for value in VALUES[number % share::share]:
            yield replaced(document, way, value)
        if way:
            yield removed(document, way)
            if isinstance(way[-1], str):
                yield replaced(removed(document, way), way[:-1] + (way[-1] + "s",), parent_of(document, way)[way[-1]])
        there = parent_of(document, way + (None,))
        if isinstance(there, dict):
            yield replaced(document, way + ("unknown",), 1)
            yield replaced(document, way + ("a b",), "iphone")


def mutations_of_two(document, count):
    choose = random.Random(5)
    for _ in range(count):
        changed = document
        for _ in range(2):
            ways = [way for way in places(changed) if way]
            if ways:
                changed = replaced(changed, choose.choice(ways), choose.choice(VALUES))
        yield changed


def limits_of(schema):
    """The limits of numbers, by the member's name."""
    found = {}
    for way in places(schema):
        rule = schema
        for key in way:
            rule = rule[key]
        if isinstance(rule, dict) and "maximum" in rule and isinstance(rule["maximum"], (int, float)):
            found[way[-1]] = (rule["minimum"], rule["maximum"])
    return found


def at_limits(document, limits):
    for way in list(places(document)):
        if way and way[-1] in limits:
            least, most = limits[way[-1]]
            for value in (least, least - 1, least - 0.01, most, most + 1, most + 0.01):
                yield replaced(document, way, value)
    for name, (least, most) in limits.items():
        for value in (least, least - 1, most, most + 1):
            yield {"baseUrl": "http://h/", "checks": [{"name": "a", "url": "/", name: value}]}


def named_sizes(count):
    return {f"v{i}": {} for i in range(count)}


def special():
    check = {"name": "a", "url": "/"}
    yield {"baseUrl": "http://h/", "checks": [check], "viewports": named_sizes(100)}
    yield {"baseUrl": "http://h/", "checks": [check], "viewports": named_sizes(101)}
    yield {"baseUrl": "http://h/", "checks": [check], "viewports": {"a": {}, "A": {}}}
    yield {"baseUrl": "http://h/", "checks": [check, {**check, "name": "A"}]}
    yield {"baseUrl": ".", "checks": [check], "server": {"command": "x"}}
    yield {"baseUrl": ".", "checks": [check]}
    yield {"baseUrl": "data:text/html,x", "checks": [check]}
    yield {"baseUrl": "http://h/", "checks": [{**check, "freeze": {"time": "2026-02-30"}}]}
    yield {"checks": [{**check, "url": "data:text/html,x"}]}
    yield {"checks": [check]}
    for count in (1000, 1001):
        yield {"baseUrl": "http://h/", "checks": [{**check, "actions": [{"type": "back"}] * count}]}
        for name in ("hide", "remove", "mask", "tags"):
            yield {"baseUrl": "http://h/", "checks": [{**check, name: ["x"] * count}]}


def read(reader, folder, documents):
    """What the reader says of each: the number of problems, and their lines."""
    results = []
    for start in range(0, len(documents), 200):
        files = [folder / f"{i}.json" for i in range(min(200, len(documents) - start))]
        for path, document in zip(files, documents[start:]):
            path.write_text(json.dumps(document))
        done = subprocess.run([reader, *files], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr[-2000:]
        lines = {str(path): [] for path in files}
        for line in done.stderr.splitlines():
            lines[line[:line.index(".json") + 5]].append(line)
        for path, verdict in zip(files, done.stdout.splitlines()):
            results.append([] if verdict.startswith("ok ") else lines[str(path)])
            assert verdict.startswith("ok ") or results[-1], f"{path}: refused without a word"
    return results


def guide_of(source, schema, faults):
    """The suites that docs/checks.md shows; it has to have each member in a table."""
    text = (source / "docs/checks.md").read_text()
    parts = (schema["properties"], schema["properties"]["server"]["properties"], schema["$defs"]["check"]["properties"])
    for name in sorted(set().union(*parts) - {"$schema"}):
        if not re.search(rf"^\| `{name}` \|", text, re.M):
            faults.append(f"docs/checks.md has no {name} in a table")
    shown = [json.loads(block) for block in re.findall(r"^```json\n(\{\n.*?)^```", text, re.M | re.S)]
    if not shown:
        faults.append("docs/checks.md shows no suite")
    return shown


def main():
    reader, source = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads((source / "docs/schema/smoke.schema.json").read_text())
    instructions = json.loads((source / "docs/schema/instruction.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = quick_schema.Validator(schema)
    faults = []

    types = schema["$defs"]["actions"]["anyOf"][2]["items"]["anyOf"][2]["properties"]["type"]["enum"]
    if set(types) != set(instructions["properties"]["type"]["enum"]) - {"start", "stop"}:
        faults.append("the types of actions are not those of instruction.schema.json")

    share = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    limits = limits_of(schema)
    shown = guide_of(source, schema, faults)
    documents = [WHOLE, *schema["examples"], *shown, *special(), *at_limits(WHOLE, limits),
                 *mutations(WHOLE, share), *mutations_of_two(WHOLE, 1500 // share)]
    seen = dict.fromkeys(BEYOND, 0)
    counts = {True: 0, False: 0}
    with tempfile.TemporaryDirectory(prefix="suite-schema-") as name:
        folder = pathlib.Path(name)
        (folder / "login.xml").write_text("<type>click</type><selector>#login</selector>")
        for document, problems in zip(documents, read(reader, folder, documents)):
            is_valid = validator.is_valid(document)
            counts[is_valid] += 1
            if not is_valid and not problems:
                error = validator.error(document)
                faults.append(f"only the schema refuses {error.json_path}: {error.message[:200]}")
            for line in problems if is_valid else ():
                kinds = [kind for kind in BEYOND if re.search(kind, line)]
                for kind in kinds:
                    seen[kind] += 1
                if not kinds:
                    faults.append(f"only the reader refuses {line[len(name):]}")
    faults += [f"not valid: {json.dumps(document)[:200]}" for document in (WHOLE, *schema["examples"], *shown)
               if not validator.is_valid(document)]
    faults += [f"no document shows: {kind}" for kind, least in BEYOND.items() if seen[kind] < least]
    if len(limits) < 8:
        faults.append(f"too few limits were found: {limits}")
    if min(counts.values()) < 300:
        faults.append(f"too few documents: {counts}")
    for fault in dict.fromkeys(faults):
        print(fault)
    print(f"{counts[True]} documents that the schema takes, {counts[False]} that it refuses")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
