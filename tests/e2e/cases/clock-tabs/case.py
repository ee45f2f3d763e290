"""A virtual clock and several tabs: each keeps its time while another one is the page."""
import json

TIME_LIMIT = 200
FIRST, SECOND = {"selector": "#open"}, {"selector": "#bar"}
WAIT = {"type": "wait", "ms": 700}


def run(ctx):
    """Tabs that the program and pages open, and the way back: none ends in a timeout, and each picture shows its tab.

    Two ways run twice, beside each other, and have to give equal pictures: back from a tab that the page opened, and at
    once to a tab that it opened without an opener."""
    url = f"{ctx.origin}/case"
    ways = {
        "back": ([tab("new", url=f"{url}/opened.html"), WAIT, tab("activate", id=1), WAIT], FIRST),
        "forth": ([tab("new", url=f"{url}/opened.html"), tab("activate", id=1), WAIT, tab("activate", id=2)], SECOND),
        "opened": ([click("#open"), tab("activate", id=2), WAIT], SECOND),
        "opened-back": ([click("#open"), tab("activate", id=2), WAIT, tab("activate", id=1), WAIT], FIRST),
        "other": ([click("#other"), WAIT, tab("activate", id=2), WAIT], SECOND),
        "other-at-once": ([click("#other"), tab("activate", id=2), WAIT], SECOND),
        "closed": ([click("#open"), tab("activate", id=2), WAIT, tab("close"), WAIT], FIRST),
        "closes-itself": ([click("#open"), tab("activate", id=2), WAIT, click("#close"), WAIT], FIRST),
    }
    checks = [{"name": name, "url": f"{url}/opener.html", "timeout": 20000, "actions": actions, "ready": ready,
               "mask": ["#count"] if ready is FIRST else []} for name, (actions, ready) in ways.items()]
    suite = {"clock": "virtual", "viewports": {"desktop": {"width": 600, "height": 300}}, "checks": checks}
    (ctx.work / "tabs.json").write_text(json.dumps(suite))
    check(ctx, "new", ways)
    pictures = {name: (ctx.work / "tabs.baselines" / f"{name}@desktop.png") for name in ways}
    for kind in (FIRST, SECOND):
        names = [name for name, (_, ready) in ways.items() if ready is kind]
        shown = {pictures[name].read_bytes() for name in names if pictures[name].exists()}
        ctx.expect(len(shown) == 1, f"the pictures of {names} are not equal")
    twice = ["opened-back", "other-at-once"]
    check(ctx, "passed", twice, "--ci", "--jobs", "2", *(f"--filter={name}" for name in twice))


def check(ctx, status, names, *args):
    """Each of these checks, and no other, has this status."""
    ran = ctx.run(["check", "tabs.json", "--retries", "0", "--no-sandbox", *args], seconds=90)
    ctx.expect(ran.exit == 0, f"{args}: exit {ran.exit}: {ran.stdout[-800:]}{ran.stderr[-800:]}")
    results = json.loads((ctx.work / "tabs.report" / "results.json").read_text())
    for entry in results["checks"]:
        ctx.expect(entry["status"] == status, f"{entry['id']}: {entry['status']}, {entry.get('error')}")
    found = [entry["name"] for entry in results["checks"]]
    ctx.expect(sorted(found) == sorted(names), f"{args}: checked were {found}")


def tab(op, **more):
    return {"type": "tab", "op": op, **more}


def click(selector):
    return {"type": "click", "selector": selector}
