"""Storage of a page in a named project is there in the next run, and in no other project."""

BROWSER = "any"


def run(ctx):
    url = ctx.origin + "/case/store.html"

    def session(expression, *profile):
        result = ctx.run_batch([("start", {"url": url}), ("evaluate", {"expression": expression})],
                               "--screenshots", "none", profile=profile)
        ctx.expect(result.exit == 0, f"{profile}: exit {result.exit}")
        return result.response(2).get("result")

    session("keep('treasure')", "--project", "one")
    # Twice: it must survive more than one start.
    for _ in range(2):
        found = session("kept()", "--project", "one")
        ctx.expect(found == ["treasure", "kept=treasure"], f"in the same project: {found}")
    for profile in (("--project", "two"), ("--temp-profile",), ("--profile", ctx.base / "elsewhere")):
        found = session("kept()", *profile)
        ctx.expect(found == [None, ""], f"in another profile {profile}: {found}")
    folder = ctx.config / "browser-runner" / "projects"
    ctx.expect(sorted(path.name for path in folder.iterdir()) == ["one", "two"],
               f"projects: {sorted(path.name for path in folder.iterdir())}")
    ctx.expect((folder / "one" / "browser").is_dir(), "projects/one/browser is not there")
    ctx.expect((ctx.base / "elsewhere").is_dir(), "--profile DIR was not used")
