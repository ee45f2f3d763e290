"""The output of run, through history convert and clean: shapes, pictures, chunks, bad input."""
import base64
import copy
import json
import re

from harness import Failure
from pictures import Picture
from stream import schema_problems

BROWSER = "shared"
PLACEHOLDER = r"^\[picture left out: 1280x720 at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\]$"


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/shop/"}),
             ("evaluate", {"expression": "console.log('from the page'), 7"}),
             ("screenshot", {})]
    ran = ctx.run_batch(steps, "--chunk-size", "1000")
    ctx.expect(ran.exit == 0, f"run: exit {ran.exit}")
    ctx.expect(ran.stdout.count(b'"kind":"chunk"') > 10, "the pictures are not in chunks")
    keys = [(number, key) for number in (1, 2, 3) for key in ("pre", "post") if (number, key) in ran.stream.pictures]
    ctx.expect(len(keys) == 5, f"pictures: {keys}")

    without_pictures = ("anthropic-text", "openai-text", "deepseek")

    def history(*args, stdin=ran.stdout, wanted=0):
        result = ctx.run(["history", *args], stdin=stdin)
        if result.exit != wanted:
            raise Failure(f"history {' '.join(args)}: exit {result.exit}, not {wanted}: {result.stderr[-400:]}")
        said = re.sub(r"^browser-runner: \d+ pictures? w(as|ere) left out: [a-z-]+ takes none\n$", "", result.stderr)
        ctx.expect(wanted or not (said if set(args) & set(without_pictures) else result.stderr),
                   f"history {' '.join(args)}: on stderr: {result.stderr}")
        return [json.loads(line) for line in result.stdout.splitlines()]

    for provider in without_pictures:
        said = ctx.run(["history", "convert", "--provider", provider], stdin=ran.stdout).stderr
        ctx.expect(said == f"browser-runner: 5 pictures were left out: {provider} takes none\n", f"{provider}: {said!r}")
        twice = ctx.run(["history", "convert", "--provider", "openai"], stdin=ran.stdout)
        said = ctx.run(["history", "convert", "--provider", provider], stdin=twice.stdout).stderr
        ctx.expect(not twice.stderr and "5 pictures were left out" in said, f"openai to {provider}: {said!r}")
    whole = check_whole(ctx, ran, history, keys)
    check_messages(ctx, history, whole)
    check_clean(ctx, history, whole)
    check_mixed(ctx, ran, history)
    check_bad_input(ctx, ran, history)


def check_whole(ctx, ran, history, keys):
    """After joining, the responses are those of the stream, with identical picture bytes."""
    whole = history("convert", "--provider", "none")
    ctx.expect([one["id"] for one in whole] == [1, 2, 3], f"convert: {[one['id'] for one in whole]}")
    for response in whole:
        for fault in schema_problems(response, "response"):
            ctx.problem(f"joined response {response['id']}: {fault}")
    for number, key in keys:
        response = whole[number - 1]
        data = base64.b64decode(response["screenshots"][key]["source"]["data"], validate=True)
        ctx.expect(data == ran.stream.pictures[number, key], f"{number}.{key} is not the picture of the stream")
        ctx.expect("chunks" not in response["captures"][key], f"{number}.{key} still names chunks")
    array = history("convert", "--provider", "none", stdin=json.dumps(whole, indent=2))
    ctx.expect(array == whole, "an array gives something else than lines")
    return whole


def as_told(response):
    """Returns the response with only the requests that a model gets."""
    events = response["networkEvents"]
    failed = [event for event in events if "error" in event or event.get("status", 0) >= 400]
    if len(failed) == len(events):
        return response
    size = sum(event.get("sizes", {}).get("response", 0) for event in events)
    summary = {"requests": len(events), "failed": len(failed), "transferSize": size, "leftOut": len(events) - len(failed)}
    return {**response, "networkEvents": failed, "networkSummary": summary}


