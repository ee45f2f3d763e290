"""Closed standard descriptors, an ignored SIGHUP, help for unknown commands, profiles removed and unlocked."""
import os
import signal
import socket
import subprocess
import time

BROWSER = "any"


def shell(ctx, redirection, *args, seconds=20):
    """Returns (exit code, stdout, stderr, seconds) of the program with descriptors as a shell sets them."""
    began = time.monotonic()
    process = subprocess.Popen(["/bin/sh", "-c", f'exec "$0" "$@" {redirection}', ctx.options.binary,
                                *map(str, args)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, cwd=ctx.work, env=ctx.environment)
    ctx.known.add(process.pid)
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        ctx.problem(f"with {redirection}: still running after {seconds} s")
        return None, b"", b"", seconds
    return process.returncode, out, err, time.monotonic() - began


def descriptors(ctx):
    code, out, err, seconds = shell(ctx, "<&-", "run", "--temp-profile", "-", *ctx.browser_args())
    ctx.expect(code == 2, f"stdin closed: exit {code}: {err[-300:]}")
    ctx.expect(err, "stdin closed: nothing on stderr")

    batch = ctx.batch([("start", {"url": "about:blank"}), ("evaluate", {"expression": "1"})], "closed.xml")
    run = ["run", batch, "--temp-profile", "--screenshots", "none", *ctx.browser_args()]
    code, out, err, seconds = shell(ctx, ">&-", *run)
    ctx.expect(code not in (0, None), f"stdout closed: exit {code}, though every answer was lost")
    ctx.expect(err, "stdout closed: nothing on stderr")
    ctx.expect(b"Sanitizer" not in err, f"stdout closed: {err[-800:]}")
    code, out, err, seconds = shell(ctx, "2>&-", *run)
    ctx.expect(code == 0 and out.count(b'"kind":"response"') == 2, f"stderr closed: exit {code}: {out[-300:]}")
    code, out, err, seconds = shell(ctx, ">&-", "--version")
    ctx.expect(code not in (0, None), f"--version with stdout closed: exit {code}")


def hang_up(ctx, is_ignored):
    def prepare():
        signal.signal(signal.SIGHUP, signal.SIG_IGN if is_ignored else signal.SIG_DFL)
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *ctx.browser_args()],
                     preexec_fn=prepare)
    talk.send("<batch><browser_action><type>start</type><url>about:blank</url></browser_action>")
    ctx.match(talk.line(30), {"success": True}, "start")
    talk.signal(signal.SIGHUP)
    if is_ignored:
        time.sleep(0.3)
        talk.send("<browser_action><type>evaluate</type><expression>1 + 1</expression></browser_action></batch>")
        ctx.match(talk.line(), {"success": True, "result": 2}, "after a SIGHUP that is ignored")
        talk.close_stdin()
        done = talk.wait()
        ctx.expect(done.exit == 0, f"SIGHUP ignored: exit {done.exit}")
    else:
        done = talk.wait(10, complete=False)
        ctx.expect(done.exit == 130, f"SIGHUP: exit {done.exit}")


def help_for_nothing(ctx):
    bogus = ctx.run(["help", "bogus"])
    ctx.expect(bogus.exit == 2 and "bogus" in bogus.stderr and not bogus.stdout,
               f"help bogus: exit {bogus.exit}: {bogus.text[-300:]}")
    known = ctx.run(["help", "run"])
    ctx.expect(known.exit == 0 and b"--save-dir" in known.stdout, f"help run: exit {known.exit}")


def profiles(ctx):
    name, steps = "filled", [("start", {"url": "about:blank"})]
    project = ctx.config / "browser-runner" / "projects" / name
    browser = project / "browser"
    profile = ("--project", name)
    ctx.expect(ctx.run_batch(steps, profile=profile).exit == 0, "the first run failed")
    # The lock of a browser on another host that answers on its socket.
    with socket.socket(socket.AF_UNIX) as answering:
        answering.bind(str(ctx.base / "answering"))
        answering.listen()
        os.symlink("some-other-host-4711", browser / "SingletonLock")
        os.symlink(ctx.base / "answering", browser / "SingletonSocket")
        refused = ctx.run_batch(steps, profile=profile)
        ctx.expect(refused.exit == 3, f"a lock of another host: exit {refused.exit}")
    unlocked = ctx.run(["profile", "unlock", name])
    ctx.expect(unlocked.exit == 0, f"unlock: exit {unlocked.exit}: {unlocked.text[-300:]}")
    ctx.expect(not os.path.lexists(browser / "SingletonLock"), "unlock left the lock")
    ctx.expect(ctx.run_batch(steps, profile=profile).exit == 0, "the run after unlock failed")

    # A profile in use is neither unlocked nor removed.
    talk = ctx.start(["run", "-", *profile, "--screenshots", "none", *ctx.browser_args()])
    talk.send("<batch><browser_action><type>start</type><url>about:blank</url></browser_action>")
    ctx.match(talk.line(30), {"success": True}, "start")
    is_locked = os.path.lexists(browser / "SingletonLock")
    ctx.expect(is_locked or ctx.options.chrome, "Chrome has no lock")  # the headless shell has none
    for verb in ("unlock", "remove"):
        done = ctx.run(["profile", verb, name])
        ctx.expect(done.exit != 0 and done.stderr, f"{verb} of a profile in use: exit {done.exit}")
    ctx.expect(os.path.lexists(browser / "SingletonLock") == is_locked, "the lock of a running browser is gone")
    talk.send("<browser_action><type>evaluate</type><expression>1 + 1</expression></browser_action></batch>")
    ctx.match(talk.line(), {"success": True, "result": 2}, "the run that was to lose its profile")
    talk.close_stdin()
    talk.wait()

    removed = ctx.run(["profile", "remove", name])
    ctx.expect(removed.exit == 0, f"remove: exit {removed.exit}: {removed.text[-300:]}")
    ctx.expect(not browser.exists(), "remove left the profile")
    ctx.expect(name.encode() not in ctx.run(["profile", "list"]).stdout, "list still has it")
    for verb in ("remove", "unlock"):
        wrong = ctx.run(["profile", verb, "../filled"])
        ctx.expect(wrong.exit != 0, f"{verb} ../filled: exit {wrong.exit}")
        nameless = ctx.run(["profile", verb])
        ctx.expect(nameless.exit == 2, f"{verb} without a name: exit {nameless.exit}")
    missing = ctx.run(["profile", "remove", name])
    ctx.expect(missing.exit != 0 and missing.stderr, f"remove of what is not there: exit {missing.exit}")
    ctx.expect(ctx.run_batch(steps, profile=profile).exit == 0, "the run after remove failed")


def run(ctx):
    descriptors(ctx)
    hang_up(ctx, True)
    hang_up(ctx, False)
    help_for_nothing(ctx)
    profiles(ctx)
