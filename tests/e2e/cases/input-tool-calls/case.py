"""Tool calls as models send them: each provider's format, and its answer with --provider."""
import json

BROWSER = "shared"
EXPRESSION = {"expression": "6 * 7"}
START = {"type": "start", "url": "http://127.0.0.1:8765/shop/"}
CALLS = {
    "anthropic": {"type": "tool_use", "id": "toolu_1", "name": "evaluate", "input": EXPRESSION},
    "chat": {"id": "call_1", "type": "function", "function": {"name": "evaluate", "arguments": json.dumps(EXPRESSION)}},
    "responses": {"type": "function_call", "id": "fc_1", "call_id": "call_2", "name": "evaluate",
                  "arguments": json.dumps(EXPRESSION), "status": "completed"},
    "gemini": {"functionCall": {"id": "g1", "name": "evaluate", "args": EXPRESSION}}}
IDS = {"anthropic": "toolu_1", "chat": "call_1", "responses": "call_2", "gemini": "g1"}


def text_of(block):
    return json.loads(block["text"])


def run(ctx):
    calls = [START, *CALLS.values(), {"functionCall": {"name": "back", "args": {}}},
             {**CALLS["responses"], "arguments": "{"}, {**CALLS["anthropic"], "name": "evaluat"}]
    text = ctx.adapt("".join(json.dumps(call) + "\n" for call in calls))
    ran = ctx.run(["run", "-", *ctx.usual_args(), "--screenshots", "none"], stdin=text)
    ctx.expect(ran.exit == 1, f"exit {ran.exit}: {ran.stderr}")
    for number, (name, wanted) in enumerate(IDS.items(), 2):
        ctx.match(ran.response(number), {"type": "evaluate", "success": True, "result": 42, "callId": wanted}, name)
    ctx.expect("callId" not in ran.response(1) and "callId" not in ran.response(6), "an id where none was given")
    ctx.match(ran.response(7), {"callId": "call_2", "errorCode": "INVALID_ACTION"}, "arguments that are no JSON")
    ctx.match(ran.response(8), {"callId": "toolu_1", "errorCode": "INVALID_ACTION",
                                "hint": {"$regex": "evaluate"}}, "a tool that is none")
    check_messages(ctx)
    check_one_tool(ctx)


def check_one_tool(ctx):
    """A backend that offers its model all actions as one tool; the answer belongs to that tool."""
    arguments = {"action": "evaluate", **EXPRESSION}
    lines = ask(ctx, "gemini", {"functionCall": {"id": "g", "name": "browser_action", "args": arguments}})
    answer = lines[0]["parts"][0]["functionResponse"]
    ctx.expect(answer["name"] == "browser_action" and json.loads(answer["response"]["output"])["result"] == 42, f"{answer}")


def ask(ctx, provider, call):
    """Returns the lines that answer a call, whose page has a picture."""
    text = ctx.adapt(json.dumps(START) + "\n" + json.dumps(call) + "\n")
    ran = ctx.run(["run", "-", *ctx.usual_args(), "--provider", provider, "--screenshots", "post"],
                  stdin=text)
    return [json.loads(line) for line in ran.stdout.splitlines()][1:-1]


def check_history(ctx, provider, lines):
    """An answer to a call is a message of a history: it is kept, but loses its pictures."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    same = ctx.run(["history", "convert", "--provider", provider], stdin=text)
    ctx.expect([json.loads(line) for line in same.stdout.splitlines()] == lines, f"{provider}: {same.stderr}")
    clean = ctx.run(["history", "clean", "--keep-images", "0"], stdin=text)
    ctx.expect(clean.exit == 0 and b"base64," not in clean.stdout and b'"inlineData"' not in clean.stdout
               and clean.stdout.count(b"picture left out: 1280x720") == 1, f"{provider}: {clean.stderr}{clean.stdout[-200:]}")


def check_messages(ctx):
    [message] = ask(ctx, "anthropic", CALLS["anthropic"])
    [result] = message["content"]
    ctx.expect((message["role"], result["type"], result["tool_use_id"]) == ("user", "tool_result", "toolu_1"), f"{result}")
    ctx.expect(text_of(result["content"][0])["result"] == 42, "anthropic: the result")
    ctx.expect([block["type"] for block in result["content"]] == ["text", "image"] and "is_error" not in result,
               "anthropic: the picture")
    check_history(ctx, "anthropic", [message])
    [message] = ask(ctx, "anthropic", {**CALLS["anthropic"], "input": {"expression": "nowhere()"}})
    ctx.expect(message["content"][0]["is_error"] is True, "anthropic: an error")

    answer, picture = ask(ctx, "openai", CALLS["chat"])
    ctx.expect((answer["role"], answer["tool_call_id"]) == ("tool", "call_1"), f"{answer}")
    ctx.expect(text_of(answer["content"][0])["result"] == 42 and len(answer["content"]) == 1, "chat: the result")
    ctx.expect(picture["role"] == "user" and [block["type"] for block in picture["content"]] == ["image_url"],
               "chat: the picture")

    [item] = ask(ctx, "openai", CALLS["responses"])
    ctx.expect((item["type"], item["call_id"]) == ("function_call_output", "call_2"), f"{item['type']}")
    ctx.expect([block["type"] for block in item["output"]] == ["input_text", "input_image"], "responses: blocks")
    check_history(ctx, "openai", [item])
    ctx.expect(item["output"][1]["image_url"].startswith("data:image/jpeg;base64,"), "responses: the picture")

    [message] = ask(ctx, "gemini", CALLS["gemini"])
    response = message["parts"][0]["functionResponse"]
    ctx.expect((response["id"], response["name"]) == ("g1", "evaluate"), f"{response}")
    ctx.expect(json.loads(response["response"]["output"])["result"] == 42, "gemini: the result")
    ctx.expect("inlineData" in message["parts"][1], "gemini: the picture")
    check_history(ctx, "gemini", [message])
