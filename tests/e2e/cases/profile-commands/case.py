"""profile path and list, before and after a profile exists."""

BROWSER = "any"


def run(ctx):
    projects = ctx.config / "browser-runner" / "projects"
    default = ctx.run(["profile", "path"])
    ctx.expect(default.exit == 0, f"path: exit {default.exit}")
    ctx.match(default.stdout.decode().rstrip("\n"),
              {"$regex": f"^{projects}/work-[0-9a-f]{{4,16}}/browser$"}, "path")
    again = ctx.run(["profile", "path"])
    ctx.expect(again.stdout == default.stdout, "path is not the same twice")
    named = ctx.run(["profile", "path", "demo"])
    ctx.expect(named.stdout.decode() == f"{projects}/demo/browser\n", f"path of demo: {named.stdout}")
    empty = ctx.run(["profile", "list"])
    ctx.expect(empty.exit == 0 and b"demo" not in empty.stdout, f"list without profiles: {empty.text}")
    ctx.expect(not projects.exists(), "path or list made a profile")

    ctx.run_batch([("start", {"url": "about:blank"})], profile=("--project", "demo"))
    ctx.run_batch([("start", {"url": "about:blank"})], profile=())
    listed = ctx.run(["profile", "list"])
    ctx.expect(listed.exit == 0, f"list: exit {listed.exit}")
    ctx.match(listed.stdout.decode(), {"$regex": r"(?m)\bdemo\b"}, "list")
    ctx.match(listed.stdout.decode(), {"$regex": r"(?m)\bwork-[0-9a-f]+"}, "list")
    ctx.expect((projects / "demo" / "browser").is_dir(), "the run did not use the path that was printed")

    # Without XDG_CONFIG_HOME it is below the home directory.
    del ctx.environment["XDG_CONFIG_HOME"]
    home = ctx.run(["profile", "path", "demo"])
    ctx.expect(home.stdout.decode() == f"{ctx.base}/home/.config/browser-runner/projects/demo/browser\n",
               f"path below HOME: {home.stdout}")
