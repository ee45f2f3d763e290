"""Every parameter of every action with values that the schema refuses: named, with reason and example.

Made from docs/schema/instruction.schema.json, so that a new parameter is in it by itself. Nothing of
it starts Chrome: a file is refused as a whole, a stream goes on behind each refusal.
"""
import json

import jsonschema

from harness import ROOT, instruction

BROWSER = "any"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "instruction.schema.json").read_text())
# The whole as one of its parts, so that a part that refers to it can be looked at by itself.
PARTS = json.loads(json.dumps(SCHEMA["$defs"]).replace('"$ref": "#"', '"$ref": "#/$defs/instruction"'))
PARTS["instruction"] = {name: part for name, part in SCHEMA.items() if name != "$defs"}
NESTED = {"inner": 1}  # written as an element: the only thing that a text cannot be
POOL = ["", "nonsense", True, False, 0.5, -1, 0, 10 ** 12, -10 ** 12, [], [5], [""], ["nonsense"], {}, {"unknownMember": 1},
        NESTED]


def resolved(schema):
    while "$ref" in schema:
        schema = PARTS[schema["$ref"].rsplit("/", 1)[1]]
    return schema


def validator(schema):
    return jsonschema.Draft202012Validator({"$defs": PARTS, **schema})


def is_text(schema):
    """Whether any text of XML is such a value, as far as its type goes."""
    return (schema.get("type") == "string" and "enum" not in schema) or any(map(is_text, schema.get("anyOf", [])))


def good_value(schema):
    schema = resolved(schema)
    for member in ("examples", "enum"):
        if member in schema:
            return schema[member][0]
    if "const" in schema or "default" in schema:
        return schema.get("const", schema.get("default"))
    if schema.get("type") == "object":
        return {name: good_value(schema["properties"][name]) for name in schema.get("required", [])}
    if schema.get("type") == "array":
        return [good_value(schema["items"])]
    return {"string": "text", "boolean": True, "integer": schema.get("minimum", 1),
            "number": schema.get("minimum", 1)}[schema["type"]]


def bad_values(schema):
    """(path below the parameter, value) pairs that the schema refuses."""
    schema = resolved(schema)
    checker = validator(schema)
    limits = [schema[name] + step for name, step in (("minimum", -1), ("maximum", 1)) if name in schema]
    for value in POOL + limits:
        if is_text(schema) and value is not NESTED and not isinstance(value, str):
            continue
        if not checker.is_valid(value):
            yield "", value
    for name, member in schema.get("properties", {}).items():
        others = {other: good_value(schema["properties"][other])
                  for other in schema.get("required", []) if other != name}
        for path, value in bad_values(member):
            if not is_text(resolved(member)) or isinstance(value, str):
                yield f".{name}{path}", {**others, name: value}
    items = resolved(schema.get("items", {}))
    for path, value in bad_values(items) if items.get("type") == "object" else ():
        yield f"[0]{path}", [value]


def xml(kind, parameters):
    """As harness.instruction(), but NESTED as elements."""
    nested = "".join(f"<{name}><inner>1</inner></{name}>" for name, value in parameters.items() if value is NESTED)
    text = instruction(kind, {name: value for name, value in parameters.items() if value is not NESTED})
    return text.replace("</browser_action>", nested + "</browser_action>")


def wrong_instructions():
    """What has to be named, and the XML, of each."""
    for kind in SCHEMA["properties"]["type"]["enum"]:
        schema = PARTS[kind]
        names = {name: part for name, part in schema["properties"].items() if name != "type"}
        needed = {name: good_value(names[name]) for name in schema["required"] if name != "type"}
        needs_target = any({"required": ["selector"]} in rule.get("anyOf", []) for rule in schema.get("allOf", []))
        base = {"selector": "#a", **needed} if needs_target else needed
        for name, part in names.items():
            if resolved(part).get("not") == {}:  # named to say that it is not taken
                yield f"{kind}.{name}", xml(kind, {**base, name: "1"})
                continue
            for path, value in bad_values(part):
                # A member that is missing or unknown is named by the message, its owner by the path.
                yield f"{kind}.{name}", xml(kind, {**base, name: value})
        yield f"{kind}.nonsenseParameter", xml(kind, {**base, "nonsenseParameter": "1"})
        yield f"{kind}.timeot", xml(kind, {**base, "timeot": "1"})
        for name in needed:
            yield name, xml(kind, {other: value for other, value in base.items() if other != name})
        if {"selector", "testId"} <= set(names):
            yield kind, xml(kind, {**base, "selector": "#a", "testId": "b"})
        if {"selector", "xRange"} <= set(names):
            span = {"min": 1, "max": 2}
            yield kind, xml(kind, {**base, "selector": "#a", "xRange": span, "yRange": span})


def run(ctx):
    wrong = list(wrong_instructions())
    ctx.expect(len(wrong) > 1500, f"only {len(wrong)} wrong instructions")
    chrome = ctx.mark_chrome()
    ran = ctx.run(["run", "-", "--chrome", chrome, "--temp-profile"], stdin="\n".join(text for _, text in wrong) + "\n",
                  seconds=100)
    ctx.expect(len(ran.responses) == len(wrong), f"{len(ran.responses)} answers to {len(wrong)}: {ran.stderr[-300:]}")
    faults = {}
    for (name, text), answer in zip(wrong, ran.responses):
        message = answer.get("error", "")
        for fault, holds in (
                ("is not refused", answer.get("errorCode") == "INVALID_ACTION"),
                ("is not named", name in message),
                ("has no place", message.startswith("line ")),
                ("has neither example nor hint", "hint" in answer)):
            if not holds:
                faults.setdefault(f"{name} {fault}", f"{text}\n  answer: {message[:200]} ({answer.get('hint')})")
                break
    for fault, detail in list(faults.items())[:30]:
        ctx.problem(f"{fault}: {detail}")
    ctx.expect(len(faults) <= 30, f"{len(faults)} faults in all")
    check_files(ctx, wrong, chrome)
    ctx.expect(not ctx.marked(), "Chrome was started")


def check_files(ctx, wrong, chrome):
    """One of each type behind a good instruction: the file is refused before that is run."""
    firsts = {}
    for name, text in wrong:
        firsts.setdefault(name.partition(".")[0], (name, text))
    for name, text in firsts.values():
        path = ctx.work / "wrong.xml"
        path.write_text(f"<batch>\n{instruction('start', {'url': 'about:blank'})}\n{text}\n</batch>\n")
        ran = ctx.run(["run", path, "--chrome", chrome, "--temp-profile"])
        ctx.expect(ran.exit == 2 and not ran.stdout, f"{name} in a file: exit {ran.exit}")
        ctx.expect(f"{path}: line 3, " in ran.stderr and name in ran.stderr, f"{name} in a file: {ran.stderr}")
