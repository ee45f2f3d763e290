"""A hostile page under --allow and --deny: every way to another origin works without a rule, and is blocked by each."""
from harness import case

TIER = "long"
TIME_LIMIT = 240


def run(ctx):
    policy = case("policy-requests")
    own, other, address = policy.sites(ctx)
    policy.check_open(ctx, own, other, address)
    policy.check_closed(ctx, own, other, address)
    policy.check_denied(ctx, own, other, address, [name for name in policy.ROADS if name != "script-redirect"])
