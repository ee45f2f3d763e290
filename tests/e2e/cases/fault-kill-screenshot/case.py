"""The browser is killed before, during and after a picture: it shows the page, never a blank one."""
import time

from faults import RECOVERED, UNTOUCHED, Talk, board, expect_shade, kill, wait_for

BROWSER = "any"


def run(ctx):
    url = board(ctx, 150)
    talk = Talk(ctx, screenshots="explicit")
    talk.start(url)
    kill(ctx)
    talk.do({**RECOVERED, "url": url}, "screenshot", "killed before")

    # A busy page delays the picture until the kill.
    talk.do(UNTOUCHED, "evaluate", expression="setTimeout(tell, 0, 'busy', 20000); 0")
    wait_for(ctx, "busy")
    talk.send("screenshot")
    time.sleep(0.3)
    kill(ctx)
    talk.answer({"success": True, "recovered": True, "url": url}, "killed during")

    talk.do({**UNTOUCHED, "url": url}, "screenshot")
    kill(ctx)
    talk.do({**RECOVERED, "url": url}, "screenshot", "killed after", fullPage=True)
    done = talk.end()
    for number in (2, 4, 5, 6):
        expect_shade(ctx, done.picture(number), 150, f"response {number}")
    ctx.expect(done.exit == 0, f"exit {done.exit}")
