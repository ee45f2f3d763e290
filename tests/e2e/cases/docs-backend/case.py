"""docs/backend.md quotes its clients exactly, they work with a real server, and its statements hold."""
import json
import re
import signal
import subprocess
import urllib.error
import urllib.request

from documents import check_links, check_quoted
from harness import ROOT, Failure, Skip
from pictures import Picture
from stream import schema_problems

BROWSER = "any"
DOCS = ROOT / "docs"
TEXT = (DOCS / "backend.md").read_text()
TOKEN = "a-token-of-the-test"


def check_text(ctx):
    check_quoted(ctx, "backend.md", 2)
    check_links(ctx, TEXT)
    options = subprocess.run([ctx.options.binary, "serve", "--help"], capture_output=True, text=True, timeout=30).stdout
    for option in sorted(set(re.findall(r"`(--[a-z-]+)", TEXT))):
        ctx.expect(option in options, f"serve has no {option}")


def get(url, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""


def run_client(ctx, command, url, page):
    """Returns its output in lines; messages are checked against the schema."""
    done = subprocess.run([*command, url, ctx.adapt(page)], cwd=ctx.work, env=ctx.environment, capture_output=True,
                          text=True, timeout=90, stdin=subprocess.DEVNULL)
    ctx.expect(done.returncode == 0, f"exit {done.returncode} of {command}: {done.stderr[-800:]}")
    lines = done.stdout.splitlines()
    for line in lines:
        if line.startswith('{"kind"'):
            value = json.loads(line)
            ctx.problems += [f"{line}: {fault}" for fault in schema_problems(value, value["kind"])]
    return lines


def check_python(ctx, url):
    if subprocess.run(["/usr/bin/python3", "-c", "import websockets"], capture_output=True, timeout=30).returncode != 0:
        raise Skip("python3-websockets is not installed")
    lines = run_client(ctx, ["/usr/bin/python3", DOCS / "examples" / "backend.py"], url,
                       "http://127.0.0.1:8765/shop/")
    said = re.search(r"^\$ python3 docs/.*?\n(.*?)```", TEXT, re.S | re.M)[1].splitlines()
    ctx.expect(lines == said, f"the text promises {said}, the client printed {lines}")
    picture = Picture((ctx.work / "page.jpg").read_bytes())
    ctx.expect((picture.width, picture.height) == (1280, 720), f"page.jpg is {picture.width}x{picture.height}")


def check_node(ctx, url):
    nodes = sorted((ROOT / "tests" / "widgets" / "node_modules").glob("node-linux-*/bin/node"))
    if not nodes:
        raise Skip("Node 22 is not installed: npm ci --prefix tests/widgets --ignore-scripts")
    lines = run_client(ctx, [nodes[0], DOCS / "examples" / "backend.mjs"], url,
                       "http://127.0.0.1:8765/shop/checkout.html")
    said = re.search(r"^\$ node docs/.*?\n(.*?)```", TEXT, re.S | re.M)[1].splitlines()
    printed = [re.sub(r'"ws-\d+"', '"ws-1"', line) for line in lines]
    for line in said:
        if line != "…":
            # It may be running or waiting when it is cancelled.
            begin = ctx.adapt(line.split('"cursor"')[0].split('"running"')[0].removesuffix("…"))
            ctx.expect(any(one.startswith(begin) for one in printed), f"the text promises {line}, not in {printed}")
    picture = Picture((ctx.work / "page.png").read_bytes())
    ctx.expect((picture.width, picture.height) == (1280, 720), f"page.png is {picture.width}x{picture.height}")


def run(ctx):
    check_text(ctx)
    ctx.environment["BROWSER_RUNNER_TOKEN"] = TOKEN
    # Chunks even for a small picture.
    process = ctx.start(["serve", "--actions=0", "--temp-profile", *ctx.browser_args(), "--screenshots", "explicit",
                         "--linger", "60", "--chunk-size", "8000"])
    line = process.line(20)
    url = line["url"]
    said = json.loads(re.search(r"<!-- line -->\n```json\n(.*?)\n```", TEXT, re.S)[1])
    ctx.match(line, {**said, "url": {"$regex": r"^ws://127\.0\.0\.1:\d+/actions$"}}, "the first line")
    place = url.replace("ws:", "http:").removesuffix("/actions")
    status, health = get(place + "/health")
    said = json.loads(re.search(r"<!-- health -->\n```json\n(.*?)\n```", TEXT, re.S)[1])
    ctx.expect(status == 200 and set(json.loads(health)) == set(said), f"/health: {status} {health}")
    ctx.expect(get(place + "/metrics")[0] == 401, "/metrics needs no token")
    try:
        check_python(ctx, url)
        check_node(ctx, url)
        status, metrics = get(place + "/metrics", Authorization=f"Bearer {TOKEN}")
        ctx.expect(status == 200 and 'browser_runner_action_seconds_count{type="start"} 2' in metrics,
                   f"/metrics: {status} {metrics[-600:]}")
    finally:
        process.signal(signal.SIGTERM)
        try:
            code = process.popen.wait(30)
        except subprocess.TimeoutExpired:
            raise Failure("serve goes on 30 s after SIGTERM") from None
    ctx.expect(code == 0, f"serve ended with {code}: {process.stderr.decode()[-600:]}")
