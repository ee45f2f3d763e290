"""Surrogate pairs that are cut or incomplete: answers are valid whatever text a page has."""
import json

BROWSER = "shared"
STEPS = [
    ("click", {"selector": "#edge"}, {"success": True}),
    ("click", {"selector": "#half"}, {"success": True}),
    ("evaluate", {"expression": "hits"}, {"success": True, "result": 2}),
    ("click", {"selector": "#under", "timeout": 600},
     {"success": False, "errorCode": "TARGET_OBSCURED", "error": {"$regex": "cover"}}),
    ("click", {"selector": "button", "timeout": 600},
     {"success": False, "errorCode": "TARGET_AMBIGUOUS"}),
    ("evaluate", {"expression": "document.title = 'before \\ud83d after'; 1"},
     {"success": True, "title": {"$regex": "^before .* after$"}}),
    ("evaluate", {"expression": "document.title = 'Emoji'; console.log('logged \\ud83d end'); 2"},
     {"success": True, "logs": {"$contains": {"message": {"$regex": "logged .* end"}}}}),
    ("evaluate", {"expression": "'result \\ud83d end'"}, {"success": True, "result": {"$regex": "^result .* end$"}}),
    ("evaluate", {"expression": "({ '\\ud83d': ['\\ude00'] })"}, {"success": True, "result": {"$type": "object"}}),
    ("evaluate", {"expression": "throw new Error('thrown \\ud83d end')"},
     {"success": False, "errorCode": "EVAL_ERROR"}),
    ("type", {"selector": "#edge", "text": "x"}, {"success": False, "errorCode": "INVALID_ACTION"}),
    ("evaluate", {"expression": "'\\ud83d\\ude00'"}, {"success": True, "result": "\U0001f600"}),
]


def run(ctx):
    result = ctx.run_batch([("start", {"url": ctx.origin + "/case/emoji.html", "timeout": 30000})]
                           + [(kind, parameters) for kind, parameters, _ in STEPS],
                           "--screenshots", "none", "--timeout", "5000")
    ctx.expect(len(result.responses) == len(STEPS) + 1, f"{len(result.responses)} responses")
    for number, (kind, parameters, pattern) in enumerate(STEPS, 2):
        ctx.match(result.response(number), pattern, f"response {number} ({kind} {parameters})")
    for line in result.stdout.splitlines():
        try:
            # A lone surrogate can be written as \ud83d, but is not text and cannot be encoded.
            json.dumps(json.loads(line.decode()), ensure_ascii=False).encode()
        except UnicodeError as error:
            ctx.problem(f"a line with half a sign: {error}: {line[:300]}")
