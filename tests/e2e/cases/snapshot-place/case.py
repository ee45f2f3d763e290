"""Positions in a snapshot, pictures of elements with display: contents, and the page of an empty answer."""
import re

from answers import Site

BROWSER = "shared"


def lines(result, number):
    return [re.sub(r"\be\d+\b", "eN", line.strip()) for line in result.response(number)["result"]["text"].splitlines()]


def run(ctx):
    url = ctx.origin + "/case/places.html"
    site = Site(ctx, {"/none": (404, {}, b"")})
    result = ctx.run_batch([
        ("start", {"url": url, "maxConsecutiveErrors": 0}),
        ("snapshot", {}),
        ("snapshot", {"format": "json"}),
        ("evaluate", {"expression": "scrollTo(0, document.querySelectorAll('#last a')[3].getBoundingClientRect().top)"}),
        ("snapshot", {}),
        ("navigate", {"url": url + "?cut"}),
        ("snapshot", {}),
        ("screenshot", {"selector": "#contents", "format": "png"}),
        ("screenshot", {"selector": "#slot", "format": "png"}),
        ("navigate", {"url": site.url + "/none"}),
        ("snapshot", {}),
        ("snapshot", {"format": "json"}),
        ("wait", {"url": site.url + "/none", "timeout": 3000}),
        ("wait", {"url": "*/elsewhere", "timeout": 600}),
    ], "--screenshots", "explicit")
    for number, response in enumerate(result.responses[:-1], 1):
        ctx.expect(response["success"], f"{number}: {response.get('errorCode')}: {response.get('error')}")
    outside(ctx, result)
    in_lines(ctx, result)
    box = result.response(8)["captures"]["post"]
    ctx.expect(box["width"] >= 80 and 30 <= box["height"] <= 60, f"the picture of display: contents: {box}")
    box = result.response(9)["captures"]["post"]
    ctx.expect((box["width"], box["height"]) == (80, 30), f"the picture of a slot: {box}")
    ctx.expect(lines(result, 11)[0].endswith(f" {site.url}/none 1280x720"), f"{lines(result, 11)}")
    ctx.match(result.response(12)["result"], {"page": {"context": {"url": site.url + "/none"}}}, "the tree of an empty answer")
    ctx.match(result.response(14), {"errorCode": "TIMEOUT", "error": {"$regex": f"it is {site.url}/none"}}, "a wait for another URL")


def outside(ctx, result):
    first = lines(result, 2)
    for line in ('link "Skip" eN offscreen', 'navigation "Left" eN offscreen', 'link "One" eN link "Two" eN',
                 'navigation "Right" eN offscreen', '"Higher than the page" offscreen', 'button "Sheet" eN offscreen'):
        ctx.expect(line in first, f"{line}: {first}")
    ctx.expect(not any("offscreen" in line for line in first if "In 1" in line or "First" in line), f"{first}")
    tree = str(result.response(3)["result"]["page"])
    ctx.expect(tree.count("'place': 'outside'") == 5, tree)
    ctx.expect('button "Cut aside" eN offscreen' in lines(result, 7), f"{lines(result, 7)}")


def in_lines(ctx, result):
    """A position line precedes the line of which most is there."""
    first = lines(result, 2)
    card = next(index for index, line in enumerate(first) if "In 1" in line)
    ctx.expect("(below the viewport)" not in first[:card] and first[card + 1] == "(below the viewport)", f"{first}")
    later = lines(result, 5)
    card = next(index for index, line in enumerate(later) if "Up 1" in line)
    marks = [line for line in later[:card] if line.startswith("(")]
    ctx.expect(marks[-1:] == ["(in view)"] and "(above the viewport)" in marks, f"{later}")
