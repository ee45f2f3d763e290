#!/usr/bin/python3
"""Writes the tables of parameters in docs/actions.md from the schema of instructions, which the
program makes of its rows (browser-runner schema instruction).

    tools/actions_doc.py            brings the tables up to date
    tools/actions_doc.py --check    only says what is not; exit code 1 then

A table stands between <!-- parameters: NAME --> and <!-- end -->. NAME is an action, or `common` or
`targets` for what many have. Each action has a section with its name and a table in it.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCHEMA = json.loads((ROOT / "docs" / "schema" / "instruction.schema.json").read_text())
DOC = ROOT / "docs" / "actions.md"
PARTS = SCHEMA["$defs"]
KINDS = SCHEMA["properties"]["type"]["enum"]
COMMON = ["timeout", "retryOptions", "logFilter", "networkFilter", "screenshots", "label", "debug", "timings"]
ELEMENT = ["node", "selector", "element", "testId", "text", "role", "name", "targets", "nth", "frame", "ignoreNoAi"]
PLACES = ["xRange", "yRange", "x", "y"]
TABLE = re.compile(r"(<!-- parameters: (\w+) -->\n).*?(<!-- end -->)", re.S)
HEAD = "| parameter | value | default | what it does |\n|---|---|---|---|\n"


def resolved(schema):
    while schema.get("$ref", "#") != "#":
        schema = {**PARTS[schema["$ref"].rsplit("/", 1)[1]], **{k: v for k, v in schema.items() if k != "$ref"}}
    return schema


def number_text(number):
    return str(number) if number < 10 ** 11 else f"{number:.0e}".replace("e+0", "e").replace("e+", "e")


def is_plain(schema):
    """Whether it is an object whose members need no description."""
    members = schema.get("properties", {}).values()
    return bool(members) and not any("description" in resolved(member) for member in members)


def value_text(schema):
    """Describes a parameter's values, such as "whole number, 1 to 100"."""
    schema = resolved(schema)
    if is_plain(schema):
        return "; ".join(f"`{name}`: {value_text(part)}" for name, part in schema["properties"].items())
    if "enum" in schema:
        return " ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "not" in schema:
        return "not taken"
    if "anyOf" in schema and "type" not in schema:
        return " or ".join(value_text(way) for way in schema["anyOf"])
    if schema.get("type") == "array" and "items" not in schema:
        return "array"
    if schema.get("type") == "array":
        items = resolved(schema["items"])
        inner = value_text(items) if "enum" in items else {"string": "texts", "object": "objects", "integer": "whole numbers"}[items["type"]]
        return f"array of {inner}"
    if schema.get("type") in ("integer", "number"):
        name = "whole number" if schema["type"] == "integer" else "number"
        low, high = schema.get("minimum"), schema.get("maximum")
        if low is not None and high is not None:
            return f"{name}, {number_text(low)} to {number_text(high)}"
        return name + (f" from {number_text(low)} on" if low is not None else "")
    return {"string": "text", "boolean": "`true` `false`", "null": "`null`", "object": "object", None: "object"}[schema.get("type")]


def row(name, schema, is_required):
    part = resolved(schema)
    default = part.get("default")
    if default is not None and not isinstance(default, str):
        default = json.dumps(default, ensure_ascii=False)
    cell = "needed" if is_required else f"`{default}`" if default else ""
    text = part.get("description") or part.get("title", "")
    example = part.get("examples", [None])[0]
    if example is not None and "enum" not in part:
        shown = example if isinstance(example, str) else json.dumps(example, ensure_ascii=False)
        text += f" Such as `{shown}`."
    cells = [f"`{name}`", value_text(part), cell, text.strip()]
    return "| " + " | ".join(cell.replace("|", "\\|") or " " for cell in cells).replace("   ", " ") + " |\n"


def rows(name, schema, is_required=False):
    """Returns the rows of a parameter and of its members."""
    part = resolved(schema)
    lines = row(name, schema, is_required)
    inner, path = (resolved(part["items"]), f"{name}[]") if "items" in part else (part, name)
    inner = next((way for way in inner.get("anyOf", []) if "properties" in way), inner)
    for member, member_schema in [] if is_plain(inner) else inner.get("properties", {}).items():
        if member in ELEMENT + PLACES and is_shared(member, member_schema):
            continue  # an element inside a parameter is named like any other
        lines += rows(f"{path}.{member}", member_schema, member in inner.get("required", []))
    return lines


def is_shared(name, schema):
    """Whether it is described with the parameters that many actions share."""
    part = schema.get("$ref", "").rsplit("/", 1)[-1]
    return part == name and name in COMMON + ELEMENT + PLACES


def action_table(kind):
    schema = PARTS[kind]
    own = {name: part for name, part in schema["properties"].items() if name != "type"}
    shared = [name for name in ELEMENT + PLACES if name in own and is_shared(name, own[name])]
    lines = HEAD
    if shared:
        lines += f"| {' '.join(f'`{name}`' for name in shared)} | | | see [Naming an element](#naming-an-element) |\n"
    for name, part in own.items():
        if not is_shared(name, part):
            lines += rows(name, part, name in schema.get("required", []))
    missing = [name for name in COMMON if name not in own]
    assert not missing, f"{kind} has no {missing}"
    return lines if lines != HEAD else "It takes only what every action takes.\n"


def table(name):
    if name == "common":
        return HEAD + "".join(rows(one, PARTS[one]) for one in COMMON)
    if name == "targets":
        return HEAD + "".join(rows(one, PARTS[one]) for one in ELEMENT + PLACES)
    return action_table(name) if name in KINDS else None


def problems(text):
    sections = re.findall(r"^## `(\w+)`$", text, re.M)
    tables = [name for _, name, _ in TABLE.findall(text)]
    for name in ["common", "targets", *KINDS]:
        if tables.count(name) != 1:
            yield f"{tables.count(name)} tables of {name}: write one as <!-- parameters: {name} --> and <!-- end -->"
        if name in KINDS and sections.count(name) != 1:
            yield f"{sections.count(name)} sections for {name}: write one under ## `{name}`"
    for name in set(tables + sections) - set(KINDS) - {"common", "targets"}:
        yield f"{name} is no action"
    for section in re.split(r"^(?=## `)", text, flags=re.M)[1:]:
        name = re.match(r"## `(\w+)`", section)[1]
        if f"<!-- parameters: {name} -->" not in section:
            yield f"the table of {name} is not in its section"
        if "```xml" not in section:
            yield f"{name} has no example"


def main():
    text = DOC.read_text()
    found = list(problems(text))
    renewed = TABLE.sub(lambda match: match[1] + (table(match[2]) or "") + match[3], text)
    if "--check" not in sys.argv:
        DOC.write_text(renewed)
    elif renewed != text:
        found.append("the tables are not those of the schema: run tools/actions_doc.py")
    for problem in found:
        print(f"docs/actions.md: {problem}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
