"""Workers and frames of other processes: their logs, exceptions and requests are reported once."""
from answers import Site, page

BROWSER = "any"
WORKER = """
console.log('WORKER says', {deep: {er: [1, 2]}});
setTimeout(() => fetch('/from-WORKER').catch(() => 0), 700);
setTimeout(() => { throw new Error('WORKER breaks'); }, 100);
"""


def run(ctx):
    javascript = {"Content-Type": "text/javascript"}
    names = ("dedicated", "shared", "service")
    site = Site(ctx, {f"/{name}.js": (200, javascript, WORKER.replace("WORKER", name).encode()) for name in names})
    other = site.url.replace("127.0.0.1", "localhost")
    site.answers["/frame"] = page("<link rel='icon' href='data:,'><script>console.log('frame says', {a: {b: 1}});"
                                  "fetch('/from-frame');setTimeout(() => { throw new Error('frame breaks') })</script>")
    site.answers["/"] = page(f"""<link rel="icon" href="data:,"><iframe src="{other}/frame"></iframe><script>
        new Worker('/dedicated.js');
        new SharedWorker('/shared.js');
        navigator.serviceWorker.register('/service.js');
    </script>""")
    result = ctx.run_batch([
        ("start", {"url": site.url + "/"}),
        ("wait", {"ms": 2500}),
        ("wait", {"networkIdle": True}),
        ("evaluate", {"expression": "1"})], "--screenshots", "none")
    logs = [log for response in result.responses for log in response["logs"] if log["source"] == "browser"]
    events = [event for response in result.responses for event in response["networkEvents"]]
    messages = [log["message"] for log in logs]
    for name, url in (("dedicated", site.url), ("shared", site.url), ("service", site.url), ("frame", other)):
        said = [log for log in logs if f"{name} says" in log["message"]]
        # The depth depends on whether the worker answers in time.
        ctx.match(said, [{"message": {"$regex": f"^{name} says {{(a|deep): "}, "category": "console", "location": {"$regex": url}}],
                  f"what the {name} says")
        broken = [log for log in logs if f"{name} breaks" in log["message"]]
        ctx.match(broken, [{"type": "error", "kind": "exception", "location": {"$regex": url}}], f"the {name} breaks")
        found = [event for event in events if event["url"] == f"{url}/from-{name}"]
        ctx.match(found, [{"status": 404, "type": "fetch"}], f"what the {name} fetches")
    for url in (f"{site.url}/dedicated.js", f"{site.url}/shared.js", f"{other}/frame"):  # each reported in two sessions
        found = [event for event in events if event["url"] == url]
        ctx.match(found, [{"status": 200}], url)
    errors = sum(response["metrics"]["jsErrors"] for response in result.responses)
    ctx.expect(errors == 4, f"{errors} JavaScript errors")
