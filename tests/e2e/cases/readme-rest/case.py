"""Every command of README.md that is marked to be run works: the second half."""
from harness import case

BROWSER = "any"


def run(ctx):
    case("readme").run_rest(ctx)
