"""Invalid batches are refused with exit 2 and their position, before Chrome is started: the batches of refused.json, and
two that are made here."""
import json

BROWSER = "any"
ACTION = "<browser_action><type>wait</type><ms>1</ms></browser_action>\n"
SIZE = 11 * 1024 * 1024
MADE = [
    {"batch": "a hundred thousand elements inside each other", "stderr": ["(?i)line 1"],
     "text": "<batch>" + "<a>" * 100000 + "</a>" * 100000 + "</batch>"},
    {"batch": "eleven megabytes", "stderr": [r"(?i)large|limit|long|over|more than|MB|MiB"],
     "text": "<batch>\n" + ACTION * (SIZE // len(ACTION)) + "</batch>\n"},
    {"batch": "one value of eleven megabytes", "stderr": [],
     "text": f"<batch><browser_action><type>type</type><selector>#a</selector><text>{'x' * SIZE}</text></browser_action></batch>"},
]


def run(ctx):
    rows = json.loads((ctx.dir / "refused.json").read_text())
    for row in rows + MADE:
        if "text" in row:
            path = ctx.file("made.xml", row["text"])
        else:
            path = ctx.dir / "batches" / f"{row['batch']}.xml"
        before = len(ctx.problems)
        ctx.run_data({**row, "batch": path, "exit": 2, "nothingRun": True, "seconds": 10})
        refused = ctx.runs[-1]
        ctx.expect(len(refused.stderr) < 4000, f"{len(refused.stderr)} characters on stderr")
        ctx.problems[before:] = [f"{row['batch']}: {problem}" for problem in ctx.problems[before:]]
