"""A fetch whose answer is never read does not prevent network idle; one without an answer does."""

import threading

from answers import Site, page

BROWSER = "any"  # in a shared browser its second run would receive the logs of the first one in the same tab


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/unread.html", "waitUntil": "networkidle0"}),
             ("evaluate", {"expression": "asked()"}),
             ("wait", {"networkIdle": True}),
             ("evaluate", {"expression": "fetch('/slow?ms=20000&headers=1'); 0"}),
             ("wait", {"networkIdle": True, "timeout": 2500})]
    result = ctx.run_batch(steps, "--screenshots", "none")
    for number in (1, 2, 3, 4):
        response = result.response(number)
        ctx.expect(response["success"], f"{number}: {response.get('error')}")
    ctx.expect(result.response(2)["result"] == 404, f"{result.response(2)}")
    ctx.match(result.response(5), {"errorCode": "TIMEOUT",
                                   "error": {"$regex": r"GET http://\S+/slow\?ms=20000&headers=1 is under way$"}}, "a late answer")
    check_streams(ctx)


def check_streams(ctx):
    """An EventSource with frequent events does not count; a fetch that is being read does."""
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
    steps = [("start", {"url": site.url + "/", "waitUntil": "networkidle0"}),
             ("wait", {"networkIdle": True}),
             ("navigate", {"url": site.url + "/read", "waitUntil": "networkidle2"}),
             ("wait", {"networkIdle": True, "timeout": 1500}),
             ("navigate", {"url": site.url + "/read", "waitUntil": "networkidle0", "timeout": 2000})]
    result = ctx.run_batch(steps, "--screenshots", "none")
    ctx.expect([response["success"] for response in result.responses] == [True, True, True, False, False],
               f"{[response.get('error') for response in result.responses]}")
    for response in result.responses[3:]:
        ctx.match(response, {"errorCode": "TIMEOUT", "error": {"$regex": r"GET http://\S+/stream is under way$"}}, "a stream")
