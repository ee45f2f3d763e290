"""The state as a file: saved, loaded by another browser, in the format of Playwright's storageState."""
import json
import stat
import time

BROWSER = "any"
SET = """(() => {
  document.cookie = 'session=s1; path=/';
  document.cookie = 'strict=l1; path=/; max-age=3600; samesite=strict';
  localStorage.setItem('name', 'Zo\u00eb \u2713');
  localStorage.setItem('', 'no name');
  sessionStorage.setItem('tab', 'only');
  return 1;
})()"""
SEEN = "document.getElementById('seen').textContent"
COOKIE = {"httpOnly": False, "secure": False, "path": "/", "domain": "127.0.0.1"}
KEYS = {"name", "value", "domain", "path", "expires", "httpOnly", "secure", "sameSite"}
# As playwright-core writes it.
PLAYWRIGHT = """{
  "cookies": [
    {"name": "login", "value": "yes", "domain": "127.0.0.1", "path": "/", "expires": -1,
     "httpOnly": true, "secure": false, "sameSite": "Lax"},
    {"name": "old", "value": "x", "domain": "127.0.0.1", "path": "/", "expires": 1000000000,
     "httpOnly": false, "secure": false, "sameSite": "Lax"},
    {"name": "wide", "value": "1", "domain": ".example.org", "path": "/p", "expires": 4000000000,
     "httpOnly": false, "secure": true, "sameSite": "None"},
    {"name": "part", "value": "2", "domain": "example.net", "path": "/", "expires": -1,
     "httpOnly": false, "secure": true, "sameSite": "None",
     "partitionKey": "https://example.com", "_crHasCrossSiteAncestor": true}
  ],
  "origins": [
    {"origin": "http://127.0.0.1:8765", "localStorage": [{"name": "a", "value": "1"}, {"name": "b", "value": ""}]},
    {"origin": "https://example.org", "localStorage": [{"name": "far", "value": "away"}]}
  ]
}"""


def state(ctx, name):
    return json.loads((ctx.work / name).read_text())


