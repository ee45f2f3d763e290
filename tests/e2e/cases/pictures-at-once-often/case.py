"""pictures-at-once so often that what comes once in fifty starts or loads is met."""
from harness import CASES, case

TIER = "long"
TIME_LIMIT = 300


def run(ctx):
    ctx.dir = CASES / "pictures-at-once"  # its pages
    case("pictures-at-once").take(ctx, 20)
