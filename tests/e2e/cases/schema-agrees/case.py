"""docs/schema/instruction.schema.json and the program know the same parameters."""
import json

import jsonschema

from harness import ROOT, instruction

BROWSER = "any"


# Names that any version may have: the contract with users.
NAMES = """frame id to url waitUntil maxConsecutiveErrors totalErrorThreshold selector node element text role name testId targets
    xRange yRange x y deltaX deltaY nth button clickCount modifiers hold scrollIntoView position waitForNavigation visualVerify visualThreshold visualSeed
    clear delay pressEnter change first scripts value option index checked files key direction mode state expression networkIdle ms fullPage clip format quality
    fields form submit properties multiple maxLength includeHidden maxElements minConfidence stable shots at hide remove mask ignore locate clock labels
    annotations args typed interactive inViewport depth find findRole boxes urls textLength maxTokens diff stats scroll pictures all ax ignoreNoAi
    accept promptText preset viewport touch userAgent locale timezone geolocation media colorScheme
    op file area domain path expires httpOnly secure sameSite reducedMotion box color captured network offline cpuThrottle headers credentials route maxBytes maxEdge maxPixels tiles awaitPromise
    steps automated maxSteps sessionTimeoutMs timeout retryOptions logFilter networkFilter screenshots label
    width height landscape margin scale background cssPageSize pageRanges header footer
    debug timings tab since types minLevel categories failed contains status resourceTypes limit""".split()

# An element for each way of naming one, and the other parameters of an action.
WAYS = {"node": "e1", "selector": "#a", "element": "a", "testId": "a", "role": "button", "targets": ["#a"], "text": "a"}
BESIDE = {"type": {"text": "a"}, "drag": {"to": {"selector": "#b"}}, "wheel": {"deltaY": 1}, "select": {"value": "a"}, "press": {"key": "a"},
          "upload": {"files": ["/dev/null"]}}


def errors(ctx, instructions):
    """Returns the errors of each (type, parameters) pair from one stream. Nothing runs, because no page was started."""
    text = "\n".join(instruction(*one) for one in instructions)
    ran = ctx.run(["run", "-", "--chrome", ctx.mark_chrome(), "--temp-profile"], stdin=text)
    ctx.expect(len(ran.responses) == len(instructions), f"{len(ran.responses)} answers to {len(instructions)}: {ran.text[-300:]}")
    return [response.get("error", "") for response in ran.responses]


def check_ways(ctx, schema, kinds):
    """The schema accepts everything that the program accepts."""
    ways = [(kind, {**BESIDE.get(kind, {}), way: value}) for kind in kinds for way, value in WAYS.items()
            if way in schema["$defs"][kind]["properties"]]
    checker = jsonschema.Draft202012Validator(schema)
    for (kind, one), error in zip(ways, errors(ctx, ways)):
        is_valid = checker.is_valid({"type": kind, **one})
        is_taken = not error.startswith("line ")
        ctx.expect(is_taken == is_valid, f"{kind} with {one}: {'taken' if is_valid else 'refused'} by the schema, "
                                         f"{'taken' if is_taken else 'refused'} by the program: {error}")


def run(ctx):
    schema = json.loads((ROOT / "docs" / "schema" / "instruction.schema.json").read_text())
    kinds = schema["properties"]["type"]["enum"]
    check_ways(ctx, schema, kinds)
    pairs = [(kind, name) for kind in kinds for name in NAMES]
    for (kind, name), error in zip(pairs, errors(ctx, [(kind, {name: "1"}) for kind, name in pairs])):
        is_documented = name in schema["$defs"][kind]["properties"]
        is_known = "is not a parameter" not in error
        ctx.expect(is_known == is_documented, f"{kind}.{name}: {'in' if is_documented else 'not in'} the schema, "
                                              f"{'taken' if is_known else 'refused'} by the program: {error}")
    for kind in kinds:
        unknown = set(schema["$defs"][kind]["properties"]) - set(NAMES) - {"type"}
        ctx.expect(not unknown, f"{kind}: not in the contract: {unknown}")
