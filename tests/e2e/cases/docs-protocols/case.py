"""docs/protocols.md quotes its pages and agents exactly, and they work with each other as described."""
import asyncio
import json
import re
import shlex
import subprocess

from bridged import bridged
from broped import broped
from documents import check_links, check_quoted, serve_folder
from harness import ROOT

BROWSER = "any"
DOCS = ROOT / "docs"
TEXT = (DOCS / "protocols.md").read_text()
WIDGETS = ROOT / "tests" / "widgets" / "node_modules"


def check_text(ctx):
    check_quoted(ctx, "protocols.md", 5)
    check_links(ctx, TEXT)
    heads = {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in re.findall(r"^#+ (.*)", TEXT, re.M)}
    for anchor in re.findall(r"\]\(#([^)]*)\)", TEXT):
        ctx.expect(anchor in heads, f"there is no heading {anchor}")
    known = "".join(subprocess.run([ctx.options.binary, command, "--help"], capture_output=True, text=True,
                                   timeout=30).stdout for command in ("serve", "bridge"))
    for option in sorted(set(re.findall(r"(?<![\w!-])(--[a-z][a-z-]+)", TEXT))):
        ctx.expect(option in known, f"neither serve nor bridge has {option}")


def serve_examples(ctx):
    """Serves the pages on their own origin, like a developer's server."""
    for name in ("bridge_page.html", "bridge_npm.html"):
        ctx.file(name, (DOCS / "examples" / name).read_text())
    if WIDGETS.is_dir():
        (ctx.work / "node_modules").symlink_to(WIDGETS.resolve())
    server, address = serve_folder(ctx)
    return server, f"http://{address}"


def output_of(ctx, words, exit_code=0):
    done = subprocess.run([str(word) for word in words], cwd=ctx.work, env=ctx.environment, capture_output=True,
                          text=True, timeout=60, stdin=subprocess.DEVNULL)
    ctx.expect(done.returncode == exit_code, f"exit {done.returncode} of {words}: {done.stdout} {done.stderr[-800:]}")
    return done.stdout


def shown_behind(command):
    """Returns the output that the text shows below a command."""
    return re.search(rf"^\$ {re.escape(command)}.*?\n(.*?)(?=```|^\$ )", TEXT, re.S | re.M)[1]


def check_agents(ctx, bridge, origin):
    run = ["/usr/bin/python3", DOCS / "examples" / "bridge_agent.py", bridge.url, "dev"]
    said = re.sub(r"http://127.0.0.1:8765/bridge_page.html", f"{origin}/bridge_page.html?relay=…",
                  shown_behind("python3 docs/examples/bridge_agent.py"))
    printed = re.sub(r"relay=\S+", "relay=…", output_of(ctx, run))
    ctx.expect(printed == said, f"the text promises {said!r}, the agent printed {printed!r}")
    nodes = sorted(WIDGETS.glob("node-linux-*/bin/node"))
    if nodes:
        printed = output_of(ctx, [nodes[0], DOCS / "examples" / "bridge_agent.mjs", bridge.url, "dev"])
        said = shown_behind("node docs/examples/bridge_agent.mjs")
        ctx.expect(re.sub(r"\d", "N", printed) == re.sub(r"\d", "N", said),
                   f"the text promises {said!r}, the agent printed {printed!r}")


