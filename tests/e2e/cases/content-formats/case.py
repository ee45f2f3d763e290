"""`content`: markup, text and the main part; nothing private, nothing hidden from models; cut where requested."""

BROWSER = "shared"
HUGE = "document.body.innerHTML = '<p>' + 'word &amp; word '.repeat(100000) + '</p>'.repeat(1) + '<div>'.repeat(4000) + 'deep'"


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/index.html", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0}),
             ("content", {"format": "html"}), ("content", {}), ("content", {"format": "main"}),
             ("content", {"format": "both"}), ("content", {"format": "both", "selector": "table", "maxLength": 30}),
             ("content", {"format": "html", "selector": "table"}), ("content", {"format": "text", "selector": "table"}),
             ("content", {"format": "text", "maxLength": 10}), ("content", {"format": "html", "selector": "p[data-no-ai]"}),
             ("content", {"format": "html", "ignoreNoAi": True}), ("content", {"selector": "#nope", "timeout": 700}),
             ("evaluate", {"expression": "document.querySelector('[data-no-ai]').remove(); document.forms[0].remove(); document.querySelector('#host').remove(); document.documentElement.outerHTML"}),
             ("content", {"format": "html"}), ("evaluate", {"expression": HUGE + "; 1"}),
             ("content", {"format": "html", "maxLength": 2000000}), ("content", {"format": "text", "maxLength": 5000})]
    ran = ctx.run_batch(steps, "--screenshots", "none", seconds=120)
    _, html, text, main, both, few, table, cells, cut, kept, ignored, missing, outer, same, _, huge, short = ran.responses
    for number, answer in enumerate(ran.responses, 1):
        told = str(answer.get("result"))
        ctx.expect("hunter2-in-page" not in told and "4711-in-page" not in told, f"{number}: a private value is told")
    ctx.match(html["result"], {"format": "html", "title": "Tides & harbours", "url": {"$regex": "/case/index.html$"},
                               "metadata": {"language": "en", "description": "All of them.", "og:type": "article"}, "cut": {"$absent": True}}, "html")
    content = html["result"]["content"]
    for part in ('<!DOCTYPE html><html lang="en">', 'value="***"', '>***</textarea>', 'value="a &quot;b&quot;"', "<!-- left out: data-no-ai -->",
                 '<template shadowrootmode="open"><p>Text of a root</p></template>', "<title>Tides &amp; harbours</title>"):
        ctx.expect(part in content, f"{part} is not in {content}")
    ctx.expect("Models do not see" not in str([html, text, main]) and "Models do not see" in ignored["result"]["content"], "data-no-ai")
    said = text["result"]["content"]
    ctx.expect("Port\tDepth\nFirst\t4.0\n" in said and "12:00 high\n18:10  low" in said and "Nobody sees" not in said, f"text: {said}")
    ctx.expect("Text of a frame" in said and "Text of a root" in said and "Home\nCharts\n" in said, f"text of frames and roots: {said}")
    read = main["result"]["content"]
    ctx.expect(main["result"]["chosenBy"] in ("text", "page") and "# The harbours of the north" in read and "third has a quay" in read, f"main: {read}")
    ctx.expect(not [part for part in ("Home", "Related", "Imprint", "Nobody", "<!--") if part in read] and "| First | 4.0 |" in read, f"main: {read}")
    ctx.match(both["result"], {"format": "both", "content": said, "html": content, "length": len(said), "title": "Tides & harbours", "cut": {"$absent": True}}, "both")
    ctx.match(few["result"], {"content": cells["result"]["content"][:30], "html": table["result"]["content"][:30], "cut": True}, "the table, cut")
    ctx.expect(table["result"]["content"].startswith("<table><tbody><tr><th>Port</th>") and cells["result"]["content"].startswith("Port\tDepth"), f"{table} {cells}")
    ctx.match(cut["result"], {"content": "Home\nChart", "cut": True, "length": len(said)}, "cut")
    ctx.expect("maxLength" in str(cut["logs"]), f"the log says so: {cut['logs']}")
    ctx.match(kept, {"success": False, "errorCode": "POLICY_DENIED"}, "an element that is kept from models")
    ctx.match(missing, {"success": False, "errorCode": "TARGET_NOT_FOUND"}, "none")
    ctx.expect(same["result"]["content"] == "<!DOCTYPE html>" + outer["result"], "as the browser itself serialises it")
    ctx.match(huge["result"], {"length": {"$ge": 1500000}, "cut": {"$absent": True}}, "a large page, nested deeply")
    ctx.expect(len(short["result"]["content"]) == 5000 and short["result"]["length"] > 1000000, "its text is cut")
