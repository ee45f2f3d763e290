"""serve --http: batches as lines and as one answer, pictures and texts of a page, what is refused and how."""
import base64
import contextlib
import json
import subprocess

import jsonschema

from one_shots import shots
from pdfs import Pdf
from pictures import Picture
from stream import schema_problems

BROWSER = "any"


def batches(ctx, server):
    steps = [{"type": "start", "url": ctx.origin + "/shop/"}, {"type": "evaluate", "expression": "6*7"}]
    xml = ("<batch><browser_action><type>start</type><url>" + ctx.origin + "/shop/</url></browser_action>"
           "<browser_action><type>evaluate</type><expression>6*7</expression></browser_action></batch>")
    for body in (steps, xml):
        answer = server.run(body)
        ctx.expect(answer.status == 200 and answer.kind == "application/x-ndjson", f"{answer.status} {answer.kind}")
        ctx.expect(answer.headers["Transfer-Encoding"] == "chunked", "the lines come as they are written")
        lines = answer.lines
        ctx.problems += [f"{line}: {fault}" for line in lines for fault in schema_problems(line, line["kind"])]
        ctx.expect([line["kind"] for line in lines] == ["response", "response", "summary"], f"{lines}")
        ctx.match(lines[1], {"id": 2, "success": True, "result": 42}, "the second response")
        ctx.match(lines[2], {"actions": 2, "failed": 0, "aborted": False}, "the summary")
    whole = server.run(steps, Accept="text/html, application/json;q=0.9").json
    ctx.match(whole, {"responses": [{"type": "start"}, {"result": 42}], "summary": {"actions": 2}}, "one answer")
    # A failed action is told in its response: the request itself was carried out.
    failed = server.run([steps[0], {"type": "click", "selector": "#nothing", "timeout": 300}], Accept="application/json")
    ctx.match(failed.json, {"responses": [{"success": True}, {"success": False, "errorCode": "TARGET_NOT_FOUND"}],
                            "summary": {"failed": 1}}, "a failed action")
    ctx.expect(failed.status == 200, f"a failed action: {failed.status}")
    # The first line arrives while the second action runs.
    connection = server.open("/run", [steps[0], {"type": "evaluate", "expression": "fetch('/count?name=held&ms=3000').then(r => 1)"}])
    response = connection.getresponse()
    first = json.loads(response.readline())
    ctx.expect(first["id"] == 1 and server.metric("batches_running") == 1, f"the first line comes at the end: {first}")
    ctx.expect(len(response.read().splitlines()) == 2, "the other lines")
    connection.close()


def cookies(ctx, server):
    """Requests share none."""
    write = [{"type": "start", "url": ctx.origin + "/"}, {"type": "evaluate", "expression": "document.cookie = 'seen=1'"}]
    server.run(write)
    read = server.run([write[0], {"type": "evaluate", "expression": "document.cookie"}])
    ctx.expect(read.lines[1]["result"] == "", f"a cookie of another request: {read.lines[1]}")


