"""A snapshot and an action by role and name mean the same elements: all of them, on every page."""
from harness import case

TIER = "long"
TIME_LIMIT = 600


def run(ctx):
    role = case("snapshot-and-role")
    role.walk(ctx, role.ALL)
