"""Errors with their causes, lists with holes, and assertions, in console calls and in exceptions."""
import re

BROWSER = "shared"

# Scripts, and the resulting lines without the positions of stacks.
CASES = [
    ("console.error(new Error('outer', {cause: new TypeError('inner')}))", ["Error: outer", "  caused by TypeError: inner"]),
    ("console.warn('with', new Error('a', {cause: new Error('b', {cause: new RangeError('c')})}))",
     ["with Error: a", "  caused by Error: b", "    caused by RangeError: c"]),
    ("console.log(new Error('a', {cause: 'words'}))", ["Error: a", '  caused by "words"']),
    ("console.log(new Error('a', {cause: {code: 7}}))", ["Error: a", "  caused by {code: 7}"]),
    ("console.error(new AggregateError([new Error('one', {cause: 1}), 'two'], 'many'))",
     ["AggregateError: many", "  errors[0] Error: one", "    caused by 1", '  errors[1] "two"']),
    ("const loop = new Error('loop'); loop.cause = loop; console.log(loop)", ["Error: loop", "  caused by Error: loop"]),
    ("console.log(new Error('plain'))", ["Error: plain"]),
    ("setTimeout(() => { throw new AggregateError([new RangeError('r')], 'thrown'); })",
     ["Uncaught AggregateError: thrown", "  errors[0] RangeError: r"]),
    ("setTimeout(() => { throw new Error('late', {cause: new Error('early')}); })",
     ["Uncaught Error: late", "  caused by Error: early"]),
    ("Promise.reject(new Error('rejected', {cause: new Error('early')}))",
     ["Uncaught (in promise) Error: rejected", "  caused by Error: early"]),
    ("console.error({error: new Error('outer', {cause: new TypeError('inner')})})", ["{error: Error: outer (caused by TypeError: inner)}"]),
    ("console.error([new AggregateError([new Error('one'), 2], 'many')])", ["[AggregateError: many (errors[0] Error: one; errors[1] 2)]"]),
    ("const held = new Error('loop'); held.cause = held; console.log({held})", ["{held: Error: loop (caused by Error: loop)}"]),
    ("console.error(Object.assign(new Error('refused'), {status: 503, body: {code: 'E_BUSY'}}))",
     ["Error: refused", '  with {status: 503, body: {code: "E_BUSY"}}']),
    ("class Own extends Error { name = 'Own'; code = 42; }; console.error('x', new Own('mine', {cause: Object.assign(new Error('c'), {at: 1})}))",
     ["x Own: mine", "  with {code: 42}", "  caused by Error: c", "    with {at: 1}"]),
    ("console.log(Object.assign(new Error('long'), {text: Array.from({length: 40}, (_, i) => 'x'.repeat(150))}))",
     ["Error: long", re.compile("  with {text: .{900,1010}\u2026}")]),
    ("console.log('a\\u0000b', 'c')", ["a\ufffdb c"]),
    ("console.log([, 1])", ["[empty, 1]"]),
    ("console.log([1, , , 2, ,])", ["[1, empty × 2, 2, empty]"]),
    ("console.log({deep: [, {a: 1}]})", ["{deep: [empty, {a: 1}]}"]),
    ("console.log(new Array(500), [])", ["[empty × 500] []"]),
    ("console.log(new Uint8Array([1, 2]))", ["Uint8Array(2) [1, 2]"]),
    ("console.assert(1 > 2, 'one is %s', 'less')", ["Assertion failed: one is less"]),
    ("console.assert(false)", ["Assertion failed"]),
]


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/shop/"})]
    steps += [("evaluate", {"expression": f"{{ {code} }}; new Promise((done) => setTimeout(() => setTimeout(done, 0, 1)))"}) for code, _ in CASES]
    result = ctx.run_batch(steps)
    for (code, wanted), response in zip(CASES, result.responses[1:]):
        said = [log["message"] for log in response["logs"] if log["source"] == "browser"]
        lines = [line for line in "\n".join(said).split("\n") if not re.match(r"\s+at ", line)]
        ctx.expect(len(lines) == len(wanted) and all(line == one if isinstance(one, str) else one.fullmatch(line)
                                                     for line, one in zip(lines, wanted)), f"{code}: {lines}")
