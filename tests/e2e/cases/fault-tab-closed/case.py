"""A tab that is closed by hand is reopened; an independent browser that has exited is not restarted."""
import urllib.request

from faults import CRASHES, TOLD, Talk, board, expect_shade, until
from foreign import foreign_browser


def run(ctx):
    with foreign_browser(ctx) as theirs:
        url = board(ctx, 140)
        talk = Talk(ctx, profile=("--connect", theirs.http), screenshots="explicit")
        talk.start(url)

        def pages():
            return [page for page, shown in theirs.tabs().items() if shown == url]

        # The tab is closed by hand.
        for page in pages():
            urllib.request.urlopen(f"{theirs.http}/json/close/{page}", timeout=5).read()
        until(lambda: not pages(), "the tab is closed")
        talk.do({"success": True, "recovered": True, "url": url, "logs": TOLD}, "screenshot", "tab closed")
        ctx.expect(len(pages()) == 1, f"{len(pages())} tabs show the page")
        # An independent browser cannot be restarted.
        theirs.process.kill()
        theirs.process.wait(10)
        talk.do({"success": False, "errorCode": CRASHES}, "evaluate", "browser gone", expression="1")
        done = talk.end()
        expect_shade(ctx, done.picture(2), 140, "tab closed")
