"""--har: an archive that is complete and valid, also after a failure, an interrupt and a kill."""
import json
import os
import signal
import stat
import time

import jsonschema

from answers import Site, page

BROWSER = "any"
TIME = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"}
COUNT = {"type": "integer", "minimum": -1}
UNKNOWN_OR_MS = {"anyOf": [{"const": -1}, {"type": "number", "minimum": 0}]}
MS = {"type": "number", "minimum": 0}
TEXT = {"type": "string"}
PAIRS = {"type": "array", "items": {"type": "object", "required": ["name", "value"],
                                    "properties": {"name": TEXT, "value": TEXT}}}


def object_of(optional=(), **members):
    """All members are required except the optional ones; additional ones begin with _ (HAR 1.2)."""
    return {"type": "object", "properties": members,
            "required": [name for name in members if name not in optional],
            "patternProperties": {"^_": {}}, "additionalProperties": False}


ENTRY = object_of(
    ("pageref", "serverIPAddress", "comment"), pageref=TEXT, comment=TEXT, startedDateTime=TIME, time=MS,
    serverIPAddress=TEXT, cache={"type": "object"},
    request=object_of(("postData",), method=TEXT, url=TEXT, httpVersion=TEXT, cookies=PAIRS, headers=PAIRS,
                      queryString=PAIRS, headersSize=COUNT, bodySize=COUNT,
                      postData=object_of(mimeType=TEXT, params={"type": "array"}, text=TEXT)),
    response=object_of(status={"type": "integer"}, statusText=TEXT, httpVersion=TEXT, cookies=PAIRS,
                       headers=PAIRS, redirectURL=TEXT, headersSize=COUNT, bodySize=COUNT,
                       content=object_of(("text", "comment"), size={"type": "integer", "minimum": 0},
                                         mimeType=TEXT, text=TEXT, comment=TEXT)),
    timings=object_of(blocked=UNKNOWN_OR_MS, dns=UNKNOWN_OR_MS, connect=UNKNOWN_OR_MS, ssl=UNKNOWN_OR_MS,
                      send=MS, wait=MS, receive=MS))
HAR = object_of(log=object_of(
    ("comment",), version={"const": "1.2"}, creator=object_of(name=TEXT, version=TEXT),
    browser=object_of(name=TEXT, version=TEXT), entries={"type": "array", "items": ENTRY}, comment=TEXT,
    pages={"type": "array", "items": object_of(
        startedDateTime=TIME, id=TEXT, title=TEXT,
        pageTimings=object_of(onContentLoad=UNKNOWN_OR_MS, onLoad=UNKNOWN_OR_MS))}))


def read(ctx, name):
    """Returns the archive's log after checking it."""
    har = json.loads((ctx.work / name).read_text())
    for error in jsonschema.Draft202012Validator(HAR).iter_errors(har):
        ctx.problem(f"{name}: {error.json_path}: {error.message[:200]}")
    ids = [page["id"] for page in har["log"]["pages"]]
    ctx.expect(len(set(ids)) == len(ids), f"{name}: pages {ids}")
    for entry in har["log"]["entries"]:
        parts = sum(value for key, value in entry["timings"].items() if key != "ssl" and value > 0)
        ctx.expect(abs(parts - entry["time"]) < 0.01,
                   f"{name}: time {entry['time']} of {entry['timings']}")
        ctx.expect(entry["pageref"] in ids, f"{name}: no page {entry['pageref']}")
    return har["log"]


def values(entry, part, name):
    return [pair["value"] for pair in entry[part]["headers"] if pair["name"].lower() == name]


