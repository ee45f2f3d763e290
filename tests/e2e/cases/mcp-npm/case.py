"""The official clients of npm: version 1 of the SDK, and version 2 in its three modes."""
import json
import shutil
import subprocess

from bridge import NODES
from harness import ROOT, Skip
from processes import SLOWNESS
from warm import warm_sessions

TIER = "long"


def find_node():
    node = str(NODES[0]) if NODES else shutil.which("node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=20).stdout if node else ""
    if not version or int(version.strip("v\n").split(".")[0]) < 20:
        raise Skip("there is no Node 20 or later")
    return node


def run(ctx):
    ctx.requires_widgets("@modelcontextprotocol/sdk", "@modelcontextprotocol/client")
    node = find_node()
    with warm_sessions(ctx) as warm:
        server = warm.begin("mcp", "--http=0", "--temp-profile", *ctx.browser_args())
        url = json.loads(server.stdout.readline())["url"]
        ctx.work.chmod(0o700)
        path = ctx.work / "mcp.sock"
        lines = warm.begin("mcp", "--unix", path, "--temp-profile", *ctx.browser_args())
        lines.stdout.readline()
        done = subprocess.run([node, ctx.dir / "clients.mjs", ctx.options.binary, ctx.origin + "/shop/",
                               str(ROOT / "tests/widgets/node_modules/@modelcontextprotocol"), url, path, *ctx.browser_args()],
                              capture_output=True, text=True, timeout=300 * SLOWNESS, cwd=ctx.work, env=ctx.environment)
        for process in (server, lines):
            process.terminate()
            warm.end(process)
        ctx.expect(done.returncode == 0, f"exit {done.returncode}: {done.stderr[-2000:]}")
    found = json.loads(done.stdout or "{}")
    versions = {"sdk1": "2025-11-25", "legacy": "2025-11-25", "auto": "2026-07-28", "pinned": "2026-07-28"}
    for name, version in [*versions.items(), *((name + way, version) for way in ("Http", "Socket") for name, version in versions.items())]:
        ctx.match(found.get(name), {"version": version, "tools": 11, "title": {"$regex": "^Goods"}, "picture": "image/jpeg",
                                    "server": "browser-runner", "failed": True, "unknown": -32602}, name)
