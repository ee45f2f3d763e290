"""Holds a value against a pattern.

A pattern is JSON. Plain values must be equal, an object is a subset (members that it does not name
are free), an array must match item by item. An object whose members begin with $ is a matcher, and
each of them must hold:

    {"$regex": "…"}       a text in which the regular expression is found
    {"$gt": n} {"$ge": n} {"$lt": n} {"$le": n}
    {"$absent": true}     the member is not there; false: it is there
    {"$contains": P}      a list with an item that matches P, or a text with P in it
    {"$lacks": P}         the opposite of $contains
    {"$in": [P, …]}       matches at least one of them
    {"$not": P}           does not match P
    {"$length": P}        the length of a list, text or object matches P
    {"$type": "number"}   object array string number boolean null
    {"$exactly": value}   equal, objects without a further member

What a durationMs may be at most is multiplied by BR_TEST_SLOWNESS.
"""
import re

from processes import SLOWNESS

ABSENT = type("Absent", (), {"__repr__": lambda self: "nothing"})()
TYPES = {"object": dict, "array": list, "string": str, "number": (int, float), "boolean": bool,
         "null": type(None)}


def short(value, limit=300):
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def equal(a, b):
    """JSON's equality: true is not 1."""
    return isinstance(a, bool) == isinstance(b, bool) and a == b


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def contains(value, pattern):
    if isinstance(value, str):
        return isinstance(pattern, str) and pattern in value
    return isinstance(value, list) and any(not mismatches(item, pattern) for item in value)


def fits_type(value, name):
    return value is not ABSENT and isinstance(value, TYPES[name]) and (
        name == "boolean" or not isinstance(value, bool))


OPERATORS = {
    "$regex": lambda v, p: isinstance(v, str) and re.search(p, v) is not None,
    "$gt": lambda v, p: is_number(v) and v > p,
    "$ge": lambda v, p: is_number(v) and v >= p,
    "$lt": lambda v, p: is_number(v) and v < p,
    "$le": lambda v, p: is_number(v) and v <= p,
    "$absent": lambda v, p: (v is ABSENT) == p,
    "$contains": contains,
    "$lacks": lambda v, p: isinstance(v, (str, list)) and not contains(v, p),
    "$in": lambda v, p: any(not mismatches(v, one) for one in p),
    "$not": lambda v, p: bool(mismatches(v, p)),
    "$length": lambda v, p: hasattr(v, "__len__") and not mismatches(len(v), p),
    "$type": fits_type,
    "$exactly": lambda v, p: equal(v, p),
}


def mismatches(value, pattern, path="value"):
    """Returns the reasons why value does not match, as a list of sentences; empty if it does."""
    if isinstance(pattern, dict) and any(key.startswith("$") for key in pattern):
        unknown = set(pattern) - set(OPERATORS)
        if unknown:
            raise ValueError(f"unknown matcher {', '.join(sorted(unknown))} at {path}")
        if path.endswith(".durationMs"):
            pattern = {key: want * SLOWNESS if key in ("$lt", "$le") else want for key, want in pattern.items()}
        return [f"{path}: expected {key} {short(want)}, got {short(value)}"
                for key, want in pattern.items() if not OPERATORS[key](value, want)]
    if isinstance(pattern, dict):
        if not isinstance(value, dict):
            return [f"{path}: expected an object, got {short(value)}"]
        return [reason for key, want in pattern.items()
                for reason in mismatches(value.get(key, ABSENT), want, f"{path}.{key}")]
    if isinstance(pattern, list):
        if not isinstance(value, list) or len(value) != len(pattern):
            return [f"{path}: expected {len(pattern)} items {short(pattern)}, got {short(value)}"]
        return [reason for i, (item, want) in enumerate(zip(value, pattern))
                for reason in mismatches(item, want, f"{path}[{i}]")]
    return [] if equal(value, pattern) else [f"{path}: expected {short(pattern)}, got {short(value)}"]
