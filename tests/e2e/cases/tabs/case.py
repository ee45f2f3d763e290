"""Tabs: new ones, those that pages open, and those that close themselves."""

BROWSER = "shared"


def run(ctx):
    steps, wanted = [("start", {"url": ctx.origin + "/case/first.html"})], {}

    def step(kind, parameters, **expected):
        steps.append((kind, {"timeout": 8000, **parameters}))
        wanted[len(steps)] = expected

    def tabs(*listed):
        return [{"id": number, "title": title, "active": active} for number, title, active in listed]

    step("tab", {"op": "list"}, tabs=tabs((1, "First", True)))
    step("emulate", {"colorScheme": "dark"})
    step("click", {"selector": "#blank"}, logs="opened tab 2")
    step("evaluate", {"expression": "document.title"}, result="First")
    step("tab", {"op": "activate", "id": 2}, active=2)
    step("wait", {"text": "This is the second"}, title="Second")
    step("evaluate", {"expression": "matchMedia('(prefers-color-scheme: dark)').matches && location.search"}, result="?link")
    step("click", {"selector": "#tell"})
    step("reload", {}, title="Second", logs="second says ?link")
    step("navigate", {"url": ctx.origin + "/case/second.html?again"})
    step("back", {}, title="Second")
    step("tab", {"op": "activate", "id": 1}, active=1)
    step("evaluate", {"expression": "said.splice(0)"}, result=["told"])
    # A popup that closes itself on a click: the click succeeds, and its opener becomes the page again.
    step("click", {"selector": "#open"}, logs="opened tab 3")
    step("tab", {"op": "activate", "id": 3}, active=3)
    step("click", {"selector": "#done"}, logs="closed itself", title="First")
    step("wait", {"expression": "said.length"})
    step("evaluate", {"expression": "said.splice(0)"}, result=["done"])
    step("tab", {"op": "list"}, active=1)
    # The opener closes the page that is acted on.
    step("click", {"selector": "#open"}, logs="opened tab 4")
    step("evaluate", {"expression": "setTimeout(() => child.close(), 1500); 0"})
    step("tab", {"op": "activate", "id": 4}, active=4)
    step("wait", {"expression": "window.child && child.closed"}, title="First", attempts=2)
    # New ones, and their end.
    step("tab", {"op": "new", "url": ctx.origin + "/case/second.html?new"}, active=5, title="Second")
    step("tab", {"op": "new"}, active=6)
    step("tab", {"op": "new", "url": ctx.closed_origin}, errorCode="NAVIGATION_FAILED")
    step("tab", {"op": "close"})
    step("tab", {"op": "close", "id": 2})
    step("tab", {"op": "activate", "id": 2}, errorCode="TARGET_NOT_FOUND")
    step("tab", {"op": "activate", "id": 1}, active=1)
    step("tab", {"op": "close", "id": 5})
    step("tab", {"op": "close", "id": 6}, tabs=tabs((1, "First", True)))
    step("tab", {"op": "close"}, errorCode="INVALID_ACTION")
    # A last page that closes itself by a click: the click succeeds, and the page is opened again.
    step("click", {"selector": "#open"}, logs="opened tab 8")
    step("tab", {"op": "activate", "id": 8}, active=8)
    step("tab", {"op": "close", "id": 1}, active=8)
    step("evaluate", {"expression": "done.onclick = () => window.close(); 0"})
    step("click", {"selector": "#done"}, logs="the last tab closed itself", title="Second")
    result = ctx.run_batch(steps, "--screenshots", "none")

    for number, expected in wanted.items():
        response = result.response(number)
        about = f"{number}: {steps[number - 1]}: "
        if "errorCode" in expected:
            ctx.expect(response.get("errorCode") == expected["errorCode"], f"{about}{response}")
            continue
        if not ctx.expect(response["success"], f"{about}{response.get('error')}"):
            continue
        listed = response.get("result")
        if "active" in expected:
            active = [tab["id"] for tab in listed if tab["active"]]
            ctx.expect(active == [expected["active"]], f"{about}{listed}")
        if "tabs" in expected:
            for tab in listed:
                ctx.expect(tab.pop("url").startswith(ctx.origin), f"{about}{tab}")
            ctx.expect(listed == expected["tabs"], f"{about}{listed}")
        for key in ("result", "title", "attempts"):
            ctx.expect(key not in expected or response[key] == expected[key], f"{about}{response.get(key)}")
        said = [log["message"] for log in response["logs"]]
        ctx.expect(any(expected.get("logs", "") in text for text in said) or not expected.get("logs"), f"{about}{said}")
