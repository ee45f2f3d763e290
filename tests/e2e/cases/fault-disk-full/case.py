"""The profile's file system is full, or read-only: the page works, or an error says why not."""
import shutil
import subprocess

from faults import Talk, board, fill, mount_tmpfs, private_mounts

BROWSER = "any"


def run(ctx):
    url = board(ctx, 160)
    private_mounts(ctx)

    # Full from the start.
    full = mount_tmpfs(ctx, ctx.base / "full", "1m")
    fill(full)
    cannot(ctx, full, "full from the start", r"(?i)no space left|disk is full")

    # Full later: the page's work needs no disk.
    small = mount_tmpfs(ctx, ctx.base / "small", "48m")
    talk = Talk(ctx, profile=("--profile", small / "profile"))
    talk.start(url)
    filled = fill(small)
    talk.do({"success": True}, "click", "disk full", selector="#c1")
    talk.do({"success": True, "url": board(ctx, 20)}, "navigate", "disk full", url=board(ctx, 20))
    talk.do({}, "evaluate", "disk full", expression="localStorage.setItem('a', 'b'); document.title")
    filled.unlink()
    talk.do({"success": True, "result": "Board 20"}, "evaluate", "room again", expression="document.title")
    talk.end()
    # The profile has survived.
    again = ctx.run_batch([("start", {"url": url})], profile=("--profile", small / "profile"))
    ctx.expect(again.exit == 0, f"the profile afterwards: exit {again.exit}: {again.text[-500:]}")

    # Read-only, new and used before.
    for name, used in (("read-only-new", False), ("read-only-used", True)):
        place = mount_tmpfs(ctx, ctx.base / name, "48m")
        if used:
            shutil.copytree(small / "profile", place / "profile", symlinks=True)
        subprocess.run(["mount", "-o", "remount,ro", place], check=True)
        cannot(ctx, place, name, r"(?i)read-only|not writable|cannot (write|create)")


def cannot(ctx, place, what, words):
    result = ctx.run_batch([("start", {"url": board(ctx)})], profile=("--profile", place / "profile"))
    ctx.expect(result.exit == 3, f"{what}: exit {result.exit}: {result.text[-500:]}")
    ctx.match(result.text, {"$regex": words}, what)
    ctx.match(result.text, {"$regex": str(place)}, what)
