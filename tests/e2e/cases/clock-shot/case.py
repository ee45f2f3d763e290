"""shot --clock virtual: the same bytes each time of a page that never rests, the time that was asked for, and refusals."""
import contextlib
import subprocess

from png_files import Pixels
from processes import SLOWNESS

BLUE, WHITE, RED, GREEN = (0, 0, 255), (255, 255, 255), (255, 0, 0), (0, 128, 0)


def run(ctx):
    url = restless(ctx)
    times(ctx, url, *same_picture(ctx))
    waits(ctx, url)
    refusals(ctx, url)


def restless(ctx):
    return f"{ctx.origin}/e2e/clock/restless.html"


def shot(ctx, url, name, *args):
    ran = ctx.run(["shot", url, "-o", name, "--temp-profile", "--no-sandbox", "--clock", "virtual", *args])
    ctx.expect(ran.exit == 0, f"{args}: exit {ran.exit}: {ran.stderr[-400:]}")
    return (ctx.work / name).read_bytes(), ran


@contextlib.contextmanager
def busy_processes(count):
    busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def same_picture(ctx, busy=(0, 0, 0), shots=1):
    """Beside busy processes as alone, to the last byte: the viewport, the whole page, and another moment. Returns the
    pictures.

    In the gate the other cases keep the processors busy; clock-busy (long) has four busy processes for each."""
    pictures = []
    for what, count in zip(([], ["--full-page", "--viewport", "390x300@2"], ["--at", "700"]), busy):
        quiet, _ = shot(ctx, restless(ctx), "quiet.png", *what)
        with busy_processes(count):
            shown = [shot(ctx, restless(ctx), f"busy-{index}.png", *what)[0] for index in range(shots)]
        ctx.expect(shown == [quiet] * shots, f"{what}: equal: {[one == quiet for one in shown]}")
        pictures.append(quiet)
    return pictures


def times(ctx, url, ended, _, at_700):
    """At 500 ms half of an animation of 1 s has passed, less the time until the first frame; a timer of 600 ms fires between 500 and 700 ms."""
    at_500, _ = shot(ctx, url, "at-500.png", "--at", "500")
    for at, picture, right, late in ((500, at_500, 200, RED), (700, at_700, 280, GREEN)):
        pixels = Pixels(picture)
        found = [pixels.at(right - 30, 110), pixels.at(right + 5, 110), pixels.at(50, 150)]
        ctx.expect(found == [BLUE, WHITE, late], f"at {at} ms: {found}")
    pixels = Pixels(ended)
    found = [pixels.at(395, 110), pixels.at(50, 150)]
    ctx.expect(found == [BLUE, GREEN], f"without --at what ends has not ended: {found}")


def waits(ctx, url):
    """Half a minute of the page's time is short, and waiting for an element, which comes before it, advances the time."""
    _, ran = shot(ctx, url, "later.png", "--wait-for", "#late[style*=green]", "--delay", "30000", "--timeout", "25000")
    ctx.expect(ran.seconds < 20 * SLOWNESS, f"30 s of virtual time took {ran.seconds:.1f} s")


def refusals(ctx, url):
    chrome = ctx.mark_chrome()
    for args, code, words in (
            (["--clock", "virtual", "--chrome", str(chrome)], 3, "chromium-headless-shell"),
            (["--clock", "virtual", "--headed"], 2, "remove --headed"),
            (["--clock", "virtual", "--connect", "http://127.0.0.1:1"], 2, "remove --connect"),
            (["--clock", "slow"], 2, "virtual"),
            (["--at", "500"], 2, "add --clock virtual")):
        ran = ctx.run(["shot", url, "-o", "no.png", "--temp-profile", *args], complete=False)
        ctx.expect(ran.exit == code and words in ran.stderr, f"{args}: exit {ran.exit}, not {code}: {ran.stderr}")
    ctx.expect(not ctx.marked(), "a browser that cannot do it was started")
    ran = ctx.run(["shot", url, "-o", "no.png", "--temp-profile", "--no-sandbox", "--clock", "virtual", "--delay", "2000", "--at", "500"],
                  complete=False)
    ctx.expect(ran.exit == 1 and "old already" in ran.stderr, f"a time that has passed: exit {ran.exit}: {ran.stderr}")
