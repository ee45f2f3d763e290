"""A hostile batch under each rule: what is refused, with which words, and that it happens without the rule.

Rules for scripts and files have their own case, policy-scripts-files."""
import json
import os
import pathlib
import re
import subprocess

from answers import Site, page
from faults import until
from harness import ROOT
from processes import TIMEOUT

BROWSER = "any"
FORM = "<title>own</title><input type=file id=file><input type=file id=folder webkitdirectory><a id=leave href='%s/left'>leave</a><a id=hop href=/hop>hop</a><p>text</p>"
SESSIONS = {}  # by their rules


def sites(ctx):
    """The page's own site, another one, and that with the name localhost."""
    other = Site(ctx, {"/left": page("<title>left</title>"), "/hopped": page("<title>hopped</title>")})
    address = other.url.replace("127.0.0.1", "localhost")
    own = Site(ctx, {"/": page(FORM % address), "/next": page("<title>next</title>"),
                     "/hop": (302, {"Location": address + "/hopped"}, b"")})
    return own, other, address


def run(ctx):
    own, other, address = sites(ctx)
    check_navigation(ctx, own, other, address)
    check_private_names(ctx, own, other)
    check_cached(ctx, own)
    check_schemes(ctx, own)
    end_sessions()
    check_usage(ctx)
    check_document(ctx)


def run_scripts_and_files(ctx):
    own, _, _ = sites(ctx)
    check_scripts(ctx, own)
    check_answers(ctx, own)
    check_files(ctx, own)
    check_opened_file(ctx, own)
    check_saved(ctx, own)
    end_sessions()
    check_modes(ctx, own)


def check_document(ctx):
    """The commands of docs/security.md that are marked to be run work."""
    text = (ROOT / "docs" / "security.md").read_text()
    blocks = re.findall(r"<!-- run -->\n```sh\n(.*?)```", text, re.S)
    ctx.environment["PATH"] = f"{pathlib.Path(ctx.options.binary).resolve().parent}:{os.environ['PATH']}"
    for script in blocks:
        done = subprocess.run(["bash", "-eu", "-c", ctx.adapt(script)], cwd=ctx.work, env=ctx.environment,
                              capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
        ctx.expect(done.returncode == 0, f"exit {done.returncode} of:\n{script}\n{done.stderr.decode()[-800:]}")
    ctx.expect(len(blocks) == 1 and (ctx.work / "shop.jpg").exists(), f"{len(blocks)} blocks")


def hostile(ctx, own, steps, *rules):
    """Returns the responses to the steps, from a new page at the own one; the session is the same for equal rules."""
    session = SESSIONS.get(rules)
    if not session:
        session = SESSIONS[rules] = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *TIMEOUT,
                                               *ctx.browser_args(), *rules])
    started = session.ask("start", {"url": own.url + "/", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0}, 60)
    ctx.expect(started["success"], f"{rules}: {started}")
    return [session.ask(*step, 60) for step in steps]


def end_sessions():
    for session in SESSIONS.values():
        session.close_stdin()
    for session in SESSIONS.values():
        session.wait()


def refused(ctx, own, steps, rule, *rules):
    """Each step succeeds without the rules, and fails with POLICY_DENIED under them, naming that rule and a remedy."""
    for step, response in zip(steps, hostile(ctx, own, steps)):
        ctx.expect(response.get("errorCode") != "POLICY_DENIED", f"without rules: {step}: {response.get('error')}")
    responses = hostile(ctx, own, steps, *rules)
    for step, response in zip(steps, responses):
        ctx.expect(response.get("errorCode") == "POLICY_DENIED" and rule in response["error"] and response.get("hint"),
                   f"{rules}: {step}: {response['success']} {response.get('errorCode')} {response.get('error')}")
    return responses


