"""--debug, --debug-dir and `debug` of an action: which files are written, and their content."""
import json
import pathlib
import re
import stat

from harness import batch
from pictures import Picture

BROWSER = "shared"
SECRET = "hunter2-and-more"
NAME = re.compile(r"^(\d{4})-([a-z]+)-\d{8}T\d{6}\.\d{3}Z-(pre|post)(-drawn)?\.(jpg|png)$")
STEPS = [
    ("type", {"selector": "#input", "text": SECRET, "label": "the word"}),
    ("click", {"selector": "#go", "visualVerify": True, "visualSeed": 7}),
    ("hover", {"xRange": {"min": 10, "max": 50}, "yRange": {"min": 20, "max": 40}}),
    ("evaluate", {"expression": "console.log('said so')"}),
    ("screenshot", {"fullPage": True, "format": "png"}),
    ("click", {"selector": "#none", "timeout": 700}),
    ("stop", {}),
]


def metadata_of(directory):
    return json.loads((directory / "metadata.json").read_text())


def directory_of(ctx, response):
    directory = pathlib.Path(response["debugFiles"]["directory"])
    ctx.expect(directory.is_absolute() and directory.is_dir(), f"no such directory: {directory}")
    return directory


def check_names(ctx, directory, responses):
    """Every file is named in one answer, and vice versa."""
    named = [name for response in responses for name in response["debugFiles"]["files"]]
    there = {path.name for path in directory.iterdir()}
    ctx.expect(there == {*named, "metadata.json", "log.ndjson"}, f"{there} instead of {named}")
    for response in responses:
        for name in response["debugFiles"]["files"]:
            found = NAME.match(name)
            ctx.expect(found and int(found[1]) == response["id"] and found[2] == response["type"],
                       f"response {response['id']}: {name}")


def check_pictures(ctx, result, directory, entries):
    for response, entry in zip(result.responses, entries):
        pictures = {picture["which"]: picture for picture in entry["pictures"]}
        ctx.expect(set(pictures) == set(response.get("screenshots", {})), f"{entry['id']}: {pictures.keys()}")
        for which, picture in pictures.items():
            content = (directory / picture["file"]).read_bytes()
            ctx.expect(content == result.picture(response["id"], which), f"{picture['file']}: not the answer's")
            capture = response["captures"][which]
            for name in ("width", "height", "scale", "bytes", "capturedAt"):
                ctx.expect(picture[name] == capture[name], f"{picture['file']}: {name} {picture[name]}")
            ctx.expect(picture["format"] == Picture(content).format, f"{picture['file']}: {picture['format']}")
            if "drawn" in picture:
                drawn = Picture((directory / picture["drawn"]).read_bytes())
                ctx.expect((drawn.format, drawn.width, drawn.height) == ("png", picture["width"], picture["height"]),
                           f"{picture['drawn']}: {drawn.summary()}")


def check_quality(ctx, url):
    """The recorded quality of each picture is the one used, whatever was requested."""
    path = ctx.file("quality.xml", batch([
        ("start", {"url": url}),
        ("screenshot", {"quality": 60}),
        ("screenshot", {"quality": 60, "maxBytes": 4250}),
        ("screenshot", {"format": "webp", "quality": 40})]))
    result = ctx.run(["run", path, *ctx.usual_args(), "--debug", "--debug-dir", ctx.work / "quality"])
    entries = metadata_of(directory_of(ctx, result.response(1)))["actions"]
    found = [{picture["which"]: picture["quality"] for picture in entry["pictures"]} for entry in entries]
    lowered = re.findall(r"gets quality (\d+)", " ".join(log["message"] for log in result.response(3)["logs"]))
    ctx.expect(lowered, f"maxBytes lowered no quality: {result.response(3)['logs']}")
    ctx.expect(found[:2] == [{"post": 25}, {"pre": 25, "post": 60}], f"{found}")
    ctx.expect(found[2] == {"pre": 25, "post": int(lowered[-1])} and found[3] == {"pre": 25, "post": 40}, f"{found}")


