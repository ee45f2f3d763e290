"""Every command of docs/agents.md works, in one session as in the text, and prints the output shown below it."""
import difflib
import os
import pathlib
import re
import shutil
import subprocess

from documents import check_links, serve_folder
from harness import ORIGIN, ROOT

BROWSER = "any"

TEXT = (ROOT / "docs" / "agents.md").read_text()
BLOCK = re.compile(r"<!-- run(?:: exit (\d+))? -->\n```sh\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.S)
# Printed only for root.
SANDBOX = "browser:warning [browser] Chrome runs without its sandbox"


def lines(text):
    """Returns lines without times, sizes, numbers of the journal and positions; the order of events may vary."""
    kept = [line for line in text.rstrip().splitlines() if not line.startswith(SANDBOX)]
    kept = [re.sub(r"^(  profile ).*", r"\1", re.sub(r"\d+", "N", line)) for line in kept]
    kept = [re.sub(r"\bN (entry|entries):", "N entries:", line) for line in kept]
    logged = sorted(line for line in kept if line.startswith(("browser:", "  hint:")))
    return [line for line in kept if line not in logged] + logged


def serve(ctx):
    """Starts the shop in a folder where it can be edited, as the text does."""
    shutil.copytree(ROOT / "fixtures" / "pages" / "shop", ctx.work / "shop")
    return serve_folder(ctx)


def run(ctx):
    ctx.environment["PATH"] = f"{pathlib.Path(ctx.options.binary).resolve().parent}:{os.environ['PATH']}"
    if ctx.options.chrome:
        ctx.environment["BROWSER_RUNNER_CHROME"] = ctx.options.chrome
    server, place = serve(ctx)
    blocks = BLOCK.findall(TEXT)
    ctx.expect(len(blocks) >= 9, f"only {len(blocks)} blocks are marked")
    for exit_code, script, shown in blocks:
        done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", script.replace(ORIGIN[7:], place)],
                              cwd=ctx.work, env=ctx.environment, capture_output=True, text=True, timeout=120,
                              stdin=subprocess.DEVNULL)
        ctx.expect(done.returncode == int(exit_code or 0),
                   f"exit {done.returncode} of:\n{script}\n{done.stderr[-800:]}")
        said = lines(shown.replace(ORIGIN[7:], place))
        difference = "\n".join(difflib.unified_diff(said, lines(done.stdout + done.stderr), "the text",
                                                    "the program", lineterm=""))
        ctx.expect(not difference, f"{script}\n{difference}")
    ctx.expect((ctx.work / "cart.jpg").read_bytes()[:2] == b"\xff\xd8", "cart.jpg is no JPEG")
    log = ctx.base / "home" / ".local" / "state" / "browser-runner" / "daemon.log"
    ctx.expect(str(ctx.base / "run" / "browser-runner" / "daemon.sock") in log.read_text(),
               "the log is not where the page says, or the socket is not")
    server.kill()
    server.wait()
    check_links(ctx, TEXT)
