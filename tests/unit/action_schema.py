"""docs/schema/instruction.schema.json and the program take the same instructions.

Called as: action_schema.py READER PROGRAM SOURCE [SHARE], which makes only one instruction of SHARE (1). The schema is the one that PROGRAM makes. Instructions are made from the schema: right ones, and from
each of these wrong ones, always the same (the seed is fixed). Whatever the schema refuses the program
refuses with INVALID_ACTION. It refuses more only for what a schema cannot say, which is listed here."""
import copy
import json
import pathlib
import random
import re
import subprocess
import sys

import jsonschema

sys.dont_write_bytecode = True
import quick_schema  # noqa: E402

# Errors that the schema cannot express, and the minimum number of generated instructions for each.
BEYOND = {
    r"\" is no key$": 1,
    r"findRole: \".*\" is no role": 1,
    r"min [\d.e+-]+ is over max": 1,
    r"needs a deltaX or a deltaY that is not 0": 1,
    r"text: is empty, and neither clear nor pressEnter is set": 1,
    r"\" is no host name$": 0,
    r"(credentials|route).*(no origin|no method|for action \"fulfill\"|body or bodyFile)": 1,
    r"emulate\.headers: the value of .* is not one line": 0,
    r"clock.*: takes a time": 0,
    r"fill\.form: is a place": 0,
    r"pdf\.(width|height|margin): \".*\" is no length$": 1,
    r"pdf\.pageRanges: ": 0,
}
# Cases that random instructions do not cover.
SPECIAL = [{"type": "wheel", "selector": "#map", "deltaX": 0, "deltaY": 0},
           {"type": "click", "xRange": {"min": 9, "max": 1}, "yRange": {"min": 1, "max": 9}},
           {"type": "type", "text": ""},
           {"type": "fill", "fields": [{"x": 1, "y": 1, "value": "a"}]},
           {"type": "snapshot", "findRole": "no such role"},
           {"type": "emulate", "route": [{"url": "http://a/*", "action": "block", "body": "x"}]},
           {"type": "pdf", "width": "no length"}]
WRONG, RIGHT = 6000, 1500
# For each kind of value one that only members whose schema allows it accept.
OTHERS = ["text", "", 7, -1, 0.5, 1e13, True, False, None, [], ["text"], [[]], {}, {"unknownMember": 1}]


class Maker:
    """Makes instructions by the schema."""

    def __init__(self, schema, seed):
        self.schema, self.random = schema, random.Random(seed)
        self.validator = quick_schema.Validator(schema)
        self.objects = {}  # validators of parts, by their text
        # The whole schema as one of its parts, so that a part that refers to it can be checked alone.
        self.parts = json.loads(json.dumps(schema["$defs"]).replace('"$ref": "#"', '"$ref": "#/$defs/instruction"'))
        self.parts["instruction"] = {name: part for name, part in schema.items() if name != "$defs"}

    def resolved(self, part):
        while "$ref" in part:
            own = {key: value for key, value in part.items() if key != "$ref"}
            part = {**self.parts[part["$ref"].rsplit("/", 1)[1]], **own}
        return part

    def value(self, part):
        part = self.resolved(part)
        choose = self.random
        if "const" in part:
            return part["const"]
        if "enum" in part:
            return choose.choice(part["enum"])
        if "examples" in part and choose.random() < 0.5:
            return copy.deepcopy(choose.choice(part["examples"]))
        if "anyOf" in part:
            return self.value(choose.choice(part["anyOf"]))
        if "allOf" in part:
            return self.valid_object(part) if "properties" in part else {"type": "click", "selector": "#save"}
        return getattr(self, "make_" + part["type"])(part)

    def make_string(self, part):
        if "pattern" in part:
            known = ["e12", "http://localhost:3000/", "2026-01-01"]
            return next(text for text in known if re.search(part["pattern"], text))
        return self.random.choice(["text", "#go", "a b", "Ü", "Enter", "button"])

    def make_integer(self, part):
        low, high = part.get("minimum", -1000), part.get("maximum", 1000)
        return self.random.choice([low, high, self.random.randint(int(low), int(high))])

    def make_number(self, part):
        low, high = part.get("minimum", -1000), part.get("maximum", 1000)
        return self.random.choice([low, high, self.random.uniform(low, high)])

    def make_boolean(self, _):
        return self.random.random() < 0.5

    def make_null(self, _):
        return None

    def make_array(self, part):
        least = part.get("minItems", 0)
        return [self.value(part.get("items", {"type": "string"})) for _ in range(least + self.random.randint(0, 1))]

    def make_object(self, part, chance=0.5):
        needed = part.get("required", [])
        return {name: self.value(member) for name, member in part.get("properties", {}).items()
                if name in needed or ("not" not in member and self.random.random() < chance)}

    def valid_object(self, part):
        """One that keeps the rules about what goes together, mostly with few members."""
        text = json.dumps(part)
        if text not in self.objects:
            self.objects[text] = quick_schema.Validator({**part, "$defs": self.parts})
        whole = self.objects[text]
        for _ in range(2000):
            made = self.make_object(part, self.random.choice([0.05, 0.1, 0.2]))
            if whole.is_valid(made):
                return made
        raise AssertionError(f"nothing is right by {part}")

    def right(self, kind):
        while True:
            made = self.valid_object(self.parts[kind])
            if self.validator.is_valid(made):
                return made


