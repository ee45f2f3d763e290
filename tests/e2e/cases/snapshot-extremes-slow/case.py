"""Pages that are too large for Chrome, or nearly: each snapshot ends in time."""
from harness import CASES, case

TIER = "long"
TIME_LIMIT = 200


def run(ctx):
    ctx.dir = CASES / "snapshot-extremes"  # its pages
    extremes = case("snapshot-extremes")
    page, buttons = extremes.page, extremes.BUTTONS
    extremes.look_at_all(ctx, (
        ("a million nodes", page("nodes", 1000000, "&hidden"), None),
        (extremes.HOPELESS, page("nested", 10000, "&names=div"), None),
        ("nested deeper than is looked at", page("nested", 21000, "&names=div&hidden"), None),
        ("10 MB of text", page("text", 10000000), [*buttons, "Ten letters"]),
        ("100,000 options", page("options", 100000), [*buttons, "Much"]),
    ))
