"""The costs of a page so far: layout shifts, interactions, long tasks, nodes, layouts, bytes."""

BROWSER = "shared"


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/index.html"}),
             ("wait", {"expression": "document.title === 'moved'"}),
             ("screenshot", {}),
             ("click", {"selector": "#slow"}),
             ("screenshot", {}),
             ("wait", {"expression": "isToldAll()"}),
             ("evaluate", {"expression": "for (let i = 0; i < 500; i++) document.body.append(new Text('x'))"}),
             ("navigate", {"url": "about:blank"})]
    result = ctx.run_batch(steps, "--screenshots", "none")
    first, last, more, blank = (result.response(number)["metrics"] for number in (1, 6, 7, 8))
    # 280 px (the box and margins) of 720 move, with everything below: between a tenth and all of it.
    ctx.match(last, {"cls": {"$gt": 0.01, "$lt": 1}, "inp": {"$ge": 144, "$lt": 5000}, "longTasks": {"$ge": 2},
                     "longTaskTime": {"$ge": 220}, "nodes": {"$gt": 10}, "layouts": {"$ge": 1},
                     "transferSize": {"$gt": 500}, "memoryUsage": {"$gt": 1000}, "lcp": {"$gt": 0},
                     "fcp": {"$gt": 0}, "loadTime": {"$gt": 0}, "domContentLoaded": {"$gt": 0}}, "metrics")
    ctx.expect("inp" not in first, f"an interaction before there was one: {first}")
    ctx.expect(more["nodes"] >= last["nodes"] + 500, f"{last['nodes']} nodes, with 500 more {more['nodes']}")
    ctx.match(blank, {"cls": 0, "longTasks": 0, "inp": {"$absent": True}, "lcp": {"$absent": True}}, "a new page")
    size = result.response(1)["networkEvents"][0]["sizes"]["response"]
    ctx.expect(last["transferSize"] == size, f"transferSize {last['transferSize']}, the page alone has {size}")
