"""docs/http.md: its commands do what the text says, its options exist."""
import json
import re
import shutil
import subprocess

from documents import check_links
from harness import ROOT, Skip
from one_shots import shots
from pdfs import Pdf
from pictures import Picture
from processes import SLOWNESS
from stream import schema_problems

BROWSER = "any"
DOCS = ROOT / "docs"
TEXT = (DOCS / "http.md").read_text()


def check_text(ctx):
    check_links(ctx, TEXT)
    options = subprocess.run([ctx.options.binary, "serve", "--help"], capture_output=True, text=True, timeout=30).stdout
    for option in sorted(set(re.findall(r"`(--[a-z-]+)", TEXT))):
        ctx.expect(option in options, f"serve has no {option}")


def run_command(ctx, server, command):
    command = command.replace("http://127.0.0.1:9227", server.http).replace("http://localhost:3000/", ctx.origin + "/shop/")
    done = subprocess.run(["/bin/sh", "-ec", command], cwd=ctx.work, env=ctx.environment, capture_output=True,
                          timeout=90 * SLOWNESS, stdin=subprocess.DEVNULL)
    ctx.expect(done.returncode == 0, f"exit {done.returncode} of {command}: {done.stderr}")
    return done.stdout


def run(ctx):
    check_text(ctx)
    if not shutil.which("curl"):
        raise Skip("curl is not installed")
    with shots(ctx) as server:
        commands = re.findall(r"<!-- run: (.*?) -->\n```sh\n(.*?)```", TEXT, re.S)
        ctx.expect(len(commands) == TEXT.count("```sh") == 5, f"{len(commands)} commands")
        for what, command in commands:
            output = run_command(ctx, server, command)
            if what == "picture":
                ctx.expect(Picture((ctx.work / "page.jpg").read_bytes()).width > 700, "the picture")
            elif what == "pdf":
                ctx.expect(Pdf((ctx.work / "page.pdf").read_bytes()).sizes[0] == (596, 842), "the PDF")
            elif what == "text":
                ctx.expect(b"## Harbour kettle" in output, f"the text: {output[:200]}")
            else:
                lines = [json.loads(line) for line in output.splitlines()]
                ctx.problems += [f"{line}: {fault}" for line in lines for fault in schema_problems(line, line["kind"])]
                ctx.expect(f"{len(lines)} lines" == what and lines[0]["success"], f"{what}: {lines}")
