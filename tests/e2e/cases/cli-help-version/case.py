"""--help and --version, of the program and of each command; help of the actions."""
import json
import re

from harness import ROOT

BROWSER = "any"


def check_actions(ctx):
    """Each action, and each of its parameters with a sentence."""
    schema = json.loads((ROOT / "docs" / "schema" / "instruction.schema.json").read_text())
    listed = ctx.run(["help", "actions"]).stdout.decode()
    for kind in schema["properties"]["type"]["enum"]:
        ctx.match(listed, {"$regex": rf"(?m)^  {kind} +\S"}, "help actions")
        shown = ctx.run(["help", "actions", kind])
        text = shown.stdout.decode()
        ctx.expect(shown.exit == 0 and not shown.stderr, f"help actions {kind}: exit {shown.exit}: {shown.stderr}")
        for name, part in schema["$defs"][kind]["properties"].items():
            if name != "type":
                is_told = re.search(rf"(?m)^  {name} +\S", text) is not None
                ctx.expect(is_told == ("not" not in part), f"help actions {kind}: {name}")
    ctx.match(ctx.run(["help", "click"]).stdout.decode(), {"$regex": r"clickCount +2 is a double click\. 1 to 3\. Default: 1\."},
              "help click")
    for words in (["help", "actions", "clik"], ["help", "nothing"]):
        ctx.expect(ctx.run(words).exit == 2, f"{words} is known")


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
    check_actions(ctx)
    version = ctx.run(["--version"])
    ctx.match(version.stdout.decode(), {"$regex": r"^browser-runner \d+\.\d+\.\d+\S*\n"}, "--version")
    ctx.expect(version.exit == 0, f"--version: exit {version.exit}")
