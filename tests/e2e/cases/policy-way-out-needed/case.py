"""What only the way out blocks reaches the other origin under rules without it; a hint to connect gets nowhere under rules."""
from harness import case


def run(ctx):
    case("policy-way-out").run_in_chrome(ctx)
