"""Chrome's own request for the icon of a server without one, and a page's own request for it. The headless shell asks for
no icon."""


def run(ctx):
    ran = ctx.run_batch([("start", {"url": ctx.origin + "/case/bare.html"}), ("wait", {"ms": 700}),
                         ("evaluate", {"expression": "fetch('/favicon.ico').then(answer => answer.text())",
                                       "awaitPromise": True})], "--screenshots", "none")
    own, asked = ran.responses[:2], ran.responses[2]
    icons = [event for response in own for event in response["networkEvents"] if event["url"].endswith("/favicon.ico")]
    ctx.expect(icons and icons[0]["status"] == 404, f"Chrome asked for no icon, nothing is shown: {icons}")
    for response in own:
        ctx.expect(response["metrics"]["networkErrors"] == 0, "the icon is counted")
        ctx.expect(not [log for log in response["logs"] if log["category"] in ("network", "resource", "hint")],
                   f"the icon is told of: {response['logs']}")
    ctx.expect(asked["metrics"]["networkErrors"] == 1 and
               any(log["category"] == "network" for log in asked["logs"]), "the page's own is not counted")
