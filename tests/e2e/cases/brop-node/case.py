"""A client in Node, on npm's ws where it is installed, else on Node's own WebSocket."""
import json
import shutil
import subprocess

from bridge import NODES
from broped import broped
from harness import Skip

BROWSER = "any"


def find_node():
    """Node with a WebSocket class: from 22 on as it is, from 20.10 on by an option."""
    if NODES:
        return [str(NODES[0])]
    node = shutil.which("node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=20).stdout if node else ""
    major, minor = (int(part) for part in version.strip("v\n").split(".")[:2]) if version else (0, 0)
    if (major, minor) < (20, 10):
        raise Skip("there is no Node with a WebSocket class")
    return [node] if major >= 22 else [node, "--experimental-websocket"]


def run(ctx):
    node = find_node()
    with broped(ctx) as brop:
        done = subprocess.run([*node, str(ctx.dir / "client.mjs"), brop.url, f"{ctx.origin}/shop/"], capture_output=True, text=True, timeout=60)
    ctx.expect(done.returncode == 0, f"exit {done.returncode}: {done.stderr[-800:]}")
    ctx.match(json.loads(done.stdout or "{}"), {
        "name": "browser-runner", "tabId": 1, "many": [2 * i for i in range(30)], "title": {"$regex": "Tideline"}, "picture": "PNG",
        "why": "Tab 4711 not found: No tab with id: 4711.", "closed": "closed"}, "what the client got")
