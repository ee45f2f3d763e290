"""Answers to tool calls in a history: they stay answers, and those of one turn are together."""
import json

BROWSER = "any"
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": "YQ=="}}


def response(number, call=None, **more):
    line = {"kind": "response", "id": number, "type": "click", "success": True, "logs": [], **more}
    return {**line, "callId": call} if call else line


def run(ctx):
    def history(verb, entries, *args):
        lines = "".join(json.dumps(entry) + "\n" for entry in entries).encode()
        result = ctx.run(["history", verb, *args], stdin=lines)
        ctx.expect(result.exit == 0 and not result.stderr, f"{verb} {args}: {result.exit}: {result.stderr}")
        return [json.loads(line) for line in result.stdout.splitlines()]

    calls = {"role": "assistant", "content": [{"type": "text", "text": "next"}]}
    turns = [response(1, "a", screenshots={"post": IMAGE}), response(2, "b", success=False), calls, response(3, "c"),
             response(4)]

    first, said, second, plain = history("convert", turns, "--provider", "anthropic")
    results = first["content"]
    ctx.match(first, {"role": "user"}, "one message for a turn")
    ctx.match(results, [{"type": "tool_result", "tool_use_id": "a"},
                        {"type": "tool_result", "tool_use_id": "b", "is_error": True}], "both results")
    ctx.match(results[0]["content"][1], {"type": "image"}, "the picture is in its result")
    told = json.loads(results[0]["content"][0]["text"])
    ctx.expect(told["id"] == 1 and "callId" not in told, f"the response: {told}")
    ctx.expect(said == calls, f"the message between: {said}")
    ctx.match(second["content"], [{"type": "tool_result", "tool_use_id": "c"}], "the next turn")
    ctx.match(plain["content"][0], {"type": "text"}, "a response to no call")

    first, _, second, plain = history("convert", turns, "--provider", "gemini")
    found = [part.get("functionResponse", {}).get("id") for part in first["parts"]]
    ctx.expect(found == ["a", None, "b"], f"gemini: {found}")
    ctx.match(first["parts"][2]["functionResponse"], {"name": "click", "response": {"error": {"$regex": "{"}}}, "gemini")
    ctx.match(second["parts"], [{"functionResponse": {"id": "c"}}], "gemini, the next turn")

    messages = history("convert", turns, "--provider", "openai")
    found = [message.get("tool_call_id", message["role"]) for message in messages]
    ctx.expect(found == ["a", "b", "user", "assistant", "c", "user"], f"openai: {found}")
    ctx.expect(history("convert", turns, "--provider", "none") == turns, "none changes nothing")

    # Old snapshots are as large as pictures.
    outline = {"text": "button e1 " * 100}
    seen = [response(n, type="snapshot", result=outline if n != 2 else {"text": "short"}) for n in (1, 2, 3, 4)]
    cleaned = history("clean", [*seen, response(5)])
    ctx.match([entry.get("result") for entry in cleaned[:4]],
              [{"$regex": r"^\[snapshot of \d+ bytes removed"}, {"text": "short"},
               {"$regex": r"^\[snapshot of"}, outline], "of four snapshots")
    ctx.expect(history("clean", cleaned) == cleaned, "cleaning again changes something")
