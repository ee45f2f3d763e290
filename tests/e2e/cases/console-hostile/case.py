"""A page with output that harms terminals, values that fail when they are read, and floods: its console is printed
harmlessly."""
import re
import signal

import processes

BROWSER = "any"


# C0 except newline and tab, DEL, C1, line separators and direction marks.
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f]")
TIME_LIMIT = 120


def run(ctx):
    printed(ctx, "text")
    printed(ctx, "json", "--json")


def printed(ctx, name, *form):
    output = ctx.work / f"console.{name}"
    process = ctx.start(["console", ctx.origin + "/case/hostile.html", "--temp-profile", "--output", str(output), *form,
                         *ctx.browser_args()])
    left = processes.wait_until_gone(
        lambda: [] if output.exists() and "after all" in output.read_text(errors="replace")[-20000:] else ["after all"], 60)
    process.signal(signal.SIGTERM)
    code = process.popen.wait(30)
    text = output.read_text(errors="surrogateescape")
    ctx.expect(not left and code == 0, f"{name}: it ended with {code}, {left} is missing; {process.stderr.decode()[-600:]}")
    for what, said in (("the output", text), ("stderr", process.stderr.decode(errors="surrogateescape"))):
        found = HARMFUL.search(said)
        ctx.expect(not found, f"{what} as {name}: {found and said[max(0, found.start() - 60):found.end() + 60]!a}")
    missing = [word for word in ("circle", "getter", "proxy", "deep", "wide", "long", "surrogate", "burst") if word not in text]
    ctx.expect(not missing, f"{name}: {missing} were not printed")
    ctx.expect(len(text) < 32 << 20, f"{name}: {len(text)} bytes were written")
