"""The commands of docs/checks.md for parts of a suite on several machines work."""
from harness import case

BROWSER = "any"


def run(ctx):
    checks = case("docs-checks")
    checks.begin(ctx)
    checks.run_shards(ctx)
