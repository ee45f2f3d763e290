"""diagnose: error limits, pictures, the audit trail, refused steps, addresses with secrets."""
from harness import CASES, case

BROWSER = "any"


def run(ctx):
    ctx.dir = CASES / "diagnose"  # its pages
    case("diagnose").run_beside(ctx)
