"""jsonschema for thousands of documents that are much alike: the same verdicts in a third of the time.

A part of a document is checked once for each schema that it has to be valid by. `if` with the type of an instruction is decided
without a validator of its own, of which jsonschema would make one for each of the types."""
import json

import jsonschema

PLAIN = jsonschema.Draft202012Validator
SAMPLE = 97  # each document with this number in between is checked by the plain validator, too


class Memory:
    """Keywords that check each part of a document once for each schema that it has to be valid by."""

    def __init__(self):
        self.known = {}

    def is_valid(self, key, part, find_errors):
        key = (key, json.dumps(part))
        if key not in self.known:
            self.known[key] = next(find_errors(), None) is None
        return self.known[key]

    def reference(self, validator, reference, part, schema):
        keyword = PLAIN.VALIDATORS["$ref"]
        if not self.is_valid(reference, part, lambda: keyword(validator, reference, part, schema)):
            yield jsonschema.ValidationError(f"not valid by {reference}")

    def properties(self, validator, members, part, schema):
        if isinstance(part, dict):
            for name, member in members.items():
                if name in part and not self.is_valid(id(member), part[name], lambda: validator.descend(part[name], member)):
                    yield jsonschema.ValidationError(f"{name} is not valid")

    def items(self, validator, member, part, schema):
        if isinstance(part, list):
            for item in part:
                if not self.is_valid(id(member), item, lambda: validator.descend(item, member)):
                    yield jsonschema.ValidationError("an item is not valid")


def by_type(keyword):
    def check(validator, condition, part, schema):
        const = condition.get("properties", {}).get("type", {}).get("const")
        is_other = (const is not None and condition.keys() == {"properties"} and condition["properties"].keys() == {"type"}
                    and isinstance(part, dict) and part.get("type", const) != const and "else" not in schema)
        return () if is_other else keyword(validator, condition, part, schema)
    return check


class Validator:
    def __init__(self, schema):
        memory = Memory()
        quick = jsonschema.validators.extend(PLAIN, {
            "$ref": memory.reference, "properties": memory.properties, "items": memory.items, "if": by_type(PLAIN.VALIDATORS["if"])})
        self.quick, self.plain, self.verdicts = quick(schema), PLAIN(schema), {}

    def is_valid(self, document):
        text = json.dumps(document)
        if text not in self.verdicts:
            self.verdicts[text] = self.quick.is_valid(document)
            if len(self.verdicts) % SAMPLE == 0 and self.verdicts[text] != self.plain.is_valid(document):
                raise AssertionError(f"quick_schema.py has {self.verdicts[text]} for {text}")
        return self.verdicts[text]

    def error(self, document):
        return next(self.plain.iter_errors(document))
