"""A virtual clock beside many busy processes: the same bytes three times, and the checks of a suite pass."""
from harness import case

TIER = "long"
TIME_LIMIT = 400


def run(ctx):
    case("clock-shot").same_picture(ctx, busy=(4, 4, 4), shots=3)
    case("check-clock").passes(ctx, busy=3)
