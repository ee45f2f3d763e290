"""--log-level: messages of pages and actions on stderr, coloured on a terminal, and never interpreted by it."""
import os
import pty
import re
import subprocess

BROWSER = "shared"
LEVELS = ["error", "warning", "info", "debug", "verbose"]
COLORS = {"error": 31, "warning": 33, "info": 34, "debug": 32, "verbose": 32}
PROGRESS_END = "\r\x1b[K"  # removes the progress line
LINE = re.compile(r"browser:(error|warning|info|debug|verbose) ")


def levels_of(text):
    return [match[1] for line in text.splitlines() if (match := LINE.match(line))]


def on_terminal(ctx, args, **environment):
    """Returns stderr of a run on a terminal; stdout goes to a file. Progress gets separate lines."""
    leader, follower = pty.openpty()
    with open(ctx.work / "stdout", "wb") as stdout:
        process = subprocess.Popen([ctx.options.binary, *map(str, args)], stdin=subprocess.DEVNULL,
                                   stdout=stdout, stderr=follower, cwd=ctx.work,
                                   env={**ctx.environment, **environment})
    ctx.known.add(process.pid)
    os.close(follower)
    text = b""
    try:
        while block := os.read(leader, 65536):
            text += block
    except OSError:  # EIO: the other side is closed
        pass
    os.close(leader)
    process.wait(60)
    return text.decode().replace("\r\n", "\n").replace(PROGRESS_END, "\n"), (ctx.work / "stdout").read_bytes()


def run(ctx):
    batch = ctx.batch([("start", {"url": ctx.origin + "/case/talk.html"}),
                       ("click", {"selector": "#nowhere", "timeout": 500})])
    args = ["run", batch, *ctx.usual_args(), "--screenshots", "none"]

    quiet = ctx.run(args)
    ctx.expect("browser:" not in quiet.stderr, f"unasked: {quiet.stderr}")
    for level in ("error", "info", "none"):
        ran = ctx.run([*args, "--log-level", level])
        allowed = LEVELS[:LEVELS.index(level) + 1] if level != "none" else []
        got = levels_of(ran.stderr)
        ctx.expect(b"browser:" not in ran.stdout.replace(b"browser:error [console] forged", b""),
                   f"{level}: on stdout")
        ctx.expect(set(got) <= set(allowed), f"{level}: {got}")
        ctx.expect(ran.exit == 1, f"{level}: exit {ran.exit}")
        if level != "none":
            ctx.match(ran.stderr, {"$regex": r"(?m)^browser:error \[console\] bad \(http://.*/case/talk\.html:\d+:\d+\)$"},
                      level)
            ctx.match(ran.stderr, {"$regex": r"(?m)^browser:error click: TARGET_NOT_FOUND: .*#nowhere"}, level)
    lines = ran_lines(ctx, args)
    ctx.expect(any(line.startswith(r"browser:info [console] plain\nbrowser:error [console] forged") for line in lines),
               f"a newline ends a log: {lines}")
    ctx.expect(any(r"careful \u{1b}[2J\u{1b}]0;taken\u{7} \u{9b}31m \u{202e}" in line for line in lines),
               f"not harmless: {lines}")
    check_terminal(ctx, args)
    check_shot(ctx)
    wrong = ctx.run(["run", batch, "--log-level", "warn", "--chrome", ctx.mark_chrome()])
    ctx.expect(wrong.exit == 2 and not ctx.marked(), f"--log-level warn: exit {wrong.exit}")
    ctx.match(wrong.stderr, {"$regex": r'"warn" (.|\n)*known are: error, warning'}, "--log-level warn")


def ran_lines(ctx, args):
    lines = ctx.run([*args, "--log-level", "verbose"]).stderr.splitlines()
    strange = [line for line in lines if not re.match(r"browser(-runner)?:", line)]
    ctx.expect(not strange, f"lines without a prefix: {strange}")
    return lines


def check_terminal(ctx, args):
    text, stdout = on_terminal(ctx, [*args, "--log-level", "verbose"])
    for level in ("error", "warning", "info", "debug"):
        ctx.expect(f"\x1b[{COLORS[level]}mbrowser:{level}\x1b[0m " in text, f"{level} is not coloured: {text!r}")
    rest = re.sub(r"\x1b\[3[1-4]mbrowser:\w+\x1b\[0m ", "", text)
    ctx.expect("\x1b" not in rest and "\x9b" not in rest and "\x07" not in rest, f"escape sequences: {rest!r}")
    ctx.expect(stdout.endswith(b"\n") and b"\x1b" not in stdout, "stdout is not the answers alone")

    text, _ = on_terminal(ctx, args)
    ctx.expect("browser:error" in text and "browser:warning" not in text, f"the default at a terminal: {text!r}")
    text, _ = on_terminal(ctx, [*args, "--log-level", "info"], NO_COLOR="1")
    ctx.expect(levels_of(text).count("error") >= 2 and "\x1b" not in text, f"NO_COLOR: {text!r}")
    text, _ = on_terminal(ctx, [*args, "--log-level", "none"])
    ctx.expect("browser:error" not in text, f"none at a terminal: {text!r}")


def check_shot(ctx):
    shot = ctx.run(["shot", ctx.origin + "/case/talk.html", "--temp-profile", "-o", "talk.jpg", "--log-level", "warning",
                    *ctx.browser_args()])
    ctx.expect(shot.exit == 0 and shot.stdout == b"", f"shot: exit {shot.exit}, {shot.stdout[:80]}")
    ctx.match(shot.stderr, {"$regex": r"(?m)^browser:error \[console\] bad "}, "shot: stderr")