def check_navigation(ctx, own, other, address):
    tricks = [address + "/left", address.upper() + "/left", address.replace("localhost", "localhost.") + "/left",
              address.replace("//", f"//{own.url[7:]}@") + "/left", own.url.replace("127.0.0.1", "127.1.0.1") + "/",
              own.url + "/hop", f"view-source:{address}/left", "file:///etc/passwd", "data:text/html,x", "about:version"]
    steps = [("navigate", {"url": url}) for url in tricks if not url.startswith("view-source")]
    steps += [("tab", {"op": "new", "url": address + "/left"}), ("start", {"url": address + "/left"})]
    asked = hostile(ctx, own, steps)
    ctx.expect(any("/left" == path for _, path, _ in other.requests), f"without rules nobody came: {asked}")
    other.requests.clear()
    responses = hostile(ctx, own, steps, "--allow", own.url)
    for step, response in zip(steps, responses):
        ctx.expect(response.get("errorCode") == "POLICY_DENIED" and "--allow" in response["error"] and response["hint"],
                   f"{step}: {response.get('errorCode')} {response.get('error')}")
    ctx.expect(not other.requests, f"somebody came: {other.requests}")
    check_clicks(ctx, own, other, address)


def check_clicks(ctx, own, other, address):
    """A click has happened; its refused navigation is reported, and fails the click if a navigation is requested."""
    steps = [("click", {"selector": "#leave"}), ("evaluate", {"expression": "location.href"}),
             ("click", {"selector": "#leave", "waitForNavigation": True}), ("click", {"selector": "#hop", "waitForNavigation": True}),
             ("evaluate", {"expression": "location.href"}), ("navigate", {"url": own.url + "/next"}), ("back", {})]
    responses = hostile(ctx, own, steps, "--allow", own.url)
    logs = [log["message"] for log in responses[0]["logs"]]
    ctx.expect(responses[0]["success"] and any(f"{address}/left is refused by --allow" in log for log in logs), f"click: {logs}")
    ctx.expect(responses[1].get("result") == own.url + "/", f"the page did not stay: {responses[1]}")
    for response in responses[2:4]:
        ctx.expect(response.get("errorCode") == "POLICY_DENIED", f"waitForNavigation: {response.get('errorCode')} {response.get('error')}")
    ctx.expect(responses[4].get("result") == own.url + "/", f"the page did not stay: {responses[4]}")
    ctx.expect(responses[5]["success"] and responses[6]["success"], f"on it goes: {responses[5:]}")
    ctx.expect(not other.requests, f"somebody came: {other.requests}")


def check_private_names(ctx, own, other):
    """A public name that resolves to this machine is detected by its address; a name that is allowed explicitly passes."""
    port = other.url.rsplit(":", 1)[1]
    rebind = f"http://rebind.example:{port}"
    chrome = ("--chrome-arg", "--host-resolver-rules=MAP rebind.example 127.0.0.1", "--deny", "private")
    steps = [("navigate", {"url": rebind + "/left"}), ("evaluate", {"expression": "document.title"}),
             ("evaluate", {"expression": f"fetch('{rebind}/left', {{mode: 'no-cors'}}).then(() => 'read', () => 'refused')"})]
    responses = hostile(ctx, own, steps, *chrome, "--allow", own.url, "--allow", "*.example")
    ctx.expect(responses[0].get("errorCode") == "POLICY_DENIED" and "--deny private" in responses[0]["error"], f"rebind: {responses[0]}")
    ctx.expect(responses[1].get("result") == "own" and responses[2].get("result") == "refused", f"rebind: {responses[1:]}")
    responses = hostile(ctx, own, steps[:2], *chrome, "--allow", own.url, "--allow", f"rebind.example:{port}")
    ctx.expect(responses[1].get("result") == "left", f"a name that is meant: {responses}")


