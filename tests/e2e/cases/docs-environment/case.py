"""Every command of docs/environment.md works, and has the described effect."""
import os
import pathlib
import re
import subprocess

from documents import check_links
from harness import ROOT
from pictures import Picture

BROWSER = "any"
BLOCK = re.compile(r"<!-- run -->\n```sh\n(.*?)```", re.S)


def run(ctx):
    ctx.environment["PATH"] = f"{pathlib.Path(ctx.options.binary).resolve().parent}:{os.environ['PATH']}"
    text = (ROOT / "docs" / "environment.md").read_text()
    blocks = BLOCK.findall(text)
    ctx.expect(len(blocks) >= 3, f"only {len(blocks)} blocks are marked")
    for script in blocks:
        done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", ctx.adapt(script)], cwd=ctx.work,
                              env=ctx.environment, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
        ctx.expect(done.returncode == 0, f"exit {done.returncode} of:\n{script}\n{done.stderr.decode()[-800:]}")
    for name, shape in (("phone.jpg", (1206, 2043)), ("ci.jpg", (1440, 900))):
        picture = Picture((ctx.work / name).read_bytes())
        ratio = picture.width / picture.height
        ctx.expect(abs(ratio - shape[0] / shape[1]) < 0.01, f"{name} is {picture.width}x{picture.height}")
    check_links(ctx, text)
