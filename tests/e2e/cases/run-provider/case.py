"""run --provider: each answer is the message that history convert makes of it, with complete pictures."""
import base64
import json
import re

from pictures import Picture

BROWSER = "shared"


# For each provider: the member that holds the content, and whether it accepts pictures.
PROVIDERS = {"anthropic": ("content", True), "anthropic-text": ("content", False),
             "openai": ("content", True), "openai-text": ("content", False), "gemini": ("parts", True), "deepseek": ("content", False)}
# Members that differ in each run.
CHANGING = ("sessionId", "metrics", "durationMs", "networkEvents", "captures", "recovered")


def pictures_of(message):
    """Returns the base64 texts in a message of any provider."""
    blocks = message.get("content", message.get("parts"))
    for block in blocks if isinstance(blocks, list) else []:
        if "source" in block:
            yield block["source"]["data"]
        elif "image_url" in block:
            yield block["image_url"]["url"].partition(";base64,")[2]
        elif "inlineData" in block:
            yield block["inlineData"]["data"]


def response_of(message):
    content = message.get("content", message.get("parts"))
    text = content if isinstance(content, str) else content[0]["text"]
    return json.loads(text)


def steady(message):
    """Returns the parts of a message that are the same in each run."""
    response = {name: value for name, value in response_of(message).items() if name not in CHANGING}
    # The order of scripts' and requests' logs varies between runs, and so does how long a page takes.
    response["logs"] = sorted(re.sub(r" after [\d.]+ s$", "", log["message"]) for log in response["logs"]
                              if not log["message"].startswith("still loading "))
    shape = [set(block) for block in message["content"]] if isinstance(message.get("content"), list) else None
    return response, shape, len(list(pictures_of(message)))


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/shop/"}),
             ("evaluate", {"expression": "console.log('from the page'), 7", "label": "seven"}),
             ("evaluate", {"expression": "nothing.there"}),
             ("screenshot", {"format": "png", "maxEdge": 1280})]
    plain = ctx.run_batch(steps, "--chunk-size", "1000")
    ctx.expect(b'"kind":"chunk"' in plain.stdout, "no chunks: nothing is shown of whole pictures")
    for provider, (member, takes_pictures) in PROVIDERS.items():
        wanted = ctx.run(["history", "convert", "--provider", provider], stdin=plain.stdout)
        ran = ctx.run_batch(steps, "--provider", provider)
        ctx.expect(ran.exit == 1, f"{provider}: exit {ran.exit}: {ran.stderr[-300:]}")
        *messages, summary = [json.loads(line) for line in ran.stdout.splitlines()]
        ctx.match(summary, {"kind": "summary", "actions": 4, "failed": 1}, f"{provider}: the last line")
        ctx.expect(len(messages) == 4, f"{provider}: {len(messages)} messages")
        for number, (got, line) in enumerate(zip(messages, wanted.stdout.splitlines()), 1):
            what = f"{provider}, {number}"
            converted = json.loads(line)
            ctx.expect(set(got) == {"role", member} and got["role"] == "user", f"{what}: {set(got)}")
            ctx.expect(steady(got) == steady(converted), f"{what}: {steady(got)}\nis not {steady(converted)}")
            for data in pictures_of(got):
                summary_of = Picture(base64.b64decode(data, validate=True)).summary()
                ctx.match(summary_of, {"width": 1280, "height": 720, "blank": False}, what)
        count = sum(len(list(pictures_of(message))) for message in messages)
        ctx.expect((count >= 6) == takes_pictures and (count == 0) != takes_pictures, f"{provider}: {count} pictures")
    check_options(ctx, steps)


def check_options(ctx, steps):
    same = ctx.run_batch(steps[:1], "--provider", "none", "--chunk-size", "1000")
    lines = [json.loads(line) for line in same.stdout.splitlines()]
    ctx.expect([line["kind"] for line in lines[-2:]] == ["response", "summary"] and lines[0]["kind"] == "chunk",
               "none: not the lines of run")
    fine = ctx.run_batch(steps[:1], "--provider", "openai", "--chunk-size", "0")
    ctx.expect(fine.exit == 0, f"--chunk-size 0: exit {fine.exit}: {fine.stderr}")
    for args, wanted in [
            (["--provider", "opnai"], r"opnai(.|\n)*did you mean \"openai\""),
            (["--provider", "gemini", "--chunk-size", "1000"], r"--provider gemini cannot be combined with --chunk-size")]:
        refused = ctx.run(["run", ctx.batch(steps), *args, "--chrome", ctx.mark_chrome()])
        ctx.expect(refused.exit == 2 and not refused.stdout, f"{args}: exit {refused.exit}")
        ctx.match(refused.stderr, {"$regex": wanted}, f"{args}: stderr")
    ctx.expect(not ctx.marked(), "Chrome was started")