def check_cached(ctx, own):
    """An answer cached before the rule is refused, too, even though nothing connects any more."""
    cacheable = Site(ctx, {"/kept": (200, {"Content-Type": "text/html", "Cache-Control": "max-age=9999"}, b"<title>kept</title>")})
    url = f"http://rebind.example:{cacheable.url.rsplit(':', 1)[1]}/kept"
    chrome = ("--chrome-arg", "--host-resolver-rules=MAP rebind.example 127.0.0.1", "--chrome-arg", "--no-proxy-server")
    steps = [("start", {"url": own.url + "/", "maxConsecutiveErrors": 0}), ("navigate", {"url": url}), ("evaluate", {"expression": "document.title"})]
    runs = [ctx.run_batch(steps, "--screenshots", "none", *chrome, *rules, profile=("--profile", "cached")).responses
            for rules in ((), ("--deny", "private", "--allow", own.url, "--allow", "*.example"))]
    ctx.expect(runs[0][2].get("result") == "kept", f"without rules: {runs[0]}")
    ctx.expect(runs[1][1].get("errorCode") == "POLICY_DENIED" and runs[1][2].get("result") != "kept", f"cached: {runs[1][1:]}")
    ctx.expect([path for _, path, _ in cacheable.requests].count("/kept") == 1, "it does not come from the cache")


def check_schemes(ctx, own):
    path = ctx.file("local.html", "<title>local</title>")
    urls = [f"file://{path}", "data:text/html,x", "about:version"]
    refused(ctx, own, [("navigate", {"url": url}) for url in urls], "--schemes", "--schemes", "http,https")
    allowed = hostile(ctx, own, [("navigate", {"url": "data:text/html,<title>d</title>"}), ("navigate", {"url": f"file://{path}"})],
                      "--schemes", "http,data,file")
    ctx.expect(all(response["success"] for response in allowed), f"schemes that are named: {allowed}")


def check_scripts(ctx, own):
    route = {"url": "*/next", "action": "fulfill", "body": "<script>document.title = 'ran'</script>", "contentType": "text/html"}
    steps = [("evaluate", {"expression": "1"}), ("wait", {"expression": "true"}),
             ("diagnose", {"steps": json.dumps([{"action": {"type": "wait", "ms": 1}, "customCondition": "true"}])}),
             ("navigate", {"url": "data:text/html,<script>1</script>"}), ("start", {"url": "data:text/html,<script>1</script>"}),
             ("tab", {"op": "new", "url": "DATA:text/html,<script>1</script>"}),
             ("emulate", {"route": json.dumps([route])})]
    refused(ctx, own, steps, "--no-eval", "--no-eval")
    step = json.dumps([{"action": {"type": "evaluate", "expression": "1"}}])
    responses = hostile(ctx, own, [("diagnose", {"steps": step})], "--no-eval")
    ctx.expect("--no-eval" in json.dumps(responses) and not responses[0]["success"], f"a step: {responses}")
    harmless = [("wait", {"text": "text"}), ("emulate", {"route": json.dumps([{**route, "resourceTypes": ["image"]}])}), ("click", {"selector": "p"})]
    ctx.expect(all(response["success"] for response in hostile(ctx, own, harmless, "--no-eval")), "what is no script is refused")


def check_answers(ctx, own):
    """Answers that a page may run, or turn into elements; plain data reach it as without the rule."""
    text = {"url": "*/data", "action": "fulfill", "resourceTypes": ["xhr"]}
    led = {"action": "fulfill", "status": 302, "headers": {"location": own.url + "/next"}}
    answers = [{**text, "body": body} for body in (
        "<img src=x onerror=1>", json.dumps({"text": "<b>"}), '{"text": "\\u003Cb>"}', '{"text": "\\\\u003cb>"}', "&lt;b&gt;",
        '{"href": "JavaScript:1"}', "x".encode("utf-16-le").decode() + "<\0b\0")]
    answers += [{**text, "resourceTypes": ["stylesheet"], "body": "<xsl:stylesheet/>"}, {**text, **led, "resourceTypes": ["script"]},
                {**text, **led, "resourceTypes": ["document"]}, {"url": "*/data", **led}]
    refused(ctx, own, [("emulate", {"route": json.dumps([answer])}) for answer in answers], "--no-eval", "--no-eval")
    data = [{**text, "body": json.dumps({"price": "3 > 2 & 1", "next": "https://example.org/?a=%20"})}, {**text, "body": "a,b\n1,2"},
            {**text, "resourceTypes": ["image"], "body": "<svg/>"}, {"url": "*", "action": "block"}]
    done = hostile(ctx, own, [("emulate", {"route": json.dumps([answer])}) for answer in data], "--no-eval")
    ctx.expect(all(response["success"] for response in done), f"data: {[response.get('error') for response in done]}")


