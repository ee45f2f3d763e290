"""check --against: the same pages at another address, and of a git revision with its own server or files; without baselines."""
import json
import subprocess

from answers import Site, page

BROWSER = "any"

BOX = "<body style='margin: 0'><div style='width: 200px; height: 100px; background: %s'></div><p>%s</p>"
SERVER = """import http.server, pathlib, sys
class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""
LOGIN = "<script>document.cookie = 'who=' + location.port</script>Welcome"
SHOWS = "<body style='margin: 0'><div style='width: 200px; height: 100px; background: teal'></div><script>fetch('/seen?' + document.cookie)</script>"


def run(ctx):
    addresses(ctx)
    revisions(ctx)


def check(ctx, suite, *args, code, folder=""):
    ctx.file(folder + "smoke.json", json.dumps(suite))
    done = ctx.run(["check", folder + "smoke.json", "--retries", "0", *args, *ctx.browser_args()], seconds=90, complete=False)
    ctx.expect(done.exit == code, f"{args}: exit {done.exit}, not {code}: {done.text[-1500:]}")
    path = ctx.work / f"{folder}smoke.report/results.json"
    return done, json.loads(path.read_text()) if path.exists() else None


def states(results):
    return {entry["name"]: entry["status"] for entry in results["checks"]}


def addresses(ctx):
    pages = {f"/{name}": page(BOX % ("navy", name)) for name in ("one", "two", "three")}
    logged = {"/login": page(LOGIN), "/shows": page(SHOWS), "/seen": (200, {}, b"")}
    here, there = Site(ctx, {**pages, **logged}), Site(ctx, {**pages, **logged})
    suite = {"baseUrl": here.url + "/", "viewports": {"desktop": {"width": 300, "height": 200}},
             "setup": {"url": "/login", "ready": {"text": "Welcome"}},
             "checks": [{"name": "one", "url": "/one"}, {"name": "moved", "url": "/one", "actions": [{"type": "navigate", "url": "/two"}]},
                        {"name": "three", "url": "/three"}, {"name": "shows", "url": "/shows"}]}
    # The same site twice: nothing differs, and nothing is written.
    done, results = check(ctx, suite, "--against", there.url.removeprefix("http://"), "--filter=moved", "--filter=shows", code=0)
    ctx.expect(states(results) == {"moved": "passed", "shows": "passed"}, f"{states(results)}")
    ctx.expect(results["against"] == there.url + "/" and not (ctx.work / "smoke.baselines").exists(), f"{results.get('against')}")
    for site in (here, there):
        paths = [path for _, path, _ in list(site.requests)]
        ctx.expect({"/one", "/two", "/shows", "/login"} <= set(paths) and paths.count("/login") == 1, f"{paths}")
    # Each side has its own login.
    seen = {path for _, path, _ in [*here.requests, *there.requests] if path.startswith("/seen")}
    ctx.expect(seen == {f"/seen?who={site.url.rsplit(':', 1)[1]}" for site in (here, there)}, f"{seen}")
    # With one change, that one; what the other side does not have is an error that names it.
    there.answers["/two"] = page(BOX % ("red", "two"))
    there.answers.pop("/three")
    done, results = check(ctx, suite, "--against", there.url, code=1)
    ctx.match(states(results), {"one": "passed", "moved": "failed", "three": "error", "shows": "passed"}, "one change")
    entry = {one["name"]: one for one in results["checks"]}["moved"]
    ctx.expect(set(entry["images"]) == {"actual", "expected", "diff"} and "approve" not in entry, f"{entry}")
    ctx.expect("--approve" not in done.stdout.decode(), done.text)
    entry = {one["name"]: one for one in results["checks"]}["three"]
    ctx.expect(entry["status"] == "error" and entry["reason"].startswith(there.url) and "404" in entry["reason"], f"{entry}")
    for args, words in ((["--against", there.url, "--update"], "exclude each other"), (["--against", here.url], "own baseUrl"),
                        (["--against", "no-such-branch"], "neither an address nor a revision")):
        done, _ = check(ctx, suite, *args, code=2)
        ctx.expect(words in done.stderr, f"{args}: {done.stderr}")
    for args in (["smoke.json", "--approve", "moved"], ["review", "smoke.json", "--no-open"]):
        refused = ctx.run(["check", *args], complete=False)
        ctx.expect(refused.exit == 2 and "not with baselines" in refused.stderr, refused.text)


def revisions(ctx):
    root = ctx.work / "repository"
    (root / "app/site").mkdir(parents=True)

    def git(*args):
        subprocess.run(["git", "-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org", *args], check=True, capture_output=True)

    def write(colour):
        (root / "app/site/index.html").write_text(BOX % (colour, "one"))
        (root / "app/site/same.html").write_text(BOX % ("teal", "same"))

    git("init", "--quiet", "--initial-branch=main")
    ctx.file("repository/app/serve.py", SERVER)
    write("navy")
    git("add", "."), git("commit", "--quiet", "-m", "first")
    write("red")
    port = ctx.take_port()
    suite = {"baseUrl": f"http://127.0.0.1:{port}/", "viewports": {"desktop": {"width": 300, "height": 200}},
             "server": {"command": ["python3", "../serve.py", str(port)], "directory": "site"},
             "checks": [{"name": "home", "url": "/"}, {"name": "same", "url": "/same.html"}]}
    for base, server in ((suite["baseUrl"], True), ("site", False)):
        wanted = {**suite, "baseUrl": base}
        if not server:
            del wanted["server"]
        _, results = check(ctx, wanted, "--against", "main", code=1, folder="repository/app/")
        ctx.match(states(results), {"home": "failed", "same": "passed"}, f"a revision, {base}")
        ctx.expect(results["against"].startswith("main ("), results["against"])
    done, _ = check(ctx, {key: value for key, value in suite.items() if key != "server"}, "--against", "main", code=2, folder="repository/app/")
    ctx.expect('needs a "server"' in done.stderr, done.stderr)
    trees = subprocess.run(["git", "-C", root, "worktree", "list"], capture_output=True, text=True, check=True).stdout.splitlines()
    ctx.expect(len(trees) == 1, f"worktrees are left: {trees}")
    ctx.expect((root / "app/site/index.html").read_text() == BOX % ("red", "one"), "the user's files were changed")
