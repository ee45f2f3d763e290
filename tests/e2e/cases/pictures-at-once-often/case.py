"""pictures-at-once, repeated so that failures of one in fifty starts or loads occur."""
from harness import CASES, case

TIER = "long"
TIME_LIMIT = 300


def run(ctx):
    ctx.dir = CASES / "pictures-at-once"  # its pages
    case("pictures-at-once").take(ctx, 20)