def run(ctx):
    cookies = {"Set-Cookie": ["a=secret-of-a; Path=/", "b=secret-of-b; Path=/"]}
    status, headers, body = page("<title>First</title><script>fetch('/data?q=a%20b&r=%C3%A9+%C3%A9&s#x', "
                                 "{method: 'POST', body: 'x=1'}).then((a) => a.text())</script>")
    site = Site(ctx, {
        "/": (302, {"Location": "/first", **cookies}, b""),
        "/first": (status, headers, body),
        "/data": (500, {"Content-Type": "application/json"}, b'{"error": "down"}'),
        "/login": (401, {"Content-Type": "text/plain"}, b"who are you?"),
    })
    steps = [("start", {"url": site.url + "/", "waitUntil": "networkidle0"}),
             ("evaluate", {"expression": "fetch('/login?access_token=secret&n=1', {headers: {Authorization: 'Basic secret',"
                                         " 'X-Api-Key': 'secret'}})"
                                         ".then((a) => a.text())"}),
             ("navigate", {"url": ctx.closed_origin + "/nowhere"}),
             ("navigate", {"url": site.url + "/missing?token=secret"})]

    result = ctx.run_batch(steps, "--screenshots", "none", "--har", "run.har")
    ctx.expect(result.exit == 1, f"exit {result.exit}")
    text = (ctx.work / "run.har").read_text()
    ctx.expect("secret" not in text, "secrets are in the archive")
    ctx.expect("secret" not in result.text, "secrets are in the answers")
    ctx.expect(stat.S_IMODE((ctx.work / "run.har").stat().st_mode) == 0o600, "others may read the archive")
    ctx.match(result.responses[-1], {"url": site.url + "/missing?token=***"}, "the address of the page")
    log = read(ctx, "run.har")
    entries = {entry["request"]["url"].split("?")[0]: entry for entry in log["entries"]
               if not entry["request"]["url"].endswith("favicon.ico")}
    events = sum(len(response["networkEvents"]) for response in result.responses)
    ctx.expect(len(log["entries"]) == events, f"{len(log['entries'])} entries for {events} events")
    ctx.match(log["browser"], {"version": {"$regex": r"^\d+\."}}, "browser")
    ctx.match([page["title"] for page in log["pages"]],
              ["First", ctx.closed_origin + "/nowhere", {"$regex": "missing"}], "titles")
    ctx.match(log["pages"][0]["pageTimings"], {"onContentLoad": {"$gt": 0}, "onLoad": {"$gt": 0}}, "page 1")
    ctx.match(log["pages"][1]["pageTimings"], {"onContentLoad": -1, "onLoad": -1}, "page 2")

    first = entries[site.url + "/"]
    ctx.match(first["response"], {"status": 302, "redirectURL": {"$regex": "/first$"}}, "the redirect")
    ctx.expect(set(values(first, "response", "set-cookie")) == {"***"}, "Set-Cookie is not masked")
    second = entries[site.url + "/first"]
    ctx.match(second, {"pageref": first["pageref"], "_resourceType": "document",
                       "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1",
                                    "content": {"mimeType": "text/html", "size": len(body)}}}, "the page")
    ctx.expect(values(second, "request", "cookie") == ["***"], "Cookie is not masked")
    ctx.match(entries[site.url + "/data"], {
        "request": {"method": "POST", "bodySize": 3, "postData": {"text": "x=1"}, "queryString": [
            {"name": "q", "value": "a b"}, {"name": "r", "value": "é é"}, {"name": "s", "value": ""}]},
        "response": {"status": 500, "content": {"text": '{"error": "down"}'}}}, "the failed POST")
    login = entries[site.url + "/login"]
    ctx.expect(values(login, "request", "authorization") == ["***"], "Authorization is not masked")
    ctx.expect(values(login, "request", "x-api-key") == ["***"], "X-Api-Key is not masked")
    ctx.expect(login["request"]["queryString"] == [{"name": "access_token", "value": "***"}, {"name": "n", "value": "1"}],
               f"queryString: {login['request']['queryString']}")
    ctx.match(entries[ctx.closed_origin + "/nowhere"],
              {"response": {"status": 0, "_error": {"$regex": "ERR_"}, "content": {"size": 0}}}, "the refusal")
    ctx.match(entries[site.url + "/missing"]["response"]["status"], 404, "the missing page")

    # The same without masking.
    (ctx.work / "open.har").touch()
    (ctx.work / "open.har").chmod(0o640)  # regardless of the umask
    ctx.run_batch(steps[:2], "--screenshots", "none", "--har", "open.har", "--har-secrets")
    read(ctx, "open.har")
    text = (ctx.work / "open.har").read_text()
    ctx.expect("a=secret-of-a" in text and "access_token=secret" in text, "--har-secrets masks")
    ctx.expect(stat.S_IMODE((ctx.work / "open.har").stat().st_mode) == 0o640, "the mode of a file that was there changed")

    # Ended from outside, after the first answer.
    for number, name in ((signal.SIGINT, "interrupted.har"), (signal.SIGKILL, "killed.har")):
        process = ctx.start(["run", "-", "--temp-profile", *ctx.browser_args(), "--screenshots", "none",
                             "--har", name])
        process.send(f"<type>start</type><url>{site.url}/first</url>\n"
                     f"<type>wait</type><ms>30000</ms><timeout>40000</timeout>\n")
        process.line()
        time.sleep(0.2)
        process.signal(number)
        process.wait(complete=False)
        ctx.expect(any(entry["request"]["url"] == site.url + "/first" for entry in read(ctx, name)["entries"]),
                   f"{name}: the page is not in it")
    ctx.leftovers_allowed = True

    # An unwritable file is reported before anything runs.
    path = ctx.batch(steps)
    os.mkfifo(ctx.work / "pipe")
    for name in ("no-such-directory/run.har", "/dev/null", "pipe"):
        refused = ctx.run(["run", path, "--chrome", ctx.mark_chrome(), "--har", name])
        ctx.expect(refused.exit == 2 and not ctx.marked() and name in refused.stderr,
                   f"--har {name}: exit {refused.exit}, {refused.stderr}")
