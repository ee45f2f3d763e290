"""The SDK of debug-bridge in a page that Chrome keeps for going back to it; the headless shell keeps none."""
from harness import CASES, case


def run(ctx):
    ctx.dir = CASES / "bridge-sdk"  # its pages
    case("bridge-sdk").run_back(ctx)
