"""A snapshot that scrolls on: the additions of each screen, once, within its limits, and back to where it began."""
import json
import re

BROWSER = "shared"


def run(ctx):
    result = ctx.run_batch([
        ("start", {"url": ctx.origin + "/case/endless.html"}),
        ("snapshot", {}),
        ("snapshot", {"scroll": 4}),
        ("evaluate", {"expression": "scrollY"}),
        ("navigate", {"url": ctx.origin + "/case/virtual.html"}),
        ("scroll", {"y": 300, "mode": "absolute"}),
        ("wait", {"text": "Row 003"}),
        ("wait", {"expression": "!document.body.innerText.includes('Row 002')"}),
        ("snapshot", {"scroll": 100}),
        ("evaluate", {"expression": "scrollY"}),
        ("navigate", {"url": ctx.origin + "/case/endless.html"}),
        ("snapshot", {"scroll": 100, "timeout": 6000}),
        ("evaluate", {"expression": "scrollY"}),
        ("navigate", {"url": ctx.origin + "/case/endless.html"}),
        ("snapshot", {"scroll": 3, "format": "json", "stats": True}),
        ("navigate", {"url": ctx.origin + "/case/endless.html"}),
        ("snapshot", {"scroll": 3, "format": "markdown"}),
        ("navigate", {"url": ctx.origin + "/case/virtual.html"}),
        ("snapshot", {"scroll": 5, "format": "json"}),
    ], "--screenshots", "none")
    for number, response in enumerate(result.responses, 1):
        ctx.expect(response["success"], f"{number}: {response.get('errorCode')}: {response.get('error')}")

    def stories(number):
        return [int(story) for story in re.findall(r"Story number (\d+)", result.response(number)["result"]["text"])]

    ctx.expect(stories(2) == list(range(1, 11)), f"before: {stories(2)}")
    ctx.expect(len(stories(3)) > 25 and stories(3) == list(range(1, len(stories(3)) + 1)), f"scrolled: {stories(3)}")
    ctx.match(result.response(4), {"result": 0}, "where the page stands afterwards")

    text = result.response(9)["result"]["text"]
    rows = [int(row) for row in re.findall(r"Row (\d+) of sixty", text)]
    ctx.expect(rows == list(range(3, rows[-1] + 1)) and rows[-1] >= 58, f"rows of a list that keeps only what is in view: {rows}")
    ctx.match(result.response(10), {"result": 300}, "where the second page stands")

    # An endless page is left in time, with what was seen so far.
    ctx.expect(len(stories(12)) > 20, f"endless: {stories(12)}")
    ctx.expect(any("the time was used up" in log["message"] for log in result.response(12)["logs"]), "nothing says that time was over")
    ctx.match(result.response(13), {"result": 0}, "where the endless page stands")

    # The other forms: a tree with all of them in one list, and Markdown with each line once.
    def numbers(number, what):
        return [int(found) for found in re.findall(what, json.dumps(result.response(number)["result"]))]

    page = result.response(15)["result"]["page"]["body"]
    lists = [child for child in page["children"] if child["tag"] == "ul"]
    ctx.expect(len(lists) == 1 and len(lists[0]["children"]) == len(numbers(15, r"Story number (\d+)")) > 15, f"tree: {page}")
    stats = result.response(15)["result"]["stats"]
    ctx.expect(stats["totalNodes"] == sum(stats[kind] for kind in ("semanticNodes", "nonSemanticNodes", "structuralNodes"))
               and stats["totalNodes"] > 10 and 0 <= stats["captureTimeMs"] < 30000 and stats["leftOut"] == 0, f"{stats}")
    said = numbers(17, r"Story number (\d+)")
    ctx.expect(len(said) > 15 and said == list(range(1, len(said) + 1)) and "<!-- screen: 2 -->" in
               result.response(17)["result"]["text"], f"Markdown: {result.response(17)['result']}")
    rows = numbers(19, r"Row (\d+) of sixty")
    ctx.expect(sorted(set(rows)) == sorted(rows) and len(rows) > 20, f"rows in the tree: {rows}")
    check_tokens(ctx)


def check_tokens(ctx):
    """maxTokens applies to all screens together, and ends the scrolling."""
    for form in ("text", "json"):
        ran = ctx.run_batch([
            ("start", {"url": ctx.origin + "/case/endless.html"}),
            ("snapshot", {"format": form}),
            ("navigate", {"url": ctx.origin + "/case/endless.html"}),
            ("snapshot", {"format": form, "scroll": 5, "maxTokens": 200 if form == "text" else 900}),
            ("evaluate", {"expression": "scrollY"}),
            ("navigate", {"url": ctx.origin + "/case/endless.html"}),
            ("snapshot", {"format": form, "scroll": 5, "maxTokens": 60 if form == "text" else 200}),
            ("navigate", {"url": ctx.origin + "/case/endless.html"}),
            ("snapshot", {"format": form, "scroll": 1, "maxTokens": 100000}),
        ], "--screenshots", "none")
        said = [json.dumps(ran.response(number)["result"]) for number in (2, 4, 7, 9)]
        counts = [len(re.findall(r"Story number (\d+)", text)) for text in said]
        ctx.expect(counts[0] == 10 < counts[1] < counts[3] and counts[2] <= 10, f"{form}: stories: {counts}: {said[1]}")
        ends = [text.count("(left out for ") for text in said]
        ctx.expect(ends == [0, 1, 1, 0], f"{form}: what is said of the rest: {ends}: {said}")
        for number, wanted in ((4, True), (7, True), (9, False)):
            told = [log["message"] for log in ran.response(number)["logs"] if "maxTokens" in log["message"]]
            ctx.expect(len(told) == wanted, f"{form}: logs of {number}: {told}")
        ctx.match(ran.response(5), {"result": 0}, f"{form}: where the page stands")
