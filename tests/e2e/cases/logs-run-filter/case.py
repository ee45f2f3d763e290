"""--log-filter holds for actions without a logFilter; entries of category loading while a page loads."""


def run(ctx):
    talk = "(console.log('a'), console.warn('b'), console.error('c'), 1)"
    steps = [("start", {"url": ctx.origin + "/redirected"}),
             ("evaluate", {"expression": talk}),
             ("evaluate", {"expression": talk, "logFilter": {"types": ["info"]}}),
             ("evaluate", {"expression": talk, "logFilter": {}})]
    result = ctx.run_batch(steps, "--screenshots", "none", "--log-filter", '{"minLevel": 4}')
    said = [[log["message"] for log in response["logs"]] for response in result.responses]
    ctx.expect(said == [[], ["c"], ["a"], ["a", "b", "c"]], f"filtered: {said}")

    result = ctx.run_batch([
        ("start", {"url": ctx.origin + "/never-load", "waitUntil": "domcontentloaded"}),
        ("click", {"selector": "#go"}),
        ("navigate", {"url": ctx.origin + "/redirect/1"}),
        ("evaluate", {"expression": "location.hash = 'here'"}),
        ("evaluate", {"expression": "1"}),
        ("navigate", {"url": ctx.closed_origin + "/"})],
        "--screenshots", "none", "--log-filter", '{"categories": ["loading"]}')
    loading = [[(log["type"], log["message"].split(" http")[0]) for log in response["logs"]]
               for response in result.responses]
    ctx.expect(loading[:2] == [[("debug", "loading"), ("info", "still loading")], [("info", "still loading")]],
               f"while a page loads: {loading}")
    # That it is loaded may be heard of after the load event, which the navigation waits for.
    loaded = [entry for entries in loading[2:5] for entry in entries if entry != ("info", "still loading")]
    ctx.expect(loaded == [("debug", "loading"), ("debug", "loaded")], f"while a page is loaded: {loading}")
    ctx.expect(loading[5] == [("debug", "loading")], f"while nobody answers: {loading}")

    path = ctx.batch(steps)
    for wrong in ("nonsense", '{"minLevel": 9}', '{"types": ["warn"]}', '{"level": 1}', "[]"):
        refused = ctx.run(["run", path, "--chrome", ctx.mark_chrome(), "--log-filter", wrong])
        ctx.expect(refused.exit == 2 and not ctx.marked() and "filter" in refused.stderr.lower(),
                   f"--log-filter {wrong}: exit {refused.exit}, {refused.stderr}")
