"""A driven page as an app of debug-bridge: browser and page crash, the page hangs; without evaluate; an adopted tab."""
from harness import CASES, case


def run(ctx):
    ctx.dir = CASES / "bridge-app"  # its pages
    case("bridge-app").run_ends(ctx)
