"""A snapshot that scrolls: boxes with their own scroll bars."""
import re

BROWSER = "shared"


def texts(result, number, word):
    """Returns the numbers after a word, in the snapshot's order."""
    return [int(found) for found in re.findall(rf"{word} (\d+)", result.response(number)["result"]["text"])]


def said(result, number, level=None):
    return [log["message"] for log in result.response(number)["logs"] if log["source"] == "tool" and level in (None, log["type"])]


def run(ctx):
    url = ctx.origin + "/case/boxes.html"
    result = ctx.run_batch([
        ("start", {"url": url}),
        ("snapshot", {}),
        ("snapshot", {"scroll": 10}),
        ("snapshot", {"scroll": 5, "role": "feed"}),
        ("snapshot", {"scroll": 10, "selector": "#messages", "format": "markdown"}),
        ("evaluate", {"expression": "JSON.stringify([messages.scrollTop, rows.scrollTop, scrollY])"}),
        ("navigate", {"url": url + "?long"}),
        ("snapshot", {"scroll": 10}),
        ("evaluate", {"expression": "JSON.stringify([messages.scrollTop, rows.scrollTop, scrollY])"}),
        ("snapshot", {"format": "json"}),
        ("navigate", {"url": url + "?none"}),
        ("snapshot", {"scroll": 3}),
        ("navigate", {"url": url}),
        ("scroll", {"selector": "#messages", "y": 100}),
        ("snapshot", {"scroll": 10, "selector": "#messages"}),
        ("evaluate", {"expression": "messages.scrollTop"}),
    ])
    for number, response in enumerate(result.responses, 1):
        ctx.expect(response["success"], f"{number}: {response.get('errorCode')}: {response.get('error')}")
    text = result.response(2)["result"]["text"]
    for line in (r'list "Messages" e\d+ scrollable\n', r'feed "News" e\d+ scrollable\n', r'scrollable "a long'):
        ctx.expect(re.search(line, text), f"{line}: {text}")
    # The page itself does not scroll: the largest box does, and the other one is named.
    ctx.expect(texts(result, 3, "Post") == list(range(1, 17)), f"posts: {result.response(3)['result']['text']}")
    ctx.expect(any(re.search(r'pass one as node: list "Messages" e\d+$', line) for line in said(result, 3)), f"{said(result, 3)}")
    ctx.expect(texts(result, 4, "Post") == list(range(1, 17)), f"posts: {result.response(4)['result']['text']}")
    ctx.expect(len(texts(result, 5, "Message")) >= 12, f"Markdown: {result.response(5)['result']['text']}")
    ctx.match(result.response(6), {"result": "[0,0,0]"}, "where the boxes stand")
    # A longer page is scrolled itself, and its boxes are named.
    ctx.expect(any(re.search(r'pass one as node: feed "News" e\d+, list "Messages" e\d+$', line) for line in said(result, 8)),
               f"{said(result, 8)}")
    ctx.match(result.response(9), {"result": "[0,0,0]"}, "where they stand on the longer page")
    tree = str(result.response(10)["result"]["page"])
    ctx.expect(tree.count("'scrollable': True") == 3, tree)
    ctx.expect("there was nothing to scroll to" in said(result, 12), f"{said(result, 12)}")
    ctx.match(result.response(16), {"result": 100}, "where the box stands that had been scrolled")