def places(value, way=()):
    yield way
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, way + (key,))


def at(document, way):
    for key in way:
        document = document[key]
    return document


def changed(document, way, value):
    document = copy.deepcopy(document)
    at(document, way[:-1])[way[-1]] = value
    return document


def spoilt(maker, document):
    """The instruction with one fault, perhaps: a value of another kind, out of its range, none of the
    choices; a member that is unknown; one that is missing."""
    choose = maker.random
    way = choose.choice([way for way in places(document) if way])
    there = at(document, way)
    how = choose.choice(["other", "other", "range", "choice", "unknown", "missing"])
    if how == "range" and isinstance(there, (int, float)) and not isinstance(there, bool):
        return changed(document, way, choose.choice([there + 1e16, there - 1e16, there + 0.5, -there - 1]))
    if how == "choice" and isinstance(there, str):
        return changed(document, way, there + choose.choice(["x", " ", "S"]))
    if how == "unknown":
        owner = choose.choice([way for way in places(document) if isinstance(at(document, way), dict)])
        return changed(document, owner + (choose.choice(["unknownMember", "Type", "selectors", "x "]),), 1)
    if how == "missing":
        document = copy.deepcopy(document)
        del at(document, way[:-1])[way[-1]]
        return document
    return changed(document, way, copy.deepcopy(choose.choice(OTHERS)))


def ask(reader, documents):
    text = "".join(json.dumps(document) + "\n" for document in documents)
    done = subprocess.run([reader], input=text, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    return [line.partition(" ")[::2] for line in done.stdout.splitlines()]


def kept_otherwise(program, source):
    """The schemas of docs/schema that are not what the program prints."""
    for name in ("instruction", "response", "smoke", "results"):
        printed = subprocess.run([program, "schema", name], capture_output=True, text=True, timeout=60).stdout
        if printed != (source / f"docs/schema/{name}.schema.json").read_text():
            yield f"write what browser-runner schema {name} prints into docs/schema/{name}.schema.json"


def is_json_list(document):
    """Lists may also come as text that holds one: XML has them so, and the schema does not say it."""
    return any(isinstance(value, str) for name, value in document.items() if name in ("steps", "route"))


def main():
    reader, program, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    faults = list(kept_otherwise(program, source))
    schema = json.loads((source / "docs/schema/instruction.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    maker = Maker(schema, 20261123)
    kinds = schema["properties"]["type"]["enum"]
    share = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    right = [maker.right(kinds[i % len(kinds)]) for i in range(RIGHT // share)]
    documents, wrong = list(right) + schema["examples"] + SPECIAL, 0
    while wrong < WRONG // share:
        made = spoilt(maker, maker.random.choice(right))
        if not is_json_list(made):
            documents.append(made)
            wrong += not maker.validator.is_valid(made)
    seen, counts = dict.fromkeys(BEYOND, 0), {True: 0, False: 0}
    for document, (code, message) in zip(documents, ask(reader, documents), strict=True):
        is_valid = maker.validator.is_valid(document)
        counts[is_valid] += 1
        if not is_valid and code != "INVALID_ACTION":
            error = maker.validator.error(document)
            faults.append(f"only the schema refuses ({error.json_path}: {error.message[:100]}): {json.dumps(document)}")
        if is_valid and code != "ok":
            kind = next((kind for kind in BEYOND if re.search(kind, message)), None)
            if kind:
                seen[kind] += 1
            else:
                faults.append(f"only the program refuses ({code} {message}): {json.dumps(document)}")
    faults += [f"no instruction shows: {kind}" for kind, least in BEYOND.items() if seen[kind] < least]
    for fault in faults[:40]:
        print(fault)
    print(f"{counts[True]} instructions that the schema takes, {counts[False]} that it refuses; {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
