"""What is at /json, beside Chrome's own port: methods, fields, statuses, types and texts; who may ask."""
import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from endpoint import endpoint, fetch
from foreign import foreign_browser
from harness import ROOT

DOCS = ROOT / "docs"

# Asked of both; the answers are equal but for ids, titles and addresses.
PAIRS = [
    ("GET", "/json/version"), ("GET", "/json/version/"), ("POST", "/json/version"),
    ("GET", "/json/new"), ("POST", "/json/new?data:,x"), ("GET", "/json/new?data:,x"),
    ("GET", "/json/activate/XX"), ("GET", "/json/close/XX"), ("PUT", "/json/close/XX"), ("GET", "/json/activate"),
    ("GET", "/json/close/"), ("GET", "/json/foo"), ("GET", "/json/"), ("GET", "/json/versionx"), ("GET", "/json/protocol"),
    ("GET", "/json/list"), ("GET", "/json/list/"), ("GET", "/json"),
    ("PUT", "/json/new?data:,hello"), ("PUT", "/json/new"), ("PUT", "/json/new?nonsense"),
    ("GET", "/"), ("OPTIONS", "/json/version"), ("DELETE", "/json/list"), ("PATCH", "/json/list"), ("PUT", "/json/version"),
    ("OPTIONS", "/json/new"), ("DELETE", "/json/new"), ("DELETE", "/json/close/XX"), ("GET", "/json/version?x=1"),
    ("GET", "/json/Version"), ("GET", "/jsonx"), ("GET", "/json/foo/bar"), ("GET", "/json/foo?x"), ("GET", "/json/activatex/XX"),
    ("GET", "/json/version/x"), ("GET", "/json/list/x"), ("GET", "/json/protocol/"), ("GET", "/json/new/x"), ("PUT", "/json/new/x"),
    ("GET", "/json/close/XX?x=1"), ("GET", "/json/close/a/b"), ("GET", "/json/activate/"), ("GET", "/json/close/" + "x" * 3000),
    ("GET", "/json/" + "x" * 3000), ("PUT", "/json/new?"), ("PUT", "/json/new?about:blank#frag"),
    ("PUT", "/json/new?http%3A%2F%2F127.0.0.1%3A1%2Fa%20b%2Bc"), ("PUT", "/json/new?http://127.0.0.1:1/a%2520b?x=%26y"),
    ("PUT", "/json/new?url=about:blank"), ("PUT", "/json/new?127.0.0.1:1"), ("PUT", "/json/new?chrome://version"),
    ("PUT", "/json/new?data:," + "x" * 3000),
]

# Asked of both; the answers differ, as the table of docs/cdp.md says: ours, Chrome's.
DIFFERENT = [
    ("HEAD", "/json/list", lambda text: text == "", lambda text: text == ""),
    ("PUT", "/json/new?http://127.0.0.1:1/?a=1&b=2", lambda text: json.loads(text)["url"].endswith("/?a=1&b=2"),
     lambda text: json.loads(text)["url"].endswith("/?a=1")),
    ("PUT", "/json/new?http://127.0.0.1:1/a+b", lambda text: json.loads(text)["url"].endswith("/a%20b"),
     lambda text: json.loads(text)["url"].endswith("/a+b")),
    ("GET", "/json/%76ersion", lambda text: "Browser" in text, lambda text: text == "Unknown command: %76ersion"),
    ("GET", "/favicon.ico", lambda text: "nothing" in text, lambda text: text == ""),
    ("GET", "/devtools/inspector.html", lambda text: "nothing" in text, lambda text: "<html" in text.lower()),
]


