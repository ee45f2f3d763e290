"""MCP over HTTP and over a Unix socket: headers, sessions by name, statuses, who may connect, what ends."""
import http.client
import json
import socket
import urllib.parse

from faults import until
from mcped import MODERN
from processes import SLOWNESS
from warm import warm_sessions

TIER = "long"


def listening(process):
    line = json.loads(process.stdout.readline())
    return line["url"]


class Http:
    def __init__(self, url):
        self.place = urllib.parse.urlparse(url)

    def post(self, message, path="/mcp", method="POST", **headers):
        connection = http.client.HTTPConnection(self.place.hostname, self.place.port, timeout=60 * SLOWNESS)
        body = message if isinstance(message, (bytes, type(None))) else json.dumps({"jsonrpc": "2.0", **message}).encode()
        connection.request(method, path, body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        kind = answer.headers.get("Content-Type", "")
        return answer.status, json.loads(text) if kind == "application/json" and text else text

    def modern(self, method, headers=None, **params):
        named = {"Mcp-Name": params["name"]} if method == "tools/call" else {}
        return self.post({"id": 1, "method": method, "params": {**params, "_meta": MODERN}},
                         **{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, **named, **(headers or {})})

    def call(self, name, **arguments):
        status, answer = self.modern("tools/call", name=name, arguments=arguments)
        return status, answer["result"]["content"][0]["text"], answer["result"]["isError"]


def leave(server, warm, session, params, wait, headers):
    """Begins a call that notes its end in the page, and closes the connection while it runs."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "browser_evaluate", **params, "arguments": {
        "session": session, "expression": f"new Promise(resolve => setTimeout(resolve, {wait}))"
                                          f".then(() => window.ends = [...(window.ends ?? []), {wait}])"}}}).encode()
    with socket.create_connection((server.place.hostname, server.place.port)) as raw:
        raw.sendall(f"POST /mcp HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        warm.await_state(session, "running")


def over_http(ctx, warm):
    process = warm.begin("mcp", "--http=0", "--temp-profile", *ctx.browser_args())
    server = Http(listening(process))
    # Messages.
    status, answer = server.modern("server/discover")
    ctx.expect(status == 200 and answer["result"]["supportedVersions"] == ["2026-07-28"], f"discover: {status} {answer}")
    status, answer = server.post({"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}})
    ctx.expect(status == 200 and answer["result"]["protocolVersion"] == "2025-11-25", f"initialize: {status} {answer}")
    ctx.expect(server.post({"method": "notifications/initialized"})[0] == 202, "a notification")
    status, answer = server.post({"id": 1, "method": "tools/list"}, **{"MCP-Protocol-Version": "2025-11-25"})
    ctx.expect(status == 200 and len(answer["result"]["tools"]) == 11, f"legacy tools: {status}")
    for what, (status, answer), wanted, code in (
            ("no JSON", server.post(b"{"), 400, -32700),
            ("a batch", server.post(b"[]"), 400, -32600),
            ("unknown method", server.modern("tools/lisp"), 404, -32601),
            ("wrong method", server.modern("tools/list", {"Mcp-Method": "tools/call"}), 400, -32020),
            ("wrong version", server.modern("tools/list", {"MCP-Protocol-Version": "2025-11-25"}), 400, -32020),
            ("another version in the body", server.post({"id": 1, "method": "tools/list", "params": {"_meta": {
                **MODERN, "io.modelcontextprotocol/protocolVersion": "2030-01-01"}}}, **{
                    "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}), 400, -32020),
            ("an unknown version in both", server.post({"id": 1, "method": "tools/list", "params": {"_meta": {
                **MODERN, "io.modelcontextprotocol/protocolVersion": "2030-01-01"}}}, **{
                    "MCP-Protocol-Version": "2030-01-01", "Mcp-Method": "tools/list"}), 400, -32022),
            ("wrong name", server.modern("tools/call", {"Mcp-Name": "x"}, name="browser_tabs"), 400, -32020),
            ("unknown version", server.post({"id": 1, "method": "tools/list"}, **{"MCP-Protocol-Version": "2030-01-01"}), 400, -32022),
            ("no _meta", server.post({"id": 1, "method": "tools/list"}, **{"MCP-Protocol-Version": "2026-07-28"}), 400, -32602)):
        ctx.expect(status == wanted and answer["error"]["code"] == code, f"{what}: {status} {answer}")
    ctx.expect(server.modern("tools/call", {"Mcp-Name": "=?base64?YnJvd3Nlcl90YWJz?="}, name="browser_tabs")[0] == 200, "base64")
    ctx.expect(server.modern("tools/call", {"Mcp-Name": " browser_tabs \t"}, name="browser_tabs")[0] == 200, "white space")
    for method in ("GET", "DELETE"):
        ctx.expect(server.post(None, method=method)[0] == 405, method)
    ctx.expect(server.post({"id": 1, "method": "ping"}, path="/other")[0] == 404, "another path")
    # Who may connect.
    ctx.expect(server.post({"id": 1, "method": "ping"}, Origin="http://evil.example")[0] == 403, "a foreign origin")
    ctx.expect(server.post({"id": 1, "method": "ping"}, Host="evil.example")[0] == 403, "a foreign host")
    # Sessions have to be named.
    status, text, failed = server.call("browser_snapshot")
    ctx.expect(status == 200 and failed and "session is missing" in text, f"without a session: {text}")
    _, text, failed = server.call("browser_open", url=ctx.origin + "/shop/")
    first = text.rsplit("session ", 1)[1]
    _, other, _ = server.call("browser_open", url=ctx.origin + "/shop/cart.html")
    second = other.rsplit("session ", 1)[1]
    ctx.expect(not failed and first != second, f"two sessions: {first} {second}")
    ctx.expect(server.call("browser_evaluate", session=first, expression="location.pathname")[1] == "/shop/", "the first")
    ctx.expect("cart" in server.call("browser_evaluate", session=second, expression="location.pathname")[1], "the second")
    _, text, failed = server.call("browser_act", session=first, actions=[{"type": "upload", "selector": "input", "files": ["/etc/passwd"]}])
    ctx.expect(failed and "POLICY_DENIED" in text, f"files: {text}")
    # The end of a connection cancels a modern call, and no other.
    leave(server, warm, first, {"_meta": MODERN}, "14000", "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
                                                          "Mcp-Name: browser_evaluate\r\n")
    warm.await_state(first, "idle", 8)
    leave(server, warm, first, {}, "2500", "MCP-Protocol-Version: 2025-11-25\r\n")
    _, text, _ = server.call("browser_evaluate", session=first, expression="window.ends")
    ctx.expect("2500" in text, f"a legacy call ends with its connection: {text}")
    process.terminate()
    answer = warm.end(process)
    ctx.expect(answer.exit == 0 and not answer.err, f"the end of the server: {answer.exit} {answer.err}")
    until(lambda: not warm.list(), "the sessions stay", 20)
    with_token = warm.begin("mcp", "--http=0", *ctx.browser_args(), BROWSER_RUNNER_TOKEN="secret")
    server = Http(listening(with_token))
    ctx.expect(server.post({"id": 1, "method": "ping"})[0] == 401, "without the token")
    ctx.expect(server.post({"id": 1, "method": "ping"}, Authorization="Bearer secret")[0] == 200, "with the token")
    with_token.terminate()
    warm.end(with_token)


def over_socket(ctx, warm):
    path = ctx.work / "mcp.sock"
    ctx.work.chmod(0o700)
    process = warm.begin("mcp", "--unix", path, "--temp-profile", *ctx.browser_args())
    ctx.expect(listening(process) == f"unix:{path}", "its line")

    def ask(stream, number, name, **arguments):
        stream.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {
            "name": name, "arguments": arguments}}) + "\n")
        stream.flush()
        return json.loads(stream.readline())["result"]["content"][0]["text"]

    sockets = [socket.socket(socket.AF_UNIX) for _ in range(2)]
    streams = []
    for i, one in enumerate(sockets):
        one.settimeout(60 * SLOWNESS)
        one.connect(str(path))
        streams.append(one.makefile("rw"))
        ctx.expect("HTTP 200" in ask(streams[i], 1, "browser_open", url=f"{ctx.origin}/shop/?{i}"), f"client {i}")
    for i, stream in enumerate(streams):
        ctx.expect(ask(stream, 2, "browser_evaluate", expression="location.search") == f"?{i}", f"the tab of client {i}")
    streams[0].close()
    sockets[0].close()
    until(lambda: len(warm.list()) == 1, "the session of a client that left stays", 20)
    process.terminate()
    answer = warm.end(process)
    ctx.expect(answer.exit == 0 and not path.exists(), f"the end: {answer.exit} {answer.err}")


def run(ctx):
    with warm_sessions(ctx) as warm:
        over_http(ctx, warm)
        over_socket(ctx, warm)
