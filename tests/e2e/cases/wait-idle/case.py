"""A fetch whose answer is never read does not prevent network idle; one without an answer does. An EventSource with frequent
events does not count; a fetch that is being read does."""

import threading

from answers import Site, page

BROWSER = "shared"


def run(ctx):
    ended = threading.Event()
    ctx.at_end.append(ended.set)

    def parts():
        yield b"data: 1\n\n"
        while not ended.wait(0.1):
            yield b"data: more\n\n"

    site = Site(ctx, {
        "/events": lambda: (200, {"Content-Type": "text/event-stream", "Connection": "close"}, parts()),
        "/stream": lambda: (200, {"Content-Type": "text/plain", "Connection": "close"}, parts()),
        "/": page("<title>events</title><script>new EventSource('/events')</script>"),
        "/read": page("<title>read</title><script>fetch('/stream').then(async (answer) => {"
                      "for await (const part of answer.body); })</script>")})
    steps = [("start", {"url": ctx.origin + "/case/unread.html", "waitUntil": "networkidle0"}),
             ("evaluate", {"expression": "asked()"}),
             ("wait", {"networkIdle": True}),
             ("evaluate", {"expression": "fetch('/slow?ms=20000&headers=1'); 0"}),
             ("wait", {"networkIdle": True, "timeout": 2500}),
             ("navigate", {"url": site.url + "/", "waitUntil": "networkidle0"}),
             ("wait", {"networkIdle": True}),
             ("navigate", {"url": site.url + "/read", "waitUntil": "networkidle2"}),
             ("wait", {"networkIdle": True, "timeout": 1500}),
             ("navigate", {"url": site.url + "/read", "waitUntil": "networkidle0", "timeout": 2000})]
    result = ctx.run_batch(steps, "--screenshots", "none")
    failed = [number for number, response in enumerate(result.responses, 1) if not response["success"]]
    ctx.expect(failed == [5, 9, 10], f"{[response.get('error') for response in result.responses]}")
    ctx.expect(result.response(2)["result"] == 404, f"{result.response(2)}")
    for number, path in ((5, r"slow\?ms=20000&headers=1"), (9, "stream"), (10, "stream")):
        ctx.match(result.response(number), {"errorCode": "TIMEOUT", "error": {"$regex": rf"GET http://\S+/{path} is under way$"}},
                  f"a late answer, {number}")
