"""`emulate` with `clock`: the time stands still and random numbers repeat, and nothing else is different."""
import json
import re

from faults import Talk, kill

BROWSER = "any"
NEW_YEAR = 1767225600000
FROZEN = {"now": NEW_YEAR, "called": NEW_YEAR, "made": NEW_YEAR, "format": "Thursday, January 1, 2026", "parts": "1/1/2026"}
TOLD = "new Promise((done) => { const look = () => told.far && told.inside ? done(told) : setTimeout(look, 20); look(); })"


def run(ctx):
    url = f"{ctx.origin}/case/index.html"
    talk = Talk(ctx, screenshots="explicit", timeout=15000)
    talk.start(url)
    usual = result(talk, "usual()")
    ctx.expect(usual["sources"] and usual["isDate"] and usual["constructor"], f"the page itself is wrong: {usual}")
    # From the next document on.
    freeze(talk, {"time": "2026-01-01T00:00:00Z", "seed": 1})
    ctx.expect(result(talk, "Date.now()") > NEW_YEAR, "the clock of a document that is open has stopped")
    first = reloaded(talk)
    ctx.match(first, {**FROZEN, "inside": [NEW_YEAR, first["random"][0]], "far": [NEW_YEAR, first["random"][0]]}, "frozen")
    if first["temporal"]:
        ctx.expect(first["temporal"] == [NEW_YEAR, "2026-01-01", 9], f"Temporal says {first['temporal']}")
    ctx.expect(all(0 <= one < 1 for one in first["random"]) and first["random"][0] != first["random"][1],
               f"random numbers {first['random']}")
    ctx.expect(re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", first["uuid"]), first["uuid"])
    ctx.expect(len(set(first["bytes"])) > 1 and first["words"][0] != first["words"][1], f"random bytes {first['bytes']}")
    frozen = result(talk, "usual()")
    for name, value in usual.items():
        ctx.expect(frozen[name] == value, f"the page can tell by {name}: {frozen[name]}, usually {value}")
    ctx.expect(result(talk, "timers()") == [True, True], "timers do not go on, or the clock does")
    ctx.expect(reloaded(talk) == first, "another load tells something else")
    ctx.expect(result(talk, "(popup = open('inner.html'), new Promise((done) => setTimeout(() => done(popup.Date.now()), 500)))")
               == NEW_YEAR, "a tab that the page opened has another clock")
    talk.do({"success": True}, "tab", op="new", url=url)
    ctx.expect(told(talk) == first, "another tab tells something else")
    # It is restored with a lost page.
    kill(ctx)
    talk.do({"success": True, "recovered": True}, "wait", selector="#time")
    ctx.expect(told(talk) == first, "after a crash the page tells something else")

    freeze(talk, {"time": NEW_YEAR, "seed": 2})
    second = reloaded(talk)
    ctx.match(second, FROZEN, "another seed")
    ctx.expect(all(first[name] != second[name] for name in ("random", "bytes", "words", "uuid")), "the seed changes nothing")
    for clock, ms in (("1999-12-31T23:59:59.5+01:00", 946681199500), ("2030-06-01", 1906502400000), (86400000, 86400000),
                      (True, NEW_YEAR), ({"seed": 1}, NEW_YEAR)):
        freeze(talk, clock)
        ctx.expect(reloaded(talk)["now"] == ms, f"{clock} is taken for another time than {ms}")
    ctx.expect(told(talk) == first, "seed 1 is not what is usual")
    freeze(talk, False)
    thawed = reloaded(talk)
    ctx.expect(thawed["now"] > NEW_YEAR and thawed["inside"][0] > NEW_YEAR and thawed["far"][0] > NEW_YEAR
               and thawed["random"] != first["random"], f"the clock stands although it was taken off: {thawed}")
    ctx.expect(result(talk, "usual()") == usual, "something stays when the clock is taken off")
    for clock in ("2026-02-30", "noon", -1, 0.5, {"time": "now"}, {"seed": -1}, {"tim": 1}, []):
        talk.do({"success": False, "errorCode": "INVALID_ACTION"}, "emulate", json.dumps(clock), clock=clock)
    talk.end()


def freeze(talk, clock):
    talk.do({"success": True}, "emulate", clock=clock)


def result(talk, expression):
    return talk.do({"success": True}, "evaluate", expression=expression)["result"]


def told(talk):
    return result(talk, TOLD)


def reloaded(talk):
    talk.do({"success": True}, "reload")
    return told(talk)
