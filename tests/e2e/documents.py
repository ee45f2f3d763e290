"""What the texts of docs/ have in common: quoted files, links, and pages from a server of Python's."""
import re
import subprocess
import sys

from harness import ROOT, Failure

DOCS = ROOT / "docs"


def check_links(ctx, text):
    for path in re.findall(r"\]\(([^)#:]+)[^)]*\)", text):
        ctx.expect((DOCS / path).exists(), f"the link {path} leads nowhere")


def check_quoted(ctx, name, count):
    """Checks that the document quotes so many files, each as it is."""
    quoted = re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", (DOCS / name).read_text(), re.S)
    ctx.expect(len(quoted) == count, f"{len(quoted)} files are quoted")
    for path, said in quoted:
        ctx.expect((DOCS / path).read_text() == said, f"docs/{name} and {path} differ")


def serve_folder(ctx):
    """Serves the case's directory like a developer's server. Returns the process and its address."""
    server = subprocess.Popen([sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"], cwd=ctx.work,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    ctx.known.add(server.pid)
    ctx.at_end += [server.stdout.close, server.wait, server.kill]
    port = re.search(r"port (\d+)", server.stdout.readline())
    if not port:
        raise Failure("http.server did not start")
    return server, f"127.0.0.1:{port[1]}"
