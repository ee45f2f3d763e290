"""The lines that `run` writes to stdout, and the rules that hold for them in every case."""
import base64
import json
import re

from pictures import Picture
from processes import SLOWNESS
from schemas import schema_problems

LEVELS = ["verbose", "debug", "info", "warning", "error"]
CHUNK_SIZE = 200 * 1024
MAX_EDGE, MAX_PIXELS = 1568, 1150000
# How much later than its timeout an action may end, whatever happens to page and browser. Finding out how it ended
# takes up to 800 ms; the rest is slack for the machine.
GRACE_MS = 800 + 1000 * SLOWNESS
INSTRUCTION = re.compile(r"<browser_action\b(?:[^<>]*/>|.*?</browser_action>)", re.S)


def time_limits(text, timeout):
    """Returns the time limit of each action of a batch in ms."""
    def number(name, instruction):
        found = re.search(rf"<{name}>\s*(\d+)|\b{name}=[\"'](\d+)", instruction)
        return int(found[1] or found[2]) if found else 0
    # A wait for a fixed time takes that time.
    return [max(number("timeout", one) or (300000 if ">diagnose<" in one else timeout), number("ms", one)) + GRACE_MS
            for one in INSTRUCTION.findall(text)]


class Stream:
    """stdout of one `run`: responses in order, the summary, and pictures put together.

    `problems` lists what contradicts the contract. Options: chunk_size as given to the program,
    scaled False when the case asks for larger pictures than usual, window the wall clock (from,
    to) in seconds within which everything happened.
    """

    def __init__(self, stdout, chunk_size=CHUNK_SIZE, scaled=True, window=None, complete=True):
        self.problems = []
        self.responses = []
        self.summary = None
        self.pictures = {}
        self.chunk_size, self.scaled, self.window = chunk_size, scaled, window
        self.pending = {}
        for number, line in enumerate(self.split(stdout), 1):
            self.take(line, f"stdout line {number}")
        if self.pending:
            self.problem("stdout", f"chunks that belong to no response: {', '.join(self.pending)}")
        if complete:
            self.check_end()

    def problem(self, where, text):
        self.problems.append(f"{where}: {text}")

    def split(self, stdout):
        if stdout and not stdout.endswith(b"\n"):
            self.problem("stdout", f"the last line does not end: …{stdout[-80:]!r}")
        if b"\x1b" in stdout:
            self.problem("stdout", "escape sequences where no terminal is")
        return stdout.splitlines()

    def take(self, line, where):
        try:
            value = json.loads(line.decode("utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            return self.problem(where, f"no JSON ({error}): {line[:200]!r}")
        kind = value.get("kind") if isinstance(value, dict) else None
        if kind not in ("response", "chunk", "progress", "summary"):
            return self.problem(where, f"no kind of line that is known: {line[:200]!r}")
        if self.summary is not None:
            self.problem(where, "comes after the summary")
        faults = schema_problems(value, kind)
        for fault in faults[:5]:
            self.problem(f"{where} ({kind} {value.get('id', '')})", fault)
        if not faults:
            getattr(self, "take_" + kind)(value, where)
        elif kind == "response":
            self.responses.append(value)

    def take_progress(self, progress, where):
        if progress["id"] != len(self.responses) + 1:
            self.problem(where, f"progress of {progress['id']} where {len(self.responses) + 1} is due")

    def take_chunk(self, chunk, where):
        parts = self.pending.setdefault(chunk["id"], [])
        if chunk["index"] != len(parts):
            self.problem(where, f"chunk {chunk['index']} of {chunk['id']} where {len(parts)} is due")
        if parts and parts[0]["total"] != chunk["total"]:
            self.problem(where, "the total changed from chunk to chunk")
        if self.chunk_size == 0 or len(chunk["data"]) > self.chunk_size:
            self.problem(where, f"{len(chunk['data'])} characters in one chunk")
        parts.append(chunk)

    def take_response(self, response, where):
        self.responses.append(response)
        for one in [line for lines in self.pending.values() for line in lines[:1]]:
            if one.get("sessionId") != response.get("sessionId"):
                self.problem(where, f"its chunks are of the session {one.get('sessionId')}")
        if response["id"] != len(self.responses):
            self.problem(where, f"id {response['id']} where {len(self.responses)} is due")
        images, captures = response.get("screenshots", {}), response.get("captures", {})
        if "pre" in images and not {"post", "tiles"} & set(images):
            self.problem(where, "a picture of before without one of after")
        if set(images) != set(captures):
            self.problem(where, f"screenshots {set(images)}, but captures {set(captures)}")
        for key in set(images) & set(captures):
            if key == "tiles":
                self.take_tiles(response["id"], images[key], captures[key], where)
            else:
                self.take_picture((response["id"], key), images[key], captures[key], f"{where}, {key}")
        for entry in response["logs"]:
            self.check_time(entry["timestamp"], f"{where}, log {entry['message'][:60]!r}")
        for event in response["networkEvents"]:
            self.check_time(event["timestamp"], f"{where}, request {event['url']}")
        if self.pending:
            self.problem(where, f"chunks that it does not name: {', '.join(self.pending)}")
            self.pending = {}

    def take_tiles(self, number, images, captures, where):
        if len(images) != len(captures):
            self.problem(where, f"{len(images)} tiles, but {len(captures)} captures of them")
        for index, (image, capture) in enumerate(zip(images, captures), 1):
            key = f"tile-{index:02}"
            self.take_picture((number, key), image, capture, f"{where}, {key}")

    def take_picture(self, key, image, capture, where):
        data = image["source"]["data"]
        if "chunks" in capture:
            parts = self.pending.pop(capture["chunks"]["id"], [])
            if data:
                self.problem(where, "both chunks and data")
            if len(parts) != capture["chunks"]["total"] or any(
                    part["total"] != len(parts) for part in parts):
                return self.problem(where, f"{len(parts)} chunks came, {capture['chunks']['total']} are named")
            data = "".join(part["data"] for part in parts)
            if len(data) <= self.chunk_size:
                self.problem(where, f"in chunks, though {len(data)} characters need none")
        elif 0 < self.chunk_size < len(data):
            self.problem(where, f"{len(data)} characters in one line")
        try:
            content = base64.b64decode(data, validate=True)
            picture = Picture(content)
        except (ValueError, IndexError) as error:
            return self.problem(where, f"no picture: {error}")
        self.pictures[key] = content
        self.check_time(capture["capturedAt"], where)
        if len(content) != capture["bytes"]:
            self.problem(where, f"{len(content)} bytes, captures says {capture['bytes']}")
        if (picture.width, picture.height) != (capture["width"], capture["height"]):
            self.problem(where, f"{picture.width}x{picture.height} pixels, captures says "
                         f"{capture['width']}x{capture['height']}")
        if image["source"]["media_type"] != "image/" + picture.format:
            self.problem(where, f"a {picture.format}, but media_type {image['source']['media_type']}")
        if self.scaled and (max(picture.width, picture.height) > MAX_EDGE
                            or picture.width * picture.height > MAX_PIXELS):
            self.problem(where, f"{picture.width}x{picture.height} is more than models read")

    def check_time(self, timestamp_ms, where):
        slack = 5 * SLOWNESS
        if self.window and not self.window[0] - slack <= timestamp_ms / 1000 <= self.window[1] + slack:
            self.problem(where, f"the time {timestamp_ms} is not within the run, which began at "
                         f"{self.window[0] * 1000:.0f}")

    def take_summary(self, summary, _):
        self.summary = summary

    def check_end(self):
        if self.summary is None:
            if self.responses:
                self.problem("stdout", "no summary at the end")
            return
        if self.responses and self.summary.get("sessionId") != self.responses[-1].get("sessionId"):
            self.problem("summary", f"of the session {self.summary.get('sessionId')}")
        failed = sum(not response["success"] for response in self.responses)
        if self.summary["actions"] != len(self.responses) or self.summary["failed"] != failed:
            self.problem("summary", f"{self.summary}, but there are {len(self.responses)} responses, "
                         f"{failed} of them failed")