def run(ctx):
    page = ctx.origin + "/case/"
    other = page.replace("127.0.0.1", "localhost")
    quiet = ("--screenshots", "none")
    (ctx.work / "state.json").write_text("before")
    saved = ctx.run_batch([
        ("start", {"url": page}), ("evaluate", {"expression": SET}),
        ("navigate", {"url": other}), ("evaluate", {"expression": "localStorage.other = 'there'"}),
        ("start", {"url": "about:blank"}),
        ("storage", {"op": "save", "file": "state.json"}), ("cookies", {"op": "save", "file": "cookies.json"}),
        ("cookies", {"op": "save", "name": "strict", "file": "one.json"})], *quiet)
    ctx.match(saved.response(6), {"success": True, "result": {"$exactly": {"cookies": 2, "origins": 2}}}, "save")
    ctx.match(saved.response(7), {"success": True, "result": {"cookies": 2, "origins": 0}}, "cookies save")
    held = state(ctx, "state.json")
    cookies = {cookie["name"]: cookie for cookie in held["cookies"]}
    ctx.match(cookies, {"session": {**COOKIE, "value": "s1", "expires": -1, "sameSite": "Lax"},
                        "strict": {**COOKIE, "value": "l1", "sameSite": "Strict"}}, "cookies of the file")
    ctx.expect(time.time() < cookies["strict"]["expires"] < time.time() + 3700, "expires in seconds")
    ctx.expect(all(set(cookie) == KEYS for cookie in held["cookies"]), f"members: {held['cookies']}")
    origins = {entry["origin"]: {pair["name"]: pair["value"] for pair in entry["localStorage"]}
               for entry in held["origins"]}
    ctx.expect(origins == {ctx.origin: {"name": "Zo\u00eb \u2713", "": "no name"},
                           ctx.origin.replace("127.0.0.1", "localhost"): {"other": "there"}}, f"origins: {origins}")
    ctx.match(state(ctx, "cookies.json"), {"cookies": {"$length": 2}, "origins": []}, "cookies.json")
    ctx.match(state(ctx, "one.json"), {"cookies": [{"name": "strict"}], "origins": []}, "one.json")
    mode = stat.S_IMODE((ctx.work / "state.json").stat().st_mode)
    ctx.expect(mode == 0o600, f"mode {mode:o}")
    left = sorted(path.name for path in ctx.work.iterdir() if path.name.startswith("state"))
    ctx.expect(left == ["state.json"], f"left behind: {left}")

    # Another browser: everything is there before the first script; no server was asked for it.
    before = ctx.counts().get("visits", 0)
    loaded = ctx.run_batch([
        ("start", {"url": "about:blank"}), ("storage", {"op": "load", "file": "state.json"}),
        ("evaluate", {"expression": "fetch('%s/counts').then(() => 1, () => 0)" % ctx.origin}),
        ("navigate", {"url": page}), ("evaluate", {"expression": f"[{SEEN}, document.cookie]"}),
        ("start", {"url": other}), ("evaluate", {"expression": f"[{SEEN}, document.cookie]"})], *quiet)
    ctx.match(loaded.response(2), {"success": True, "result": {"cookies": 2, "origins": 2}}, "load")
    ctx.match(loaded.response(5), {"success": True, "result": [
        '{"name":"Zo\u00eb \u2713","":"no name"}', "session=s1; strict=l1"]}, "the page after load")
    ctx.match(loaded.response(7), {"success": True, "result": ['{"other":"there"}', ""]}, "the other origin")
    ctx.expect(ctx.counts()["visits"] == before + 2, f"visits: {ctx.counts()}")

    # A file of Playwright's, while a page is open; the origin's storage is replaced, cookies stay.
    ctx.file("playwright.json", PLAYWRIGHT)
    theirs = ctx.run_batch([
        ("start", {"url": page}), ("evaluate", {"expression": SET}),
        ("storage", {"op": "load", "file": "playwright.json"}), ("navigate", {"url": page}),
        ("evaluate", {"expression": f"[{SEEN}, document.cookie]"}), ("cookies", {"op": "get"}),
        ("storage", {"op": "save", "file": "again.json"}),
        ("storage", {"op": "clear"}), ("cookies", {"op": "clear"}), ("cookies", {"op": "load", "file": "playwright.json"}),
        ("cookies", {"op": "get", "name": "login"}), ("storage", {"op": "get"})], *quiet)
    ctx.match(theirs.response(3), {"success": True, "result": {"cookies": 4, "origins": 2}}, "Playwright's file")
    ctx.match(theirs.response(5), {"success": True, "result": ['{"b":"","a":"1"}', "session=s1; strict=l1"]}, "loaded")
    ctx.match(theirs.response(11), {"success": True, "result": [{"value": "yes", "httpOnly": True, "session": True}]},
              "cookies load")
    ctx.match(theirs.response(12), {"success": True, "result": {"$exactly": {}}}, "cookies load leaves storage alone")
    again = state(ctx, "again.json")
    wanted = json.loads(ctx.adapt(PLAYWRIGHT))
    ours = {"session", "strict"}
    for cookie in (*again["cookies"], *wanted["cookies"]):
        if cookie["name"] == "wide":
            del cookie["expires"]  # Chrome keeps none for longer than 400 days
    by_name = lambda held: sorted((c for c in held["cookies"] if c["name"] not in ours | {"old"}), key=lambda c: c["name"])
    ctx.expect(by_name(again) == by_name(wanted), f"cookies again: {by_name(again)}")
    ctx.expect(sorted(again["origins"], key=str) == sorted(wanted["origins"], key=str), f"origins again: {again['origins']}")

    # An error in a file is reported with its position, and nothing of the file is set.
    for name, content in (("broken", "{"), ("list", "[]"), ("place", PLAYWRIGHT.replace('"path": "/p"', '"path": 7')),
                          ("site", PLAYWRIGHT.replace('"sameSite": "None"', '"sameSite": "none"')),
                          ("origin", PLAYWRIGHT.replace('"https://example.org"', '"https://example.org/path"')),
                          ("pair", PLAYWRIGHT.replace('"name": "far", ', ""))):
        ctx.file(name + ".json", content)
    bad = ctx.run_batch([("start", {"url": page, "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})] + [
        ("storage", {"op": "load", "file": name}) for name in (
            "broken.json", "list.json", "place.json", "site.json", "origin.json", "pair.json", "none.json", ".")] + [
        ("storage", {"op": "save", "file": "no/such/state.json"}), ("cookies", {"op": "get"})], *quiet)
    for number, reason in enumerate(("broken", "cookies is no array", r"cookies\[2\]\.path", r"cookies\[2\]\.sameSite",
                                     r"origins\[1\]\.origin", r"origins\[1\]\.localStorage\[0\]\.name", "No such file",
                                     "is not a file", "no/such"), 2):
        ctx.match(bad.response(number), {"success": False, "errorCode": "INVALID_ACTION", "error": {"$regex": reason}},
                  f"response {number}")
    ctx.match(bad.response(11), {"success": True, "result": {"$length": 0}}, "nothing was set")

    # Invalid parameters are reported before anything runs.
    chrome = ctx.mark_chrome()
    for kind, params, reason in (("storage", {"op": "save"}, "needs a file"), ("cookies", {"op": "load"}, "needs a file"),
                                 ("storage", {"op": "get", "file": "a"}, "is for op"),
                                 ("cookies", {"op": "clear", "file": "a"}, "is for op"),
                                 ("cookies", {"op": "set", "name": "a", "value": "b", "file": "a"}, "is for op"),
                                 ("cookies", {"op": "load", "file": "a", "name": "b"}, "op \"load\""),
                                 ("storage", {"op": "save", "file": "a", "area": "local"}, "whole state"),
                                 ("storage", {"op": "save", "file": ""}, "is empty")):
        refused = ctx.run(["run", ctx.batch([(kind, params)], "bad.xml"), "--chrome", chrome])
        ctx.expect(refused.exit == 2 and reason in refused.stderr, f"{kind} {params}: {refused.exit} {refused.stderr}")
    ctx.expect(not ctx.marked(), "Chrome was started")
