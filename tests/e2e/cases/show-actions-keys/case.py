"""--show-actions: the drawings of keys and choices."""
from harness import CASES, case

BROWSER = "any"


def run(ctx):
    ctx.dir = CASES / "show-actions"  # its pages
    case("show-actions").check_keys(ctx)
