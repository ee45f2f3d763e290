"""A driven page as an app of debug-bridge: browser and page die, it hangs; without evaluate; a tab of somebody else."""
from harness import CASES, case


def run(ctx):
    ctx.dir = CASES / "bridge-app"  # its pages
    case("bridge-app").run_ends(ctx)
