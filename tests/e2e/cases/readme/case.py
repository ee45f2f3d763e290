"""Every command of README.md that is marked to be run works, and has the described output: the first half; readme-rest has
the others."""
import json
import os
import pathlib
import re
import subprocess

from harness import ROOT
from pictures import Picture

BROWSER = "any"
# Blocks of the first half whose files the second half reads.
NEEDED = ("> smoke.xml", "--save-dir")
BLOCK = re.compile(r"<!-- run(?:: exit (\d+))? -->\n```sh\n(.*?)```", re.S)


def run(ctx):
    text = (ROOT / "README.md").read_text()
    blocks = BLOCK.findall(text)
    ctx.expect(len(blocks) >= 6, f"only {len(blocks)} blocks are marked")
    run_blocks(ctx, text, blocks[:len(blocks) // 2])
    check_pictures(ctx, ("long.jpg", (1280, 12064)), ("shop.jpg", (1280, 720)), ("button.png", None))
    ctx.expect(any((ctx.work / "pictures").iterdir()), "no pictures were saved")
    listening = json.loads((ctx.work / "serve.ndjson").read_text().splitlines()[0])
    ctx.match(listening, {"kind": "listening", "server": "actions", "url": {"$regex": "^ws://127.0.0.1:"}}, "serve")
    for path in re.findall(r"\]\(([^)#:]+)\)", text):
        ctx.expect((ROOT / path).exists(), f"the link {path} leads nowhere")


def run_rest(ctx):
    text = (ROOT / "README.md").read_text()
    blocks = BLOCK.findall(text)
    half = len(blocks) // 2
    run_blocks(ctx, text, [block for block in blocks[:half] if any(words in block[1] for words in NEEDED)] + blocks[half:])
    check_pictures(ctx, ("warm.jpg", (1280, 720)))
    looks = [json.loads(line) for line in (ctx.work / "looks.ndjson").read_text().splitlines()]
    ctx.expect("Added to your cart" in looks[3]["result"]["text"], f"the click by its node: {looks[2:4]}")
    for name in ("answers.ndjson", "block.json"):
        ctx.expect((ctx.work / name).stat().st_size > 100, f"{name} is empty")


def run_blocks(ctx, text, blocks):
    ctx.environment["PATH"] = f"{pathlib.Path(ctx.options.binary).resolve().parent}:{os.environ['PATH']}"
    for exit_code, script in blocks:
        run = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", ctx.adapt(script)], cwd=ctx.work,
                             env=ctx.environment, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
        ctx.expect(run.returncode == int(exit_code or 0),
                   f"exit {run.returncode} of:\n{script}\n{run.stderr.decode()[-800:]}")
        shown = re.search(re.escape(script) + r"```\n\n```text\n(.*?)```", text, re.S)
        printed = (run.stderr if exit_code else run.stdout).decode()
        if exit_code or shown:
            said = ctx.adapt(shown.group(1))
            ctx.expect(printed == said, f"the text promises:\n{said}\nand gets:\n{printed}")


def check_pictures(ctx, *pictures):
    for name, shape in pictures:
        picture = Picture((ctx.work / name).read_bytes())
        got = picture.width, picture.height
        ctx.expect(got == shape if shape else got[1] < 100, f"{name} is {got}")
