"""--log-filter applies to actions without a logFilter; entries of category loading while a page loads."""

BROWSER = "shared"


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
    # On a slow machine any of these may take a second: it is then reported once more.
    ctx.expect(loading[0][:2] == [("debug", "loading"), ("info", "still loading")]
               and set(loading[0][2:] + loading[1]) == {("info", "still loading")}, f"while a page loads: {loading}")
    # The end of loading may be reported after the load event, which the navigation waits for.
    loaded = [entry for entries in loading[2:5] for entry in entries if entry != ("info", "still loading")]
    ctx.expect([text for _, text in loaded] == ["loading", "loaded"], f"while a page is loaded: {loading}")
    check_slow(ctx)
    ctx.expect(loading[5] == [("debug", "loading")], f"while nobody answers: {loading}")

    path = ctx.batch(steps)
    for wrong in ("nonsense", '{"minLevel": 9}', '{"types": ["warn"]}', '{"level": 1}', "[]"):
        refused = ctx.run(["run", path, "--chrome", ctx.mark_chrome(), "--log-filter", wrong])
        ctx.expect(refused.exit == 2 and not ctx.marked() and "filter" in refused.stderr.lower(),
                   f"--log-filter {wrong}: exit {refused.exit}, {refused.stderr}")


def check_slow(ctx):
    """A page that takes over a second is reported while it loads, with its own URL, and when it has loaded."""
    slow = ctx.origin + "/slow?ms=1500&headers=1"
    result = ctx.run_batch([("start", {"url": ctx.origin + "/redirected"}), ("navigate", {"url": slow}),
                            ("evaluate", {"expression": f"location.href = {slow!r} + '&never', 1"}),
                            ("wait", {"ms": 1200}), ("wait", {"ms": 1})],
                           "--screenshots", "none", "--log-filter", '{"categories": ["loading"], "minLevel": 2}')
    told = [[(log["source"], log["message"]) for log in response["logs"]] for response in result.responses]
    ctx.expect(told[1][0] == ("tool", f"still loading {slow} after a second") and len(told[1]) == 2
               and told[1][1][1].startswith(f"loaded {slow} after "), f"a slow page: {told[1]}")
    coming = [message for response in told[2:] for _, message in response]
    ctx.expect(all(f"{slow}&never" in message for message in coming) and any(message.endswith("after a second") for message in coming),
               f"the page that comes: {told[2:]}")