def check_text(ctx):
    """docs/cdp.md names options that there are, and links that lead somewhere."""
    text = (DOCS / "cdp.md").read_text()
    known = subprocess.run([ctx.options.binary, "serve", "--help"], capture_output=True, text=True, timeout=30).stdout
    for option in sorted(set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", text))):
        ctx.expect(option in known, f"serve has no {option}")
    for path in re.findall(r"\]\(([^)#:]+)[^)]*\)", text):
        ctx.expect((DOCS / path).exists(), f"the link {path} leads nowhere")


def shape(text):
    """The members of the first object, or the text itself."""
    try:
        root = json.loads(text)
    except ValueError:
        return text
    first = root[0] if isinstance(root, list) else root
    return sorted(first)


def run(ctx):
    with endpoint(ctx) as ours, foreign_browser(ctx) as theirs:
        check_first_tab(ctx, ours)
        for method, path in PAIRS:
            mine, chromes = ours.fetch(path, method), fetch(theirs.http + path, method)
            ctx.expect(mine[:2] == chromes[:2], f"{method} {path}: {mine[:2]}, Chrome {chromes[:2]}")
            ctx.expect(shape(mine[2]) == shape(chromes[2]), f"{method} {path}: {mine[2][:300]}\nChrome: {chromes[2][:300]}")
            if method == "PUT" and mine[0] == chromes[0] == 200 and "/json/new" in path:
                urls = [json.loads(text[2])["url"] for text in (mine, chromes)]
                ctx.expect(urls[0] == urls[1], f"{method} {path}: the tab is at {urls[0]}, Chrome's at {urls[1]}")
        for method, path, is_ours, is_theirs in DIFFERENT:
            mine, chromes = ours.fetch(path, method), fetch(theirs.http + path, method)
            ctx.expect(is_ours(mine[2]), f"{method} {path}: {mine}")
            ctx.expect(is_theirs(chromes[2]), f"{method} {path}: Chrome does as is not in docs/cdp.md: {chromes}")
        check_values(ctx, ours, theirs)
        check_tabs(ctx, ours)
    check_gate(ctx)
    check_text(ctx)


def check_first_tab(ctx, ours):
    """Requests that arrive together, before there is a tab, open one and not one each."""
    with ThreadPoolExecutor(8) as pool:
        lists = list(pool.map(ours.ask, ["/json/list"] * 8))
    ids = {tab["id"] for tabs in lists for tab in tabs}
    ctx.expect(len(ids) == 1, f"{len(ids)} tabs")


def check_values(ctx, ours, theirs):
    mine, chromes = ours.ask("/json/version"), theirs.ask("/json/version")
    for name, value in mine.items():
        if name != "webSocketDebuggerUrl":
            ctx.expect(value == chromes[name], f"{name}: {value}, Chrome {chromes[name]}")
    ctx.match(mine["webSocketDebuggerUrl"], {"$regex": f"^{ours.websocket}/devtools/browser/."}, "webSocketDebuggerUrl")
    port = ours.url.rsplit(":", 1)[1]
    status, _, text = ours.fetch("/json/version/?context=profile", Host=f"localhost:{port}")
    ctx.match(json.loads(text)["webSocketDebuggerUrl"],
              {"$regex": f"^ws://localhost:{port}/devtools/browser/[^?]+.context=profile$"}, "of the profile")
    ctx.expect(ours.ask("/json/protocol") == theirs.ask("/json/protocol"), "/json/protocol differs")


def check_tabs(ctx, ours):
    made = ours.ask(f"/json/new?{ctx.origin}/counts?a=b%26c&d=e", "PUT")
    listed = {tab["id"]: tab for tab in ours.ask("/json/list")}
    ctx.expect(made["id"] in listed, f"{made} is not in {list(listed)}")
    ctx.expect(made["url"].startswith(ctx.origin), made["url"])
    ctx.match(made["webSocketDebuggerUrl"], ours.websocket + "/devtools/page/" + made["id"], "of a page")
    ctx.expect(ours.fetch(f"/json/activate/{made['id']}")[::2] == (200, "Target activated"), "activate")
    ctx.expect(ours.fetch(f"/json/close/{made['id']}")[::2] == (200, "Target is closing"), "close")


def check_gate(ctx):
    with endpoint(ctx, "--token", "se cret") as ours:
        ctx.expect(ours.fetch("/json/version")[0] == 401, "without a token")
        for path, method in (("/json/new", "PUT"), ("/json/close/X", "GET"), ("/json/protocol", "GET")):
            ctx.expect(ours.fetch(path, method)[0] == 401, f"{path} without a token")
        url = ours.ask("/json/version?token=se%20cret")["webSocketDebuggerUrl"]
        ctx.expect(url.endswith("?token=se%20cret"), url)
        ctx.expect(ours.fetch("/json/version", Authorization="Bearer se cret")[0] == 200, "Bearer")
        ctx.expect(ours.fetch("/json/version?token=se%20cret", Origin="http://evil.test")[0] == 403, "a page's Origin")
        ctx.expect(ours.fetch("/json/version?token=se%20cret", Host="evil.test")[0] == 403, "another Host")