def check_messages(ctx, history, whole):
    """Compares each provider's message with the response that it was made from."""
    whole = [as_told(response) for response in whole]
    ctx.expect("networkSummary" in whole[0] and whole[0]["networkEvents"], "no request failed, or none did not")

    def images(response):
        return list(response.get("screenshots", {}).values())

    def rest(response):
        return {name: value for name, value in response.items() if name != "screenshots"}

    def text_blocks(response):
        return [{"type": "text", "text": json.dumps(rest(response))}]

    def openai(response):
        return [{"type": "image_url", "image_url": {"url": "data:image/jpeg;base64," + one["source"]["data"]}}
                for one in images(response)]

    def gemini(response):
        return [{"inlineData": {"mimeType": "image/jpeg", "data": one["source"]["data"]}}
                for one in images(response)]

    def read(block):
        return {**block, "text": json.loads(block["text"])} if "text" in block else block

    def untold(value):
        """Removes tokens, which each provider counts by its own rule."""
        if isinstance(value, list):
            return [untold(item) for item in value]
        if isinstance(value, dict):
            return {name: untold(member) for name, member in value.items() if name != "tokens"}
        return value

    forms = {
        "anthropic": ("content", lambda one: text_blocks(one) + images(one)),
        "openai": ("content", lambda one: text_blocks(one) + openai(one)),
        "gemini": ("parts", lambda one: [{"text": json.dumps(rest(one))}] + gemini(one)),
    }
    for provider, (member, form) in forms.items():
        messages = history("convert", "--provider", provider)
        for response, message in zip(whole, messages, strict=True):
            what = f"{provider}, {response['id']}"
            ctx.expect(set(message) == {"role", member} and message["role"] == "user", f"{what}: {set(message)}")
            ctx.expect([untold(read(one)) for one in message[member]] == [untold(read(one)) for one in form(response)],
                       f"{what}: not in the provider's form: {json.dumps(message)[:600]}")
    ctx.expect(history("convert") == history("convert", "--provider", "anthropic"), "anthropic is not the default")

    for provider in ("deepseek", "anthropic-text", "openai-text"):
        messages = history("convert", "--provider", provider)
        ctx.expect(messages == history("convert", "--provider", provider), f"{provider}: not the same twice")
        for response, message in zip(whole, messages, strict=True):
            what = f"{provider}, {response['id']}"
            count = len(images(response))
            content = message["content"]
            text = content if provider == "deepseek" else content[0]["text"]
            got = json.loads(text)
            said = f"{count} picture{' was' if count == 1 else 's were'} left out: {provider} takes none"
            ctx.match(got["logs"][-1], {"type": "info", "source": "tool", "category": "provider",
                                        "message": said, "level": 2}, what)
            got["logs"].pop()
            ctx.expect(untold(got) == untold(rest(response)), f"{what}: the response is another one: {text[:600]}")
            if provider != "deepseek":
                ctx.match(content[1:], [{"type": "text", "text": {"$regex": PLACEHOLDER}}] * count, what)


def check_clean(ctx, history, whole):
    ctx.expect(any(log["source"] == "browser" for log in whole[1]["logs"]), "the page logged nothing")
    order = [(number, key) for number in range(3) for key in ("pre", "post") if key in whole[number]["screenshots"]]
    for keep in (None, 0, 1, 2, 5, 99):
        args = ["clean"] + ([] if keep is None else ["--keep-images", str(keep)])
        kept = 1 if keep is None else keep
        expected = copy.deepcopy(whole)
        for response in expected[:-1]:
            response["logs"] = [log for log in response["logs"] if log["source"] == "tool"]
            response["metrics"] = None
        expected[:-1] = [as_told(response) for response in expected[:-1]]
        cleaned = history(*args)
        for number, key in order[:max(0, len(order) - kept)]:
            expected[number]["screenshots"].pop(key)
            block = cleaned[number]["screenshots"].pop(key)
            ctx.match(block, {"type": "text", "text": {"$regex": PLACEHOLDER}}, f"{args}: {number + 1}.{key}")
        ctx.expect(cleaned == expected, f"{args}: {json.dumps(cleaned)[:900]}")
        once = history(*args)
        again = history(*args, stdin="".join(json.dumps(one) + "\n" for one in once))
        ctx.expect(again == once, f"{args}: cleaning again changes something")
    once = "".join(json.dumps(one) + "\n" for one in history("clean"))
    blocks = [one for message in history("convert", stdin=once) for one in message["content"] if one["type"] == "image"]
    ctx.expect(len(blocks) == 1, f"clean, then convert: {len(blocks)} pictures")
    for fault in schema_problems(blocks[0], "image"):
        ctx.problem(f"clean, then convert: {fault}")
    picture = Picture(base64.b64decode(blocks[0]["source"]["data"])).summary()
    ctx.match(picture, {"format": "jpeg", "width": 1280, "height": 720, "blank": False}, "clean, then convert")


def check_mixed(ctx, ran, history):
    """Messages of every format and lines of run in one file, with texts and a tool call between them."""
    def lines(*entries):
        return "".join(json.dumps(one) + "\n" for one in entries)

    talk = [{"role": "user", "content": "Open the shop."}, {"parts": [{"text": "go on"}]}]
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "run", "input": {}}]}
    forms = {one: history("convert", "--provider", one) for one in ("anthropic", "openai", "gemini")}
    mixed = lines(talk[0], forms["openai"][0], call, forms["gemini"][1], talk[1]) + ran.stdout.decode()
    for keep, wanted in ((0, 0), (1, 1), (3, 3), (99, 8)):
        cleaned = history("clean", "--keep-images", str(keep), stdin=mixed)
        ctx.expect([cleaned[0], cleaned[2], cleaned[4]] == [talk[0], call, talk[1]], f"clean changed texts: {cleaned}")
        text = json.dumps(cleaned)
        ctx.expect(len(re.findall(r"/9j/", text)) == wanted, f"--keep-images {keep} of a mixed file is not {wanted}")
        left_out = len(re.findall(r"\[picture left out: 1280x720 at ", text))
        ctx.expect(left_out == 8 - wanted, f"--keep-images {keep} of a mixed file: {left_out} placeholders")
        old = json.loads(cleaned[3]["parts"][0]["text"])
        ctx.expect(old["metrics"] is None and all(one["source"] == "tool" for one in old["logs"]), f"kept: {old}")
    for wanted, messages in forms.items():
        for given, others in forms.items():
            again = history("convert", "--provider", wanted, stdin=lines(*others))
            ctx.expect(again == messages, f"{given} to {wanted} is not what {wanted} is at once")
    ctx.match(history("convert", "--provider", "gemini", stdin=lines(talk[0])),
              [{"role": "user", "parts": [{"text": "Open the shop."}]}], "a text for gemini")
    ctx.expect(history("convert", "--provider", "anthropic", stdin=lines(call)) == [call], "a call is not as it was")
    refused = ctx.run(["history", "convert", "--provider", "openai"], stdin=lines(talk[0], call))
    ctx.match(refused.stderr, {"$regex": r"line 2: content\[0\]: a block of type tool_use has no form for openai"},
              "a call for another provider")
    ctx.expect(refused.exit == 2, f"a call for another provider: exit {refused.exit}")