def run(ctx):
    url = f"{ctx.origin}/case/page.html"
    path = ctx.file("batch.xml", batch([("start", {"url": url}), *STEPS]))
    result = ctx.run(["run", path, *ctx.usual_args(), "--debug", "--debug-dir", ctx.work / "kept"])
    first = directory_of(ctx, result.response(1))
    ctx.expect(first.parent == ctx.work / "kept", f"{first} is not below what was given")
    ctx.expect(result.stderr.count(str(first)) == 1, f"stderr: {result.stderr}")
    ctx.expect(stat.S_IMODE(first.stat().st_mode) == 0o700, "others may read it")
    metadata = metadata_of(first)
    ctx.expect(metadata["sessionId"] == result.response(1)["sessionId"], f"of the session {metadata['sessionId']}")
    entries = metadata["actions"]
    ctx.expect([entry["type"] for entry in entries] == ["start"] + [kind for kind, _ in STEPS], f"{entries}")
    ctx.expect(metadata["settings"]["quality"] == 25 and metadata["settings"]["viewport"]["width"] == 1280,
               f"{metadata['settings']}")
    check_names(ctx, first, result.responses)
    check_pictures(ctx, result, first, entries)

    _, typed, click, hover, _, full, failed, _ = entries
    ctx.match(typed, {"label": "the word", "success": True}, "type")
    ctx.match(hover["mouse"], {"point": {"x": 30, "y": 30}, "area": {"x": 10, "y": 20, "width": 40, "height": 20}},
              "hover")
    ctx.expect(any("drawn" in picture for picture in click["pictures"]), f"nothing is drawn: {click['pictures']}")
    area, point = click["mouse"]["area"], click["mouse"]["point"]
    ctx.expect(area["x"] < point["x"] < area["x"] + area["width"] and
               area["y"] < point["y"] < area["y"] + area["height"], f"click: {click['mouse']}")
    verdict = click["visualVerify"]
    ctx.match(verdict, {"outcome": "repainted", "seed": 7, "threshold": 0, "points": [point]}, "click")
    changed = verdict["changedArea"]
    ctx.expect(0 < verdict["changedFraction"] < 0.01 and area["x"] < changed["x"] and
               changed["x"] + changed["width"] < area["x"] + area["width"], f"click: {verdict}")
    ctx.expect("mouse" not in full and "drawn" not in full["pictures"][-1], f"screenshot: {full}")
    ctx.match(failed, {"success": False, "errorCode": "TARGET_NOT_FOUND"}, "the click that failed")
    ctx.expect("mouse" not in failed, f"a click that never was: {failed.get('mouse')}")
    ctx.expect(all(entry["metrics"]["jsErrors"] >= 0 for entry in entries), "no metrics")

    # Typed text is in no text file; the pictures may show it.
    logs = [json.loads(line) for line in (first / "log.ndjson").read_text().splitlines()]
    ctx.expect(all(1 <= log["action"] <= len(entries) and log["message"] for log in logs), f"{logs}")
    ctx.expect(any(log["message"] == "said so" for log in logs), "no log of the page")
    for name in ("metadata.json", "log.ndjson"):
        ctx.expect(SECRET not in (first / name).read_text(), f"{name} has what was typed")

    check_quality(ctx, url)

    # A second run has its own directory; without --debug only the actions that ask have files.
    path = ctx.file("some.xml", batch([("start", {"url": url}), ("evaluate", {"expression": "1"}),
                                       ("evaluate", {"expression": "2", "debug": True})]))
    some = ctx.run(["run", path, *ctx.usual_args()])
    second = directory_of(ctx, some.response(3))
    ctx.expect(second.parent == ctx.work / "browser-runner-debug", f"{second} is not where it is said to be")
    ctx.expect(not any("debugFiles" in some.response(i) for i in (1, 2)), "files that nobody asked for")
    ctx.expect([entry["id"] for entry in metadata_of(second)["actions"]] == [3], "the wrong actions")
    check_names(ctx, second, some.responses[2:])
    third = ctx.run(["run", path, *ctx.usual_args()])
    ctx.expect(directory_of(ctx, third.response(3)) != second, "two runs share a directory")

    # An unwritable directory is reported before anything runs.
    ctx.file("in-the-way", "")
    plain = ctx.file("plain.xml", batch([("start", {"url": url})]))
    for args in (["--debug-dir", ctx.work / "in-the-way"], ["--debug", "--debug-dir", ctx.work / "a" / "b"]):
        refused = ctx.run(["run", plain, "--chrome", ctx.mark_chrome(), *args])
        ctx.expect(refused.exit == 2 and not refused.responses, f"{args}: exit {refused.exit}")
        ctx.expect(str(args[-1]) in refused.stderr, f"{args}: {refused.stderr}")
    ctx.expect(not ctx.marked(), "a browser was started")
