"""The official conformance suite, in the scenarios that each revision requires; see docs/mcp.md for what fails and why."""
import json
import re
import socket
import subprocess

from bridge import NODES
from harness import ROOT, Skip
from processes import SLOWNESS
from warm import warm_sessions

TIER = "long"
PASSED = {
    "2025-11-25": {"server-initialize", "ping", "tools-list", "resources-list", "dns-rebinding-protection",
                   "server-sse-multiple-streams", "server-session-lifecycle", "server-sse-polling"},
    "2026-07-28": {"tools-list", "resources-list", "sep-2164-resource-not-found", "dns-rebinding-protection", "http-header-validation",
                   "server-sse-multiple-streams"},
}
# Scenarios that hold a server to tools, prompts and resources of the suite's own example server, which a browser has not.
OF_THE_EXAMPLE = re.compile(r"tools-call-|prompts-|elicitation-|resources-(read|templates|subscribe|unsubscribe)|logging-|completion-"
                            r"|json-schema-|input-required-|tasks-|http-custom-header")
# Scenarios with checks of both kinds: how many fail for that reason.
PARTLY = {"server-stateless": 5, "caching": 2}


def results(text):
    found = re.findall(r"^(?:✓|✗) ([\w-]+): (\d+) passed, (\d+) failed", text.split("SUMMARY")[-1], re.M)
    return {name: (int(passed), int(failed)) for name, passed, failed in found}


def run(ctx):
    ctx.requires_widgets("@modelcontextprotocol/conformance")
    if not NODES:
        raise Skip("Node 22 is not installed: npm ci --prefix tests/widgets --ignore-scripts")
    program = ROOT / "tests/widgets/node_modules/@modelcontextprotocol/conformance/dist/index.js"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with warm_sessions(ctx) as warm:
        server = warm.begin("mcp", f"--http={port}", "--allow-origin", f"http://127.0.0.1:{port}", "--temp-profile", *ctx.browser_args())
        url = json.loads(server.stdout.readline())["url"]
        for revision, wanted in PASSED.items():
            done = subprocess.run([NODES[0], program, "server", "--url", url, "--requirements", revision], capture_output=True,
                                  text=True, timeout=240 * SLOWNESS, cwd=ctx.work, env=ctx.environment)
            found = results(done.stdout)
            ctx.expect(wanted <= set(found), f"{revision}: these were not run: {wanted - set(found)}: {done.stderr[-500:]}")
            for name, (_, failed) in found.items():
                if OF_THE_EXAMPLE.match(name):
                    continue
                ctx.expect(failed == (0 if name in wanted else PARTLY.get(name)), f"{revision} {name}: {failed} checks failed")
        server.terminate()
        warm.end(server)
