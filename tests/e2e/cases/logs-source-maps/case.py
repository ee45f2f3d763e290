"""Positions of errors are those in the sources, if the script's map is available in time."""
import base64
import json

from answers import Site
from source_maps import mappings

BROWSER = "shared"
SCRIPT = "function a(){throw new Error('mapped')}function b(){console.error('said');a()}setTimeout(b);"


def source_map(name):
    return json.dumps({"version": 3, "sources": [f"../src/{name}.ts", "../src/main.ts"], "names": [],
                       "sourcesContent": ["x" * 1000, ""], "mappings": mappings([
                           (0, 0, 9, 0), (SCRIPT.index("throw"), 0, 10, 4), (SCRIPT.index("function b"), 1, 0, 0),
                           (SCRIPT.index("console"), 1, 4, 2), (SCRIPT.index("a()}set"), 1, 5, 2),
                           (SCRIPT.index("setTimeout"), 1, 8, 0)])}).encode()


def run(ctx):
    javascript = {"Content-Type": "text/javascript"}
    inside = "data:application/json;base64," + base64.b64encode(source_map("inside")).decode()
    scripts = {"served": "maps/served.js.map?v=1", "inside": inside, "missing": "nowhere.map",
               "broken": "maps/broken.map", "plain": None}
    answers = {"/js/maps/served.js.map": (200, {"Content-Type": "application/json"}, source_map("served")),
               "/js/maps/broken.map": (200, {"Content-Type": "application/json"}, b'{"mappings": "???"')}
    for name, reference in scripts.items():
        comment = f"\n//# sourceMappingURL={reference}\n" if reference else ""
        answers[f"/js/{name}.js"] = 200, javascript, (SCRIPT + comment).encode()
        answers[f"/{name}"] = (200, {"Content-Type": "text/html"},
                               f'<!doctype html><link rel="icon" href="data:,"><script src="/js/{name}.js"></script>'.encode())
    site = Site(ctx, answers)
    steps = []
    for name in scripts:
        steps += [("start" if not steps else "navigate", {"url": f"{site.url}/{name}"}), ("wait", {"ms": 300})]
    result = ctx.run_batch(steps, "--screenshots", "none")
    for number, name in enumerate(scripts):
        responses = result.responses[2 * number:2 * number + 2]
        logs = [log for response in responses for log in response["logs"] if log["source"] == "browser"]
        thrown = next((log for log in logs if "mapped" in log["message"]), {})
        said = next((log for log in logs if log["message"] == "said"), {})
        script = f"{site.url}/js/{name}.js"
        at = {what: f"{script}:1:{SCRIPT.index(what) + 1}" for what in ("throw", "console")}
        if name in ("served", "inside"):
            root = f"{site.url}/js/src" if name == "served" else f"{site.url}/src"
            ctx.match(thrown, {"location": {"$regex": f"^{root}/{name}\\.ts:11:\\d+$"},
                               "generatedLocation": {"$regex": f"{script}:1:\\d+$"},
                               "message": {"$regex": f"at a \\({root}/{name}\\.ts:11:5\\)"},
                               "stack": {"$regex": f"at b \\({root}/main\\.ts:6:3\\)"}}, f"{name}: thrown")
            ctx.match(said, {"location": f"{root}/main.ts:5:3", "generatedLocation": {"$regex": script},
                             "stack": {"$regex": f"at b \\({root}/main\\.ts:5:3\\)"}}, f"{name}: said")
        else:
            ctx.match(thrown, {"generatedLocation": {"$absent": True}, "location": {"$regex": f"^{script}:1:\\d+$"},
                               "stack": {"$regex": f"{script}:1:\\d+"}}, f"{name}: thrown")
            ctx.match(said, {"generatedLocation": {"$absent": True}, "stack": {"$regex": script}}, f"{name}: said")
        urls = [event["url"] for response in responses for event in response["networkEvents"]]
        ctx.expect(sorted(urls) == sorted([f"{site.url}/{name}", script]), f"{name}: what was fetched for us is told: {urls}")
        asked = [path for _, path, _ in site.requests if path == f"/js/{name}.js"]
        ctx.expect(len(asked) == 1, f"{name}: the script was asked for {len(asked)} times")
