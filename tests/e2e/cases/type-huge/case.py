"""A hundred thousand characters, complete and in reasonable time."""

BROWSER = "shared"


def run(ctx):
    text = "".join(f"{i:06d} " for i in range(100000 // 7)) + "end"
    result = ctx.run_batch([
        ("start", {"url": ctx.origin + "/traps/huge-input.html"}),
        ("type", {"selector": "#text", "text": text, "timeout": 30000}),
        ("evaluate", {"expression": "document.getElementById('text').value"})], "--screenshots", "none")
    ctx.match(result.response(2), {"success": True}, "type")
    ctx.expect(result.response(3).get("result") == text, "the text is not what was typed")
