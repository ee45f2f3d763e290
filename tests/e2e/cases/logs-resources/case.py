"""Chrome's entries about failed pictures, styles, scripts and fonts have category `resource`, others `network`; requests
are reported in the order in which they began, the document first."""

BROWSER = "shared"


def run(ctx):
    result = ctx.run_batch([("start", {"url": ctx.origin + "/case/"}),
                            ("evaluate", {"expression": "asked.then(() => document.fonts.ready).then(() => 1)"})])
    logs = [log for response in result.responses for log in response["logs"]]
    told = {log["location"].rsplit("/", 1)[1]: log["category"] for log in logs
            if log["message"].startswith("Failed to load resource")}
    wanted = dict.fromkeys(("404?style", "404?font", "404?image", "image", "500?script"), "resource") | {
        "404?fetch": "network", "fetch": "network"}
    ctx.expect(told == wanted, f"{told} instead of {wanted}")
    for response in result.responses:
        events = response["networkEvents"]
        times = [event["timestamp"] for event in events]
        ctx.expect(times == sorted(times), f"{response['type']}: {[(event['timestamp'], event['url']) for event in events]}")
    first = result.responses[0]["networkEvents"][0]
    ctx.expect(first["type"] == "document" and first["url"].endswith("/case/"), f"the first is {first['url']}")
