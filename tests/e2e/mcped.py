"""browser-runner mcp, and a client that writes its lines by hand."""
import contextlib
import json
import os
import queue
import signal
import subprocess
import threading

from processes import SLOWNESS

MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": {"name": "case", "version": "1"},
          "io.modelcontextprotocol/clientCapabilities": {}}
MAX_LINE = 1_000_000


class Result:
    """What a tool returned."""

    def __init__(self, answer):
        self.error = answer.get("error")
        result = answer.get("result", {})
        self.content = result.get("content", [])
        self.failed = result.get("isError", False)
        self.text = "\n".join(block["text"] for block in self.content if block["type"] == "text")
        self.pictures = [block for block in self.content if block["type"] == "image"]
        self.session = self.text.rsplit("session ", 1)[-1].strip() if "\nsession " in self.text else None


class Client:
    def __init__(self, ctx, *args, generation="legacy", binary=None, **more):
        self.ctx, self.last, self.generation = ctx, 0, generation
        self.process = subprocess.Popen([binary or ctx.options.binary, "mcp", *ctx.browser_args(), *map(str, args)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        cwd=ctx.work, env={**ctx.environment, **more})
        ctx.known.add(self.process.pid)
        self.lines = queue.Queue()
        self.waiting = {}
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.ctx.expect(len(line) < MAX_LINE, f"a line of {len(line)} bytes")
            answer = json.loads(line)
            place = self.waiting.get(json.dumps(answer.get("id")))
            (place or self.lines).put(answer)
        self.lines.put(None)

    def write(self, message):
        text = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(text + b"\n")
        self.process.stdin.flush()

    def begin(self, method, params=None, **more):
        """Sends a request; returns its id and the place of its answer."""
        self.last += 1
        params = dict(params or {})
        if self.generation == "modern":
            params["_meta"] = MODERN
        place = self.waiting[json.dumps(self.last)] = queue.Queue()
        self.write({"id": self.last, "method": method, "params": params, **more})
        return self.last, place

    def ask(self, method, params=None, seconds=60):
        number, place = self.begin(method, params)
        try:
            return place.get(timeout=seconds * SLOWNESS)
        except queue.Empty:
            self.ctx.problem(f"{method} {str(params)[:200]}: no answer within {seconds} s")
            return {}

    def call(self, name, /, seconds=60, **arguments):
        return Result(self.ask("tools/call", {"name": name, "arguments": arguments}, seconds))

    def fine(self, name, /, **arguments):
        """A call that must succeed; returns its text."""
        result = self.call(name, **arguments)
        self.ctx.expect(not result.failed and not result.error, f"{name} {arguments}: {result.error} {result.text[:900]}")
        return result.text

    def initialize(self, version="2025-06-18"):
        answer = self.ask("initialize", {"protocolVersion": version, "capabilities": {},
                                         "clientInfo": {"name": "case", "version": "1"}})
        self.write({"method": "notifications/initialized"})
        return answer["result"]

    def end(self, seconds=20):
        """Ends the input; returns the exit code and stderr."""
        self.process.stdin.close()
        try:
            code = self.process.wait(seconds * SLOWNESS)
        except subprocess.TimeoutExpired:
            self.ctx.problem(f"mcp still ran {seconds} s after the end of stdin")
            self.process.kill()
            code = self.process.wait()
        return code, self.process.stderr.read().decode()

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextlib.contextmanager
def mcp(ctx, *args, **more):
    client = Client(ctx, *args, **more)
    try:
        yield client
    finally:
        if client.process.poll() is None:
            code, stderr = client.end()
            ctx.expect(code == 0 and not stderr, f"mcp: exit {code}: {stderr[-600:]}")