def check_files(ctx, own):
    folder = ctx.work / "folder"
    folder.mkdir()
    (folder / "inside.txt").write_text("inside")
    secret = ctx.file("secret.json", json.dumps({"cookies": [], "origins": []}))
    os.symlink(secret, folder / "link.txt")
    os.symlink("..", folder / "up")
    (folder / "linked").mkdir()
    os.symlink(secret, folder / "linked" / "link.txt")
    body = {"url": "*/next", "action": "fulfill", "bodyFile": str(secret)}
    out = ctx.work / "stolen.json"
    steps = [("upload", {"selector": "#file", "files": json.dumps([str(path)])}) for path in
             (secret, folder / ".." / "secret.json", folder / "link.txt", folder / "up" / "secret.json", "secret.json")]
    steps += [("upload", {"selector": "#folder", "files": json.dumps([str(folder / "linked")])}),
              ("storage", {"op": "load", "file": str(secret)}), ("cookies", {"op": "load", "file": str(secret)}),
              ("storage", {"op": "save", "file": str(out)}), ("cookies", {"op": "save", "file": str(folder / "up" / "stolen.json")}),
              ("emulate", {"route": json.dumps([body])}), ("navigate", {"url": f"file://{secret}"}),
              ("navigate", {"url": f"file://{folder}/%75p/secret.json"}), ("click", {"selector": "p", "debug": True})]
    refused(ctx, own, steps, "--files", "--files", str(folder))
    ctx.expect(out.exists(), "without rules nothing was saved")
    out.unlink()
    refused(ctx, own, [("upload", {"selector": "#file", "files": json.dumps([str(folder / "inside.txt")])})],
            "--files none", "--files", "none")
    ctx.expect(not out.exists(), "a refused file is there")
    fine = [("upload", {"selector": "#file", "files": json.dumps([str(folder / "inside.txt")])}),
            ("storage", {"op": "save", "file": str(folder / "state.json")}), ("storage", {"op": "load", "file": str(folder / "state.json")}),
            ("navigate", {"url": f"file://{folder}/inside.txt"})]
    done = hostile(ctx, own, fine, "--files", str(folder))
    ctx.expect(all(response["success"] for response in done), f"inside: {[response.get('error') for response in done]}")


def check_opened_file(ctx, own):
    """A tab that a click opens on a file outside: Chrome shows it before it can be intercepted, and it is left unreported."""
    folder = ctx.work / "opened"
    folder.mkdir()
    outside = ctx.file("outside.html", "<title>outside title</title>outside text")
    (folder / "page.html").write_text(f"<title>inside</title><a id=out href='file://{outside}'>out</a>")
    ways = [("click", {"selector": "#out", **more}) for more in ({"modifiers": ["Control"]}, {"modifiers": ["Shift"]}, {"button": "middle"})]
    ways.append(("evaluate", {"expression": "document.querySelector('#out').dispatchEvent(new MouseEvent('click', {ctrlKey: true, bubbles: true, cancelable: true, view: window}))"}))
    for way in ways:
        steps = [("navigate", {"url": f"file://{folder}/page.html"}), way, ("wait", {"ms": 300}), ("tab", {"op": "list"}),
                 ("tab", {"op": "activate", "id": 2}), ("snapshot", {})]
        free = hostile(ctx, own, steps)
        ctx.expect("outside text" in json.dumps(free[-1]), f"{way}: without rules: {free[3:]}")
        held = hostile(ctx, own, steps, "--files", str(folder))
        ctx.expect("outside text" not in json.dumps(held) and "outside title" not in json.dumps(held), f"{way} shows the file: {held[3:]}")
        ctx.expect("--files" in json.dumps(held[1:]), f"{way}: nobody is told: {held[1:]}")


