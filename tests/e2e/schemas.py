"""Validates lines of stdout against docs/schema/response.schema.json.

fastjsonschema decides 50 times as fast as jsonschema whether a line is valid; jsonschema says what is wrong with one that is not.
"""
import functools
import json
import pathlib

import fastjsonschema
import jsonschema

TEXT = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "schema" / "response.schema.json").read_text()
# fastjsonschema knows draft 7, where `dependentRequired` is a part of `dependencies`.
OLDER_TEXT = TEXT.replace('"dependentRequired"', '"dependencies"')
NEWER_WORDS = ("prefixItems", "unevaluated", "dependentSchemas", "minContains", "maxContains", "$dynamicRef", "$anchor")
assert not [word for word in NEWER_WORDS if word in TEXT], "fastjsonschema does not know a word of the schema"


def check_references(schema):
    """In draft 7 nothing else counts beside a `$ref`."""
    if isinstance(schema, dict):
        assert "$ref" not in schema or not schema.keys() - {"$ref", "title", "description", "examples"}, schema
    for one in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        check_references(one)


check_references(json.loads(TEXT))


def part(text, kind):
    return {"$defs": json.loads(text)["$defs"], "$ref": f"#/$defs/{kind}"}


@functools.cache
def quick(kind):
    return fastjsonschema.compile(part(OLDER_TEXT, kind))


@functools.cache
def plain(kind):
    return jsonschema.Draft202012Validator(part(TEXT, kind))


def schema_problems(value, kind):
    """Returns what is wrong with a line, or with a part of one such as "image"."""
    def cut(text):
        return text if len(text) < 400 else f"{text[:200]} … {text[-190:]}"
    try:
        quick(kind)(value)
        return []
    except fastjsonschema.JsonSchemaValueException:
        return [f"not as in the schema at {error.json_path}: {cut(error.message)}" for error in plain(kind).iter_errors(value)]
