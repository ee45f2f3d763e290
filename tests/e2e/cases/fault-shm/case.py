"""A /dev/shm that is too small for Chrome, as in containers: pages and pictures work nevertheless."""
import pathlib

from faults import Talk, UNTOUCHED, board, expect_shade, mount_tmpfs, private_mounts

BROWSER = "any"


def run(ctx):
    url = board(ctx, 170)
    private_mounts(ctx)
    mount_tmpfs(ctx, pathlib.Path("/dev/shm"), "64k")
    talk = Talk(ctx, screenshots="explicit")
    talk.start(url)
    talk.do(UNTOUCHED, "click", selector="#c1")
    talk.do({**UNTOUCHED, "url": url}, "screenshot", fullPage=True)
    talk.do({**UNTOUCHED, "result": 4000000}, "evaluate",
            expression="document.body.append(Object.assign(document.createElement('canvas'), "
            "{width: 4000, height: 1000})); 'x'.repeat(4000000).length")
    done = talk.end()
    ctx.expect(done.exit == 0, f"exit {done.exit}")
    expect_shade(ctx, done.picture(3), 170, "the picture")