def check_bad_input(ctx, ran, history):
    ctx.expect(history("clean", stdin="") == [] and history("convert", stdin="") == [], "empty input gives lines")
    lines = ran.stdout.splitlines(keepends=True)
    first = next(i for i, line in enumerate(lines) if b'"kind":"chunk"' in line)
    end = next(i for i, line in enumerate(lines) if b'"kind":"response"' in line)
    without = b"".join(lines[:first + 1] + lines[first + 2:])
    swapped = b"".join(lines[:first] + [lines[first + 1], lines[first]] + lines[first + 2:])
    twice = b"".join(lines[:first + 1] + lines[first:])
    cut = ran.stdout[:len(b"".join(lines[:end])) + 50]
    for what, text, wanted in [
            ("a chunk is missing", without, rf"line {first + 2}: chunk 2 of 1-post comes where chunk 1 is due"),
            ("two are swapped", swapped, rf"line {first + 1}: chunk 1 of 1-post comes where chunk 0 is due"),
            ("one comes twice", twice, rf"line {first + 2}: chunk 0 of 1-post comes twice"),
            ("the last chunk is missing", b"".join(lines[:end - 1] + lines[end:]),
             rf"line {end}: screenshots\.post: chunk \d+ of the \d+ of 1-post did not come"),
            ("cut in a response", cut, rf"line {end + 1}: .*not JSON"),
            ("ends before the response", b"".join(lines[:end]), r"line 1: the chunks of 1-post belong to no response"),
            ("no JSON", b"hello\n", r"line 1: .*not JSON"),
            ("binary", bytes(range(256)), r"not JSON"),
            ("a request", b'\n{"messages":[]}\n', r'line 2: this is neither a line of run nor a message(.|\n)*give its messages'),
            ("a message of no form", b'{"role":"user","content":[7]}', r'line 1: content\[0\]: an object is due'),
            ("half an array", b'[{"kind":"summary"},', r"not JSON"),
            ("a bad item", b'[{"kind":"summary"},7]', r'item 2: this is neither a line of run'),
            ("deep", b"[" * 5000, r"not JSON")]:
        for verb in ("convert", "clean"):
            result = ctx.run(["history", verb], stdin=text)
            ctx.expect(result.exit == 2, f"{what}, {verb}: exit {result.exit}")
            ctx.match(result.stderr, {"$regex": wanted}, f"{what}, {verb}: stderr")
            ctx.expect(result.stdout == b"", f"{what}, {verb}: on stdout: {result.stdout[:200]}")
    # convert has already written what preceded the wrong line; clean needs all input.
    late = ran.stdout + b"x\n"
    ctx.expect(ctx.run(["history", "convert"], stdin=late).stdout.count(b"\n") == 3, "convert waited for the end")
    ctx.expect(ctx.run(["history", "clean"], stdin=late).stdout == b"", "clean wrote before the end")
    for args, wanted in [
            (["convert", "--provider", "opnai"], r"opnai(.|\n)*did you mean \"openai\""),
            (["convert", "--provider", "llama"], r"known are: anthropic, "),
            (["convert", "--provider"], r"--provider needs"),
            (["convert", "--keep-images", "1"], r"convert does not take --keep-images"),
            (["clean", "--provider", "none"], r"clean does not take --provider"),
            (["clean", "--keep-images", "-1"], r"--keep-images"),
            (["clean", "--keep-images", "many"], r"--keep-images.*many"),
            (["tidy"], r"history tidy is unknown"),
            (["clean", "file"], r"too many"),
            ([], r"an argument is missing")]:
        result = ctx.run(["history", *args], stdin=ran.stdout)
        ctx.expect(result.exit == 2 and result.stdout == b"", f"{args}: exit {result.exit}, {result.stdout[:80]}")
        ctx.match(result.stderr, {"$regex": wanted}, f"stderr of {args}")
    shown = ctx.run(["history", "--help"]).stdout.decode()
    names = re.findall(r"[a-z-]+", re.search(r"known are: (.*)", ctx.run(
        ["history", "convert", "--provider", "llama"]).stderr)[1])
    for name in names:
        ctx.expect(re.search(rf"[ ]{name}\b", shown), f"--help does not name {name}")
