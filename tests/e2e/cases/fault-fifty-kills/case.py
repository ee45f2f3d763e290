"""50 kills at random moments while 200 actions run."""
from harness import case

TIER = "long"
TIME_LIMIT = 400


def run(ctx):
    case("fault-kills").try_kills(ctx, 40, 50)
