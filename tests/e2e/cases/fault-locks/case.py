"""Locks of a profile: stale ones of each kind are removed with a log entry, held ones are named."""
import os
import socket

from faults import Talk, chrome

BROWSER = "any"

DEAD = int(open("/proc/sys/kernel/pid_max").read()) + 7  # no process has it: beyond the largest pid
HERE = socket.gethostname()


def run(ctx):
    profile = ctx.base / "profile"
    lock, link = profile / "SingletonLock", profile / "SingletonSocket"
    args = ("--profile", str(profile))

    def attempt(what, exit_code):
        result = ctx.run_batch([("start", {"url": "about:blank"})], "--screenshots", "none", profile=args)
        ctx.expect(result.exit == exit_code, f"{what}: exit {result.exit}: {result.text[-600:]}")
        return result

    def cleaned(what, target, said=True):
        os.symlink(target, lock)
        result = attempt(what, 0)
        pattern = {"category": "browser", "source": "tool", "message": {"$regex": "(?i)lock"}}
        if result.responses and said:
            ctx.match(result.response(1)["logs"], {"$contains": pattern}, f"{what}: logs")
        ctx.expect(not os.path.lexists(lock), f"{what}: a lock is left after the end")

    first = attempt("no lock", 0)
    ctx.match(first.response(1)["logs"], {"$lacks": {"message": {"$regex": "(?i)lock"}}}, "no lock: logs")
    cleaned("a dead process", f"{HERE}-{DEAD}")
    # This process lives, but is not a browser: the pid was reused.
    cleaned("a living process that is no browser", f"{HERE}-{os.getpid()}")
    cleaned("nothing that a lock looks like", "garbage")
    cleaned("another host without a socket", f"elsewhere-{os.getpid()}")
    lost = ctx.base / "nobody-listens"
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(lost))
    os.symlink(lost, link)
    cleaned("another host with a dead socket", f"elsewhere-{os.getpid()}")

    lock.write_text("a file, no link")
    attempt("a file in the place of the lock", 0)

    # A process answers on the socket: a living host shares the profile.
    with socket.socket(socket.AF_UNIX) as alive:
        alive.bind(str(ctx.base / "alive"))
        alive.listen()
        os.symlink(f"elsewhere-{DEAD}", lock)
        os.symlink(ctx.base / "alive", link)
        held = attempt("another host that answers", 3)
        ctx.match(held.text, {"$regex": "PROFILE_IN_USE|in use|locked"}, "another host that answers")
        ctx.match(held.text, {"$regex": "elsewhere"}, "another host that answers")
        ctx.expect(os.path.lexists(lock), "the lock of a living host was removed")
    lock.unlink()
    link.unlink()

    # Held by a browser on this machine, which is not disturbed.
    talk = Talk(ctx, profile=args)
    talk.start("about:blank")
    ctx.expect(chrome(ctx), "there is no browser")
    pids = "|".join(map(str, chrome(ctx)))  # of the headless shell two: the first is a script
    held = attempt("a browser that lives here", 3)
    ctx.match(held.text, {"$regex": rf"\b({pids})\b"}, "the process is named")
    ctx.match(held.text, {"$regex": "--temp-profile"}, "what to do is said")
    ctx.match(held.text, {"$regex": "--project"}, "what to do is said")
    for response in held.responses:
        ctx.match(response, {"success": False, "errorCode": "PROFILE_IN_USE"}, "held")
    talk.do({"success": True, "result": 2}, "evaluate", "the holder goes on", expression="1 + 1")
    talk.end()