def pages(ctx, server):
    url = ctx.origin + "/shop/"
    shot = server.ask("/shot", {"url": url, "format": "png", "fullPage": True})
    ctx.expect(shot.status == 200 and shot.kind == "image/png", f"{shot.status} {shot.kind} {shot.body[:300]}")
    picture = Picture(shot.body)
    ctx.expect(720 < picture.height < picture.width < 1280,  # as pictures of models are: --max-edge, --max-pixels
                f"{picture.width}x{picture.height}")
    shot = server.ask(f"/shot?url={url}&quality=60&waitFor=h1")
    ctx.expect(shot.kind == "image/jpeg" and Picture(shot.body).width == 1280, f"by query: {shot.kind}")
    block = server.ask(f"/shot?url={url}", Accept="application/json").json
    ctx.match(block, {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg"}}, "the image block")
    for printed in (server.ask("/pdf", {"url": url, "format": "a4", "pageRanges": "1"}), server.ask(f"/pdf?url={url}&format=a4&pageRanges=1")):
        ctx.expect(printed.status == 200 and printed.kind == "application/pdf", f"{printed.status} {printed.kind} {printed.body[:300]}")
        paper = Pdf(printed.body)
        ctx.expect(paper.page_count == 1 and paper.sizes == [(596, 842)] and paper.text, f"{paper.sizes} {paper.text[:200]}")
    result = server.ask(f"/pdf?url={url}", Accept="application/json").json
    ctx.expect(Pdf(base64.b64decode(result.pop("data"))).page_count == result["pages"], f"{result}")
    text = server.ask(f"/snapshot?url={url}")
    ctx.expect(text.kind == "text/plain" and text.body.startswith(b"page "), f"{text.body[:200]}")
    ctx.match(server.ask(f"/snapshot?url={url}", Accept="application/json").json, {"format": "text"}, "the result of a snapshot")
    for form, kind in (("html", "text/html"), ("main", "text/markdown"), ("text", "text/plain")):
        content = server.ask(f"/content?url={url}&format={form}")
        ctx.expect(content.status == 200 and content.kind == kind and content.body, f"{form}: {content.status} {content.kind}")
        ctx.expect(content.headers["Content-Security-Policy"] == "sandbox", "a page's markup is no page of this server")


def refusals(ctx, server):
    url = ctx.origin + "/shop/"
    for what, answer, status, message in (
            ("an unknown type", server.run([{"type": "strat"}]), 400, "line 1, column 2: unknown action type"),
            ("not a batch", server.run("{"), 400, "line 1"),
            *((f"nothing: {body}", server.run(body), 400, "no instruction") for body in ("", " \n", "[]", "<batch></batch>")),
            ("the second of two", server.run([{"type": "start", "url": url}, {"type": "click"}]), 400, "line 1"),
            ("GET", server.ask("/run"), 405, "by POST"),
            ("PUT", server.ask("/shot", "x", method="PUT"), 405, "by POST or GET"),
            ("an unknown parameter", server.ask(f"/shot?url={url}&fullpage=1"), 400, "screenshot.fullpage"),
            ("a wrong value", server.ask(f"/shot?url={url}&fullPage=maybe"), 400, "screenshot.fullPage"),
            ("no url", server.ask("/shot", {}), 400, "start: needs a \"url\""),
            ("a type", server.ask("/shot", {"url": url, "type": "click"}), 400, "in the path: /shot"),
            ("twice", server.ask(f"/shot?url={url}&url={url}"), 400, "given twice"),
            ("twice, in body and query", server.ask(f"/shot?url={url}", {"url": url}), 400, "given twice"),
            ("no value", server.ask(f"/shot?url={url}&fullPage"), 400, "has no value"),
            ("tiles", server.ask("/shot", {"url": url, "tiles": True}), 400, "several pictures"),
            ("waitFor", server.ask("/shot", {"url": url, "waitFor": 1}), 400, "waitFor"),
            ("a page that is not there", server.ask(f"/shot?url={ctx.origin}/missing"), 502, "status 404"),
            ("no server", server.ask(f"/content?url={ctx.closed_origin}/"), 502, "not reached"),
            ("pages that are not there", server.ask(f"/pdf?url={url}&pageRanges=99"), 400, "exceeds page count"),
            ("a PDF that is too large", server.ask(f"/pdf?url={url}&maxBytes=100"), 413, "more than 100 bytes"),
            ("a file of a PDF", server.ask(f"/pdf?url={url}&file=/tmp/a.pdf"), 403, "files"),
            ("no element", server.ask(f"/shot?url={url}&selector=%23nothing&timeout=5000"), 422, "nothing"),
            ("a file", server.ask("/shot?url=file:///etc/passwd"), 403, "file"),
            ("a page of another site", server.ask(f"/shot?url={url}", Sec_Fetch_Site="cross-site"), 403, "another site"),
            ("an empty key", server.run([{"type": "stop"}], Idempotency_Key=" "), 400, "0 characters"),
            ("a long key", server.run([{"type": "stop"}], Idempotency_Key="x" * 256), 400, "256 characters")):
        ctx.expect(answer.status == status and answer.kind == "application/json", f"{what}: {answer.status} {answer.body[:300]}")
        ctx.match(answer.json, {"kind": "error", "error": {"$regex": message}}, what)
    accepted = server.ask(f"/shot?url={ctx.origin}/missing&allowHttpErrors=true")
    ctx.expect(accepted.status == 200 and accepted.kind == "image/jpeg", f"allowHttpErrors: {accepted.status}")
    ctx.expect(server.ask("/shot", "x", method="PUT").headers["Allow"] == "GET, POST", "Allow")
    ctx.expect(server.ask("/other", "x").status == 404, "another path")
    ctx.expect(server.run([{"type": "stop"}], Origin="http://evil.example").status == 403, "a foreign origin")
    ctx.expect(server.run([{"type": "stop"}], Host="evil.example").status == 403, "a foreign host")
    with contextlib.closing(server.open("/run", b"", Content_Length=str(10 * 1024 * 1024 + 1))) as connection:
        ctx.expect(connection.getresponse().status == 413, "a long body")
    upload = [{"type": "start", "url": url}, {"type": "upload", "selector": "input", "files": ["/etc/passwd"]}]
    ctx.match(server.run(upload).lines[1], {"errorCode": "POLICY_DENIED"}, "files")
    ctx.expect(server.metric("requests_invalid_total") > 5, "the count of invalid ones")


def sockets(ctx, server):
    """The port has no WebSockets."""
    key = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec_WebSocket_Version": "13"}
    ctx.expect(server.ask("/run", method="GET", **key).status == 404, "a WebSocket")


def references(value):
    if isinstance(value, dict):
        yield from [value["$ref"]] if "$ref" in value else []
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from references(item)


def openapi(ctx, server):
    """The description has all paths and parameters, and says of a request what the server says."""
    root = server.ask("/openapi.json").json
    printed = subprocess.run([ctx.options.binary, "schema", "openapi"], capture_output=True, timeout=30).stdout
    ctx.expect(json.loads(printed) == root, "schema openapi prints another one")
    ctx.expect(root["openapi"] == "3.1.0" and set(root["paths"]) == {"/run", "/shot", "/pdf", "/snapshot", "/content", "/ready"}, "paths")
    schemas = root["components"]["schemas"]
    for reference in set(references(root)):
        place, name = reference.rsplit("/", 1)
        ctx.expect(place == "#/components/schemas" and name in schemas, f"{reference} leads nowhere")
    url = ctx.origin + "/shop/"
    bodies = {"/shot": [{"url": url}, {"url": url, "fullPage": 7}, {"fullPage": True}, {"url": url, "tiles": True},
                        {"url": url, "hide": ["h1"], "waitFor": "h1"}, {"url": url, "hidden": "h1"}],
              "/pdf": [{"url": url, "format": "a3", "margin": "0"}, {"url": url, "width": 7}, {"url": url, "scale": 3}],
              "/content": [{"url": url, "format": "main"}, {"url": url, "format": "pdf"}]}
    for path, tried in bodies.items():
        described = root["paths"][path]
        schema = described["post"]["requestBody"]["content"]["application/json"]["schema"]
        named = {parameter["name"] for parameter in described["get"]["parameters"] if parameter["in"] == "query"}
        ctx.expect(named == set(schema["properties"]), f"{path}: query and body differ: {named ^ set(schema['properties'])}")
        for body in tried:
            valid = jsonschema.Draft202012Validator({**schema, "components": root["components"]}).is_valid(body)
            status = server.ask(path, body).status
            ctx.expect(status == (200 if valid else 400), f"{path} {body}: valid {valid}, status {status}")


def run(ctx):
    with shots(ctx) as server:
        openapi(ctx, server)
        batches(ctx, server)
        cookies(ctx, server)
        pages(ctx, server)
        refusals(ctx, server)
        sockets(ctx, server)
    with shots(ctx, "--chrome", "/bin/false") as server:
        ctx.match(server.ask("/shot?url=about:blank").json, {"errorCode": "BROWSER_CRASHED"}, "no browser")
        ctx.expect(server.ask("/shot?url=about:blank").status == 503, "no browser")
        ctx.match(server.run([{"type": "start", "url": "about:blank"}]).lines[1], {"aborted": True, "stoppedBy": "browser"}, "no browser")
    with shots(ctx, "--token", "secret") as server:
        ctx.expect(server.run([{"type": "stop"}]).status == 401, "without the token")
        ctx.expect(server.run([{"type": "stop"}], Authorization="Bearer secret").status == 200, "with the token")
        ctx.expect(server.ask("/shot?url=about:blank").status == 401, "a GET without the token")
        ctx.expect(server.ask("/ready").status == 200, "a probe has no token")
