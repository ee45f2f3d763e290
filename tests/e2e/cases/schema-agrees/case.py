"""docs/schema/instruction.schema.json and the program know the same parameters."""
import concurrent.futures
import json

from harness import ROOT, batch

# What any version may know: the contract with users.
NAMES = """frame id to url waitUntil maxConsecutiveErrors totalErrorThreshold selector node text role name testId targets
    xRange yRange x y nth button clickCount modifiers position waitForNavigation visualVerify visualThreshold visualSeed
    clear delay pressEnter value index checked files key direction mode state expression networkIdle ms fullPage clip format quality
    stable shots hide remove mask clock
    interactive inViewport depth find findRole boxes urls textLength maxTokens diff scroll pictures all ax ignoreNoAi
    accept promptText preset viewport touch userAgent locale timezone geolocation media colorScheme
    op file area domain path expires httpOnly secure sameSite reducedMotion network offline cpuThrottle headers credentials route maxBytes maxEdge maxPixels tiles awaitPromise
    steps automated maxSteps sessionTimeoutMs timeout retryOptions logFilter screenshots label
    debug""".split()


def run(ctx):
    schema = json.loads((ROOT / "docs" / "schema" / "instruction.schema.json").read_text())
    chrome = ctx.mark_chrome()

    def knows(pair):
        kind, name = pair
        path = ctx.work / f"{kind}-{name}.xml"
        path.write_text(batch([(kind, {name: "1"})]))
        return "is no parameter" not in ctx.run(["run", path, "--chrome", chrome]).stderr

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
