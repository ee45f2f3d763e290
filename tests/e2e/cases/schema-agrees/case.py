"""docs/schema/instruction.schema.json and the program know the same parameters."""
import concurrent.futures
import json

import jsonschema

from harness import ROOT, batch

# What any version may know: the contract with users.
NAMES = """frame id to url waitUntil maxConsecutiveErrors totalErrorThreshold selector node text role name testId targets
    xRange yRange x y deltaX deltaY nth button clickCount modifiers position waitForNavigation visualVerify visualThreshold visualSeed
    clear delay pressEnter value index checked files key direction mode state expression networkIdle ms fullPage clip format quality
    stable shots hide remove mask clock labels
    interactive inViewport depth find findRole boxes urls textLength maxTokens diff stats scroll pictures all ax ignoreNoAi
    accept promptText preset viewport touch userAgent locale timezone geolocation media colorScheme
    op file area domain path expires httpOnly secure sameSite reducedMotion network offline cpuThrottle headers credentials route maxBytes maxEdge maxPixels tiles awaitPromise
    steps automated maxSteps sessionTimeoutMs timeout retryOptions logFilter networkFilter screenshots label
    debug tab since types minLevel categories failed contains status resourceTypes limit""".split()

# An element by each way of naming one, and what an action takes beside it.
WAYS = {"node": "e1", "selector": "#a", "testId": "a", "role": "button", "targets": ["#a"], "text": "a"}
BESIDE = {"type": {"text": "a"}, "drag": {"to": {"selector": "#b"}}, "wheel": {"deltaY": 1}, "select": {"value": "a"}, "press": {"key": "a"},
          "upload": {"files": ["/dev/null"]}}


def check_ways(ctx, schema, chrome):
    """Whoever checks instructions by the schema is not kept from what the program takes."""
    for kind in schema["properties"]["type"]["enum"]:
        for way, value in WAYS.items():
            if way in schema["$defs"][kind]["properties"]:
                one = {**BESIDE.get(kind, {}), way: value}
                is_valid = jsonschema.Draft202012Validator(schema).is_valid({"type": kind, **one})
                ran = ctx.run(["run", ctx.file("way.xml", batch([(kind, one)])), "--chrome", chrome])
                ctx.expect((ran.exit != 2) == is_valid, f"{kind} with {one}: {'taken' if is_valid else 'refused'} by the "
                                                        f"schema, exit {ran.exit}: {ran.stderr[-200:]}")


def run(ctx):
    schema = json.loads((ROOT / "docs" / "schema" / "instruction.schema.json").read_text())
    chrome = ctx.mark_chrome()

    def knows(pair):
        kind, name = pair
        path = ctx.work / f"{kind}-{name}.xml"
        path.write_text(batch([(kind, {name: "1"})]))
        return "is no parameter" not in ctx.run(["run", path, "--chrome", chrome]).stderr

    check_ways(ctx, schema, chrome)
    kinds = schema["properties"]["type"]["enum"]
    pairs = [(kind, name) for kind in kinds for name in NAMES]
    # A single good parameter may be a whole instruction: Chrome fails at once then.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for (kind, name), known in zip(pairs, pool.map(knows, pairs)):
            documented = name in schema["$defs"][kind]["properties"]
            if known != documented:
                ctx.problem(f"{kind}.{name}: {'in' if documented else 'not in'} the schema, "
                            f"{'taken' if known else 'refused'} by the program")
    for kind in kinds:
        unknown = set(schema["$defs"][kind]["properties"]) - set(NAMES) - {"type"}
        ctx.expect(not unknown, f"{kind}: not in the contract: {unknown}")