def check_commands(ctx, bridge):
    block = re.search(r"<!-- bridge -->\n```console\n(.*?)```", TEXT, re.S)[1]
    commands = re.findall(r"^\$ browser-runner (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)
    ctx.expect(len(commands) == 3, f"{len(commands)} commands are shown")
    for words, shown in commands:
        words = [ctx.options.binary, *shlex.split(words.replace("ws://localhost:4000", bridge.place))]
        printed = output_of(ctx, words)
        pattern = ".*".join(re.escape(part) for part in shown.strip().split("…"))
        ctx.expect(re.search(pattern, printed), f"{words}: the text promises {shown}, it printed {printed}")


async def check_bare_commands(ctx, bridge):
    """Sends messages as a model would that knows the protocol: no version, no session, no time."""
    async with bridge.connect("agent", "dev") as socket:
        kinds = [json.loads(await asyncio.wait_for(socket.recv(), 10))["type"] for _ in range(2)]
        ctx.expect(kinds == ["hello", "capabilities"], f"the first messages are {kinds}")
        for command, outcome in (({"type": "click", "target": {"stableId": "refresh"}}, True),
                                 ({"type": "click", "target": {"text": "Refresh", "role": "button"}}, True),
                                 ({"type": "type", "target": {"stableId": "email-input"}, "text": "a@b.example"}, False),
                                 ({"type": "request_ui_tree"}, True)):
            await socket.send(json.dumps({**command, "requestId": "unique-id"}))
            while True:
                message = json.loads(await asyncio.wait_for(socket.recv(), 20))
                if message["type"] == "command_result":
                    break
            ctx.match(message, {"requestId": "unique-id", "requestType": command["type"], "success": outcome},
                      f"{command}")


def check_brop(ctx):
    """A client of BROP on the shop."""
    with broped(ctx) as brop:
        printed = output_of(ctx, ["/usr/bin/python3", DOCS / "examples" / "brop_client.py", brop.url, f"{ctx.origin}/shop/"])
        said = shown_behind("python3 docs/examples/brop_client.py")
        ctx.expect(printed == said, f"the text promises {said!r}, the client printed {printed!r}")


def check_driven(ctx):
    """A page without code in it is an app for the same agent."""
    with bridged(ctx, "--temp-profile", *ctx.browser_args(), "--bridge-session", "dev",
                 "--page", f"{ctx.origin}/case/driven.html") as bridge:
        ctx.match(bridge.process.line(60), {"kind": "app"}, "the app is there")
        printed = output_of(ctx, ["/usr/bin/python3", DOCS / "examples" / "bridge_agent.py", bridge.url, "dev"])
        said = shown_behind("python3 docs/examples/bridge_agent.py").splitlines()
        ctx.expect(printed.splitlines()[1:] == said[1:] and printed.startswith("Orders at http:"),
                   f"the text promises {said}, of a driven page the agent printed {printed!r}")


def open_page(ctx, browser, bridge, url):
    response = browser.ask("navigate", {"url": f"{url}?relay={bridge.place.removeprefix('ws://')}"})
    ctx.expect(response["success"], f"{url}: {response}")
    listed = json.loads(output_of(ctx, [ctx.options.binary, "bridge", bridge.place, "--bridge-session", "dev", "--list"]))
    ctx.match(listed, {"appId": "orders", "name": "Orders", "url": {"$regex": url.rsplit("/", 1)[1]}}, "the app")


def run(ctx):
    check_text(ctx)
    check_driven(ctx)
    check_brop(ctx)
    with bridged(ctx) as bridge:
        said = json.loads(re.search(r"<!-- line -->\n```json\n(.*?)\n```", TEXT, re.S)[1])
        ctx.expect(said == {"kind": "listening", "server": "debug-bridge", "url": re.sub(r":\d+/", ":4000/", bridge.url)},
                   f"the first line is not {said}")
        server, origin = serve_examples(ctx)
        browser = ctx.start(["run", "-", "--temp-profile", *ctx.browser_args(), "--screenshots", "none"])
        browser.ask("start", {"url": "about:blank"})
        open_page(ctx, browser, bridge, f"{origin}/bridge_page.html")
        check_agents(ctx, bridge, origin)
        check_commands(ctx, bridge)
        asyncio.run(check_bare_commands(ctx, bridge))
        if (WIDGETS / "debug-bridge-browser").is_dir():
            open_page(ctx, browser, bridge, f"{origin}/bridge_npm.html")
            printed = output_of(ctx, [ctx.options.binary, "bridge", bridge.place, "--bridge-session", "dev", "click",
                                      "stableId=refresh"])
            ctx.match(json.loads(printed), {"success": True, "appId": "orders", "origin": "app"}, "the npm client")
            printed = output_of(ctx, [ctx.options.binary, "bridge", bridge.place, "--bridge-session", "dev",
                                      "request_ui_tree"])
            tree = json.loads(printed)
            ctx.expect(tree["type"] == "ui_tree" and "Refresh" in str(tree["items"]), f"its tree, without a result: {tree}")
        browser.ask("stop", {})
        browser.close_stdin()
        browser.wait()
        server.kill()
        server.wait()
