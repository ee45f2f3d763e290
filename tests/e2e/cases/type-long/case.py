"""Long texts are inserted at once where no script of the page would notice keys; otherwise key by key. A TIMEOUT says how many
characters went in."""
import re

BROWSER = "shared"

TEXT = "A line of words, with ümläüts. " * 5 + "End"


def run(ctx):
    # the field, and how many input events it gets; None: one for each character
    fields = [("#plain", "plain", 1), ("#listens", "listens", None), ("#inside", "inside", None), ("#rich", "rich", 1),
              ("#before", "before", None), ("#small", "small", None), ("#shadow-field", "field", 1)]
    steps = [("start", {"url": ctx.origin + "/case/index.html"})]
    for selector, name, _ in fields:
        steps += [("type", {"selector": selector, "text": TEXT}), ("evaluate", {"expression": f"inputs.{name}"})]
    steps += [("evaluate", {"expression": "[plain, listens, inside, before, small, field].map(({ value }) => value)"}),
              ("evaluate", {"expression": "keys"}), ("evaluate", {"expression": "rich.textContent"}),
              ("type", {"selector": "#plain", "text": "short", "clear": True}), ("evaluate", {"expression": "inputs.plain"}),
              ("type", {"selector": "#plain", "text": TEXT[:120], "delay": 1, "clear": True}),
              ("evaluate", {"expression": "inputs.plain"}),
              ("type", {"selector": "#slow", "text": TEXT, "timeout": 2000, "retryOptions": {"maxRetries": 0}}),
              ("evaluate", {"expression": "slow.value.length"})]
    result = ctx.run_batch(steps, "--screenshots", "none", "--timeout", "20000")
    for i, (selector, _, count) in enumerate(fields):
        ctx.match(result.response(2 * i + 2), {"success": True}, f"type into {selector}")
        ctx.match(result.response(2 * i + 3), {"result": count or len(TEXT)}, f"input events of {selector}")
    number = 2 * len(fields) + 2
    ctx.match(result.response(number), {"result": [TEXT] * 6}, "the texts")
    keyed = len(TEXT) - TEXT.count("ü") - TEXT.count("ä")
    ctx.match(result.response(number + 1), {"result": {"listens": keyed, "inside": keyed}}, "keys")
    ctx.match(result.response(number + 2), {"result": TEXT}, "the editor")
    # Emptying the field is one event more.
    ctx.match(result.response(number + 4), {"result": 7}, "a short text is typed key by key")
    ctx.match(result.response(number + 6), {"result": 7 + 1 + 120}, "with a delay, every character is a key")
    slow, length = result.response(number + 7), result.response(number + 8).get("result")
    ctx.match(slow, {"errorCode": "TIMEOUT", "error": {"$regex": rf"^\d+ of {len(TEXT)} characters were typed: "}}, "slow")
    said = int(re.match(r"\d+", slow.get("error") or "0").group())
    ctx.expect(0 < said <= length <= said + 10, f"said {said} characters, of which {length} are there")
