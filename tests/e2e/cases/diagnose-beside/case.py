"""diagnose: error limits, pictures, the audit trail, refused steps, addresses with secrets."""
from harness import CASES, case

BROWSER = "shared"


def run(ctx):
    ctx.dir = CASES / "diagnose"  # its pages
    case("diagnose").run_beside(ctx)
