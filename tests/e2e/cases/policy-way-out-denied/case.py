"""The ways of policy-way-out under rules that name what is refused."""
from harness import case

TIER = "long"


def run(ctx):
    case("policy-way-out").run_denied(ctx)
