"""jsonschema for thousands of documents that are much alike: the same verdicts in a third of the time.

A part of a document is checked once for each definition that `$ref` names. `if` with the type of an instruction is decided
without a validator of its own, of which jsonschema would make one for each of the types."""
import json

import jsonschema

PLAIN = jsonschema.Draft202012Validator
SAMPLE = 97  # each document with this number in between is checked by the plain validator, too


def remembered(keyword):
    known = {}

    def check(validator, reference, part, schema):
        key = (reference, json.dumps(part))
        if key not in known:
            known[key] = next(keyword(validator, reference, part, schema), None) is None
        if not known[key]:
            yield jsonschema.ValidationError(f"not valid by {reference}")
    return check


def by_type(keyword):
    def check(validator, condition, part, schema):
        const = condition.get("properties", {}).get("type", {}).get("const")
        is_other = (const is not None and condition.keys() == {"properties"} and condition["properties"].keys() == {"type"}
                    and isinstance(part, dict) and part.get("type", const) != const and "else" not in schema)
        return () if is_other else keyword(validator, condition, part, schema)
    return check


class Validator:
    def __init__(self, schema):
        quick = jsonschema.validators.extend(PLAIN, {"$ref": remembered(PLAIN.VALIDATORS["$ref"]), "if": by_type(PLAIN.VALIDATORS["if"])})
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
