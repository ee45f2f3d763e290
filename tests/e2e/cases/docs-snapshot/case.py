"""Every command of docs/snapshot.md works, and prints the output shown below it."""
import difflib
import os
import pathlib
import re
import subprocess
import sys

from documents import check_links
from harness import ROOT

BROWSER = "any"
TEXT = (ROOT / "docs" / "snapshot.md").read_text()
# A command, and its output if it is shown.
BLOCK = re.compile(r"<!-- run -->\n```sh\n(.*?)```\n(?:\n```(?:text|json|markdown)\n(.*?)```\n)?", re.S)
# jq is for readers; the tests do not need it.
JQ = "jq -r .result.text"
READER = f"'{sys.executable}' -c 'import json, sys; print(json.load(sys.stdin)[\"result\"][\"text\"])'"


def lines(text):
    """Returns lines without positions of boxes, which depend on fonts."""
    return re.sub(r"\[\d+(,\d+){3}\]", "[box]", text).rstrip().splitlines()


def run(ctx):
    ctx.environment["PATH"] = f"{pathlib.Path(ctx.options.binary).resolve().parent}:{os.environ['PATH']}"
    blocks = BLOCK.findall(TEXT)
    ctx.expect(len(blocks) >= 5, f"only {len(blocks)} blocks are marked")
    for script, shown in blocks:
        done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", ctx.adapt(script).replace(JQ, READER)],
                              cwd=ctx.work, env=ctx.environment, capture_output=True, text=True, timeout=120,
                              stdin=subprocess.DEVNULL)
        ctx.expect(done.returncode == 0, f"exit {done.returncode} of:\n{script}\n{done.stderr[-800:]}")
        if shown:
            difference = "\n".join(difflib.unified_diff(lines(ctx.adapt(shown)), lines(done.stdout), "the text",
                                                        "the program", lineterm=""))
            ctx.expect(not difference, f"{script}\n{difference}")
    check_links(ctx, TEXT)
    options = subprocess.run([ctx.options.binary, "snapshot", "--help"], capture_output=True, text=True, timeout=30).stdout
    for option in sorted(set(re.findall(r"`(--[a-z-]+)", TEXT))):
        ctx.expect(option in options, f"snapshot has no {option}")
