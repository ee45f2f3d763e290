"""A snapshot that scrolls waits for the requests that scrolling causes: feeds that answer late, or never."""
import re

BROWSER = "shared"


def texts(result, number, word):
    """Returns the numbers after a word, in the snapshot's order."""
    return [int(found) for found in re.findall(rf"{word} (\d+)", result.response(number)["result"]["text"])]


def said(result, number, level=None):
    return [log["message"] for log in result.response(number)["logs"] if log["source"] == "tool" and level in (None, log["type"])]


def run(ctx):
    result = ctx.run_batch([
        ("start", {"url": ctx.origin + "/case/feed.html?2500", "waitUntil": "load"}),
        ("snapshot", {"scroll": 3, "timeout": 40000}),
        ("navigate", {"url": ctx.origin + "/case/feed.html?60000"}),
        ("snapshot", {"scroll": 3, "timeout": 40000}),
    ])
    for number, response in enumerate(result.responses, 1):
        ctx.expect(response["success"], f"{number}: {response.get('errorCode')}: {response.get('error')}")
    ctx.expect(len(texts(result, 2, "number")) >= 20, f"{result.response(2)['result']['text']}")
    ctx.expect(not [line for line in said(result, 2) if "not answered" in line], f"{said(result, 2)}")
    late = [line for line in said(result, 4, "warning") if "not answered in time" in line]
    ctx.expect(len(late) == 1 and "/slow?ms=60000" in late[0], f"{said(result, 4)}")
