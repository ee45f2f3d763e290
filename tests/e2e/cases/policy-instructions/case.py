"""A hostile batch under each rule: what it is refused, with which words, and that it happened without the rule.

Rules for scripts and files have a case of their own, policy-scripts-files.
"""
import json
import os
import pathlib
import re
import subprocess

from answers import Site, page
from harness import ROOT


FORM = "<title>own</title><input type=file id=file><input type=file id=folder webkitdirectory><a id=leave href='%s/left'>leave</a><a id=hop href=/hop>hop</a><p>text</p>"


def sites(ctx):
    """The own one, another one, and that by the name of localhost."""
    other = Site(ctx, {"/left": page("<title>left</title>"), "/hopped": page("<title>hopped</title>")})
    address = other.url.replace("127.0.0.1", "localhost")
    own = Site(ctx, {"/": page(FORM % address), "/next": page("<title>next</title>"),
                     "/hop": (302, {"Location": address + "/hopped"}, b"")})
    return own, other, address


def run(ctx):
    own, other, address = sites(ctx)
    check_navigation(ctx, own, other, address)
    check_private_names(ctx, own, other)
    check_schemes(ctx, own)
    check_usage(ctx)
    check_document(ctx)


def run_scripts_and_files(ctx):
    own, _, _ = sites(ctx)
    check_scripts(ctx, own)
    check_files(ctx, own)


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
    """The responses to the steps alone, from the own page each."""
    start = ("start", {"url": own.url + "/", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})
    ran = ctx.run_batch([start, *steps], "--screenshots", "none", *rules, seconds=100)
    ctx.expect(ran.responses and ran.responses[0]["success"], f"{rules}: {ran.text[:1500]}")
    return ran.responses[1:]


def refused(ctx, own, steps, rule, *rules):
    """Each step is done without the rules, and POLICY_DENIED with them, by that rule and with a cure."""
    for step, response in zip(steps, hostile(ctx, own, steps)):
        ctx.expect(response.get("errorCode") != "POLICY_DENIED", f"without rules: {step}: {response.get('error')}")
    responses = hostile(ctx, own, steps, *rules)
    ctx.expect(len(responses) == len(steps), f"{len(responses)} of {len(steps)} answers")
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
    """A click has happened; that its navigation was refused is told, and fails it where a navigation is wanted."""
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
    """A public name that leads to this machine is found out by its address; one that is named is meant."""
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
    harmless = [("wait", {"text": "text"}), ("emulate", {"route": json.dumps([{**route, "resourceTypes": ["xhr"]}])}), ("click", {"selector": "p"})]
    ctx.expect(all(response["success"] for response in hostile(ctx, own, harmless, "--no-eval")), "what is no script is refused")


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


def check_usage(ctx):
    """Rules that cannot be used are mistakes of the command line, said before Chrome starts."""
    path = ctx.batch([("start", {"url": "about:blank"})])
    for args, part in ((["--allow", "http://a/path"], "http://a/path"), (["--deny", "10.0.0.0/8"], "10.0.0.0/8"),
                       (["--allow", "private"], "private"), (["--schemes", ""], "names none"),
                       (["--files", "/nowhere/at/all"], "/nowhere/at/all"), (["--files", str(ctx.base), "--downloads", "/tmp"], "--downloads")):
        run = ctx.run(["run", path, "--chrome", ctx.mark_chrome(), *args])
        ctx.expect(run.exit == 2 and part in run.stderr and not ctx.marked(), f"{args}: exit {run.exit}: {run.stderr}")
