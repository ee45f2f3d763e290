"""--help and --version, of the program and of each command."""


def run(ctx):
    commands = [[], ["run"], ["shot"], ["diff"], ["doctor"], ["profile"], ["profile", "path"], ["profile", "list"]]
    for command in commands:
        what = " ".join(["browser-runner", *command, "--help"])
        shown = ctx.run([*command, "--help"])
        text = shown.stdout.decode()
        ctx.expect(shown.exit == 0, f"{what}: exit {shown.exit}")
        ctx.match(text, {"$regex": r"(?i)usage"}, what)
        ctx.expect(shown.stderr == "", f"{what}: on stderr: {shown.stderr[:200]}")
        long = [line for line in text.splitlines() if len(line) > 100]
        ctx.expect(not long, f"{what}: lines over 100 columns: {long[:2]}")
    overview = ctx.run(["--help"]).stdout.decode()
    for name in ("run", "shot", "diff", "doctor", "profile"):
        ctx.match(overview, {"$regex": rf"(?m)^\s+{name}\b"}, "the overview")
    options = ctx.run(["run", "--help"]).stdout.decode()
    for option in ("--temp-profile", "--project", "--profile", "--save-dir", "--screenshots", "--timeout",
                   "--chunk-size", "--chrome", "--no-sandbox", "--viewport", "--max-edge", "--quality"):
        ctx.match(options, {"$regex": rf"{option}\b"}, "run --help")
    ctx.match(ctx.run(["shot", "--help"]).stdout.decode(), {"$regex": r"--full-page"}, "shot --help")
    version = ctx.run(["--version"])
    ctx.match(version.stdout.decode(), {"$regex": r"^browser-runner \d+\.\d+\.\d+\S*\n"}, "--version")
    ctx.expect(version.exit == 0, f"--version: exit {version.exit}")
