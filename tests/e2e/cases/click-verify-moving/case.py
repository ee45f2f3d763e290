"""click with visualVerify if something moves by itself, a caret blinks, and in frames."""
from harness import CASES, case

BROWSER = "any"


def run(ctx):
    ctx.dir = CASES / "click-verify"  # its pages
    verify = case("click-verify")
    verify.click_all(ctx, [("moving.html", verify.MOVING), ("caret.html", verify.CARET), ("caret.html?shadow", verify.CARET),
                           ("framed.html", verify.FRAMED)])
