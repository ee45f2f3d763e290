"""The tools that the program prints are such as each provider takes them.

Called as: tools_rules.py PROGRAM SOURCE. The rules are those that the providers publish:
- Anthropic, tool use: names; input_schema is JSON Schema of an object, without oneOf, allOf and anyOf at
  its top and without $ref; names of properties.
- OpenAI, function calling and structured outputs: names; with strict each object is closed and needs all of
  its members, and only some keywords are there.
- Gemini, FunctionDeclaration and Schema: a part of OpenAPI 3.0, types as the names of an enum, choices of
  text alone, no object without members."""
import json
import pathlib
import re
import subprocess
import sys

import jsonschema

NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
PROPERTY = re.compile(r"^[a-zA-Z0-9_.-]{1,64}$")
MOST_CHARACTERS = 1024  # of a description
MOST_TOKENS = 5000  # of all that is told without --all; a token has about four characters of such JSON
STRICT_KEYWORDS = {"type", "description", "enum", "properties", "required", "additionalProperties", "items", "minimum",
                   "maximum", "minItems", "maxItems", "pattern"}
GEMINI_TYPES = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"]
GEMINI_SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["type"],
    "properties": {
        "type": {"enum": GEMINI_TYPES},
        "description": {"type": "string"},
        "enum": {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}},
        "minimum": {"type": "number"}, "maximum": {"type": "number"},
        "minItems": {"type": "integer"}, "maxItems": {"type": "integer"}, "default": True,
        "items": {"$ref": "#"},
        "properties": {"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#"}},
        "required": {"type": "array", "minItems": 1, "items": {"type": "string"}},
    },
    "allOf": [
        {"if": {"properties": {"type": {"const": "OBJECT"}}}, "then": {"required": ["properties"]}},
        {"if": {"properties": {"type": {"const": "ARRAY"}}}, "then": {"required": ["items"]}},
        {"if": {"required": ["enum"]}, "then": {"properties": {"type": {"const": "STRING"}}}},
    ],
}


def tools_of(program, provider, *options):
    done = subprocess.run([program, "tools", "--provider", provider, *options], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return json.loads(done.stdout)


def schemas_in(schema, way="$"):
    yield way, schema
    for name, member in schema.get("properties", {}).items():
        yield from schemas_in(member, f"{way}.{name}")
    if "items" in schema:
        yield from schemas_in(schema["items"], f"{way}[]")


def common_faults(name, description, schema):
    if not NAME.match(name):
        yield "its name"
    if not 0 < len(description) <= MOST_CHARACTERS:
        yield f"a description of {len(description)} characters"
    for way, part in schemas_in(schema):
        for property_name in part.get("properties", {}):
            if not PROPERTY.match(property_name):
                yield f"{way}: the name {property_name}"
        if set(part.get("required", [])) - set(part.get("properties", {})):
            yield f"{way} needs what it has not"
        if len(part.get("description", "")) > MOST_CHARACTERS:
            yield f"{way}: a description of {len(part['description'])} characters"


def anthropic_faults(tool):
    schema = tool["input_schema"]
    jsonschema.Draft202012Validator.check_schema(schema)
    if set(tool) != {"name", "description", "input_schema"}:
        yield f"members {set(tool)}"
    if schema.get("type") != "object" or {"oneOf", "allOf", "anyOf"} & set(schema):
        yield "no plain object"
    if "$ref" in json.dumps(schema):
        yield "a reference"
    yield from common_faults(tool["name"], tool["description"], schema)


def openai_faults(tool):
    function = tool["function"]
    schema = function["parameters"]
    jsonschema.Draft202012Validator.check_schema(schema)
    if set(tool) != {"type", "function"} or tool["type"] != "function":
        yield f"members {set(tool)}"
    if set(function) - {"name", "description", "parameters", "strict"}:
        yield f"members {set(function)}"
    if schema.get("type") != "object" or {"oneOf", "allOf", "anyOf", "enum", "not"} & set(schema):
        yield "no plain object"
    for way, part in schemas_in(schema) if function.get("strict") else ():
        if set(part) - STRICT_KEYWORDS:
            yield f"{way}: strict, with {set(part) - STRICT_KEYWORDS}"
        if part["type"] == "object" and (part.get("additionalProperties") is not False
                                         or set(part.get("required", [])) != set(part.get("properties", {}))):
            yield f"{way}: strict, but not closed or not all needed"
    yield from common_faults(function["name"], function["description"], schema)


def gemini_faults(function):
    if set(function) - {"name", "description", "parameters"}:
        yield f"members {set(function)}"
    schema = function.get("parameters")
    for error in jsonschema.Draft202012Validator(GEMINI_SCHEMA).iter_errors(schema) if schema else ():
        yield f"{error.json_path}: {error.message[:200]}"
    yield from common_faults(function["name"], function["description"], schema or {})


def functions_of(provider, tools):
    """Name, parameters and faults of each."""
    if provider == "anthropic":
        return [(tool["name"], tool["input_schema"], list(anthropic_faults(tool))) for tool in tools]
    if provider == "openai":
        return [(tool["function"]["name"], tool["function"]["parameters"], list(openai_faults(tool))) for tool in tools]
    assert len(tools) == 1 and set(tools[0]) == {"function_declarations"}
    return [(function["name"], function.get("parameters", {}), list(gemini_faults(function)))
            for function in tools[0]["function_declarations"]]


def action_faults(instructions, name, schema):
    """What of the arguments the action does not take."""
    action = instructions["$defs"].get(name, {"properties": {}})
    unknown = set(schema.get("properties", {})) - set(action["properties"])
    if unknown:
        yield f"the action has no {unknown}"
    if set(schema.get("required", [])) != set(action.get("required", [])) - {"type"}:
        yield f"needs {schema.get('required')}"
    for argument, part in schema.get("properties", {}).items():
        if "not" in action["properties"].get(argument, {}):
            yield f"{argument} is never taken"
        checker = jsonschema.Draft202012Validator({**action["properties"][argument], "$defs": instructions["$defs"]})
        for value in part.get("enum", []):
            if not checker.is_valid(value):
                yield f"{argument} is not {value}"


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    instructions = json.loads((source / "docs/schema/instruction.schema.json").read_text())
    faults, strict = [], 0
    for provider in ("anthropic", "openai", "gemini"):
        told = {}
        for options in ((), ("--all",)):
            tools = tools_of(program, provider, *options)
            functions = functions_of(provider, tools)
            told[options] = {name: set(schema.get("properties", {})) for name, schema, _ in functions}
            for name, schema, found in functions:
                for fault in [*found, *action_faults(instructions, name, schema)]:
                    faults.append(f"{provider} {' '.join(options)} {name}: {fault}")
            if len(told[options]) != len(functions):
                faults.append(f"{provider}: two of a name")
            strict += json.dumps(tools).count('"strict": true')
            tokens = len(json.dumps(tools, separators=(",", ":"))) // 4
            print(f"{provider} {' '.join(options)}: {len(functions)} tools, about {tokens} tokens")
            if not options and tokens > MOST_TOKENS:
                faults.append(f"{provider}: about {tokens} tokens")
        short, whole = told.values()
        wanted = set(instructions["properties"]["type"]["enum"]) - ({"diagnose"} if provider == "gemini" else set())
        if set(whole) != wanted:
            faults.append(f"{provider}: {set(whole) ^ wanted}")
        faults += [f"{provider}: only without --all {name}" for name in short if not short[name] <= whole[name]]
    if not strict:
        faults.append("no tool is strict")
    for fault in faults[:40]:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
