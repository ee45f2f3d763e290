"""`detect`: the operable elements, with the reasons and their certainty; other actions accept its ids."""

BROWSER = "shared"
SURE = {"One": ["element"], "Link": ["element", "cursor"], "role": ["role"], "Lab": ["element"], "dis": ["element"],
        "Far": ["element"], "Inner": ["element"], "Shadow": ["element"]}
MEDIUM = {"listen": ["listener"], "tab": ["tabindex"]}
LOW = {"Ptr in": ["cursor"], "cls": ["class"]}


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/index.html"}), ("detect", {}), ("detect", {"minConfidence": "MEDIUM"}),
             ("detect", {"minConfidence": "HIGH", "includeHidden": True}), ("detect", {"maxElements": 2}), ("detect", {"ignoreNoAi": True}),
             ("evaluate", {"expression": "b1.onclick = () => { document.title = 'clicked'; }; document.body.insertAdjacentHTML('beforeend', '<button>more</button>'.repeat(3000)); 1"}),
             ("click", {"node": "e1"}), ("evaluate", {"expression": "document.title"}), ("detect", {"maxElements": 10000})]
    ran = ctx.run_batch(steps, "--screenshots", "none", seconds=120)
    _, everything, medium, hidden, two, ignored, _, click, title, many = ran.responses
    told = {one.get("name"): one for one in everything["result"]["elements"]}
    for confidence, table in (("HIGH", SURE), ("MEDIUM", MEDIUM), ("LOW", LOW)):
        for name, layers in table.items():
            ctx.match(told.get(name), {"confidence": confidence, "layers": layers, "id": {"$regex": "^e[0-9]+$"}, "selector": {"$regex": "."}}, name)
    ctx.expect("nolink" not in told and "hid" not in told and "secret" not in told, f"what is none: {list(told)}")
    ctx.match(told["One"], {"role": "button", "tag": "button", "selector": "#b1", "box": [8, 8, {"$ge": 20}, {"$ge": 10}], "outOfView": {"$absent": True}}, "a button")
    ctx.match(told["dis"], {"disabled": True}, "one that is disabled")
    ctx.match(told["Far"], {"outOfView": True, "y": {"$ge": 3000}}, "one below")
    ctx.match(told["Inner"], {"frame": "about:srcdoc", "box": [{"$ge": 50}, {"$ge": 100}, {"$ge": 1}, {"$ge": 1}]}, "one in a frame")
    names = [one.get("name") for one in medium["result"]["elements"]]
    ctx.expect("listen" in names and "Ptr in" not in names, f"MEDIUM: {names}")
    shown = [one for one in hidden["result"]["elements"] if one.get("hidden")]
    ctx.expect([one["selector"] for one in shown] == ["#cb", "#hb"] and all("id" not in one for one in shown), f"hidden: {shown}")
    ctx.match(two["result"], {"found": everything["result"]["found"], "leftOut": everything["result"]["found"] - 2}, "cut")
    ctx.expect(len(two["result"]["elements"]) == 2, "two of them")
    ctx.expect("secret" in str(ignored["result"]) and "omitted: 1" in str(everything["logs"]), "what is not for models")
    ctx.expect(click["success"] and title["result"] == "clicked", f"an id: {click}")
    ctx.expect(many["result"]["found"] == everything["result"]["found"] + 3000, f"a page with many: {many['result']['found']}")