def check_saved(ctx, own):
    """The session cannot open what it has saved."""
    folder = ctx.work / "saved"
    downloads = folder / "downloads"
    folder.mkdir()
    code = "document.title = 'ran'"
    steps = [("storage", {"op": "set", "name": "a", "value": f"<script>{code}</script>"}), ("storage", {"op": "save", "file": str(folder / "m.html")}),
             ("navigate", {"url": f"file://{folder}/m.html"}), ("evaluate", {"expression": "document.title"})]
    ctx.expect(hostile(ctx, own, steps)[-1].get("result") == "ran", "without rules a saved state is no page")
    (folder / "m.html").unlink()
    rules = ("--no-eval", "--files", str(folder), "--downloads", str(downloads))
    for op in ("storage", "cookies"):
        held = hostile(ctx, own, [(op, {"op": "save", "file": str(folder / name)}) for name in ("m.html", "m", "m.json")], *rules)
        ctx.expect([response.get("errorCode") for response in held] == ["POLICY_DENIED", "POLICY_DENIED", None], f"{op}: {held}")
        ctx.expect(not (folder / "m.html").exists(), f"{op}: it is there")
    (downloads / "page.html").write_text("<title>saved</title>")
    steps = [("navigate", {"url": f"file://{downloads}/page.html"}), ("navigate", {"url": f"file://{folder}/"}),
             ("navigate", {"url": f"file://{folder}/downloads/../%64ownloads/page.html"})]
    done = hostile(ctx, own, steps, "--downloads", str(downloads), "--files", str(folder))
    ctx.expect(all(response["success"] for response in done), f"without --no-eval: {done}")
    held = hostile(ctx, own, steps, *rules)
    ctx.expect([response.get("errorCode") for response in held] == ["POLICY_DENIED", None, "POLICY_DENIED"], f"downloads: {held}")
    ctx.expect("--no-eval" in held[0]["error"] and held[0]["hint"], f"downloads: {held[0]}")


def check_modes(ctx, own):
    """Saved files are readable by their owner only, regardless of the umask."""
    link = "const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'])); a.download = 'x.txt'; a.click()"
    steps = [("start", {"url": own.url + "/"}), ("storage", {"op": "save", "file": str(ctx.work / "modes-state.json")}),
             ("click", {"selector": "p", "debug": True}), ("evaluate", {"expression": link})]
    parts = {option: ctx.work / f"modes{option}" for option in ("--downloads", "--debug-dir", "--save-dir")}
    files = {option: ctx.work / f"modes{option}.json" for option in ("--audit", "--har")}
    args = [str(part) for pair in {**parts, **files}.items() for part in pair]
    talk = ctx.start(["run", "-", "--temp-profile", "--debug", *args, *ctx.browser_args()], umask=0)
    for step in steps:
        talk.ask(*step)
    until(lambda: (parts["--downloads"] / "x.txt").exists(), "the download")
    talk.close_stdin()
    run = talk.wait()
    ctx.expect(run.exit == 0, run.text[-600:])
    made = [ctx.work / "modes-state.json", *parts.values(), *files.values(), *(path for part in parts.values() for path in part.rglob("*"))]
    for path in made:
        mode = path.stat().st_mode & 0o777
        ctx.expect(mode == (0o700 if path.is_dir() else 0o600), f"{path} has mode {mode:o}")
    ctx.expect(len(made) >= 12 and (parts["--downloads"] / "x.txt").exists(), f"made: {made}")


def check_usage(ctx):
    """Invalid rules are errors of the command line, reported before Chrome starts."""
    path = ctx.batch([("start", {"url": "about:blank"})])
    for args, part in ((["--allow", "http://a/path"], "http://a/path"), (["--deny", "10.0.0.0/8"], "10.0.0.0/8"),
                       (["--allow", "private"], "private"), (["--schemes", ""], "is empty"),
                       (["--files", "/nowhere/at/all"], "/nowhere/at/all"), (["--files", str(ctx.base), "--downloads", "/tmp"], "--downloads")):
        run = ctx.run(["run", path, "--chrome", ctx.mark_chrome(), *args])
        ctx.expect(run.exit == 2 and part in run.stderr and not ctx.marked(), f"{args}: exit {run.exit}: {run.stderr}")
