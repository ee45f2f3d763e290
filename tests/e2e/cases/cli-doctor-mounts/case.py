"""doctor tries what it calls ok: a read-only /dev/shm, and a place for profiles that cannot be written to."""
import pathlib

from faults import mount_tmpfs, private_mounts

BROWSER = "any"


def run(ctx):
    chrome = ["--chrome", ctx.options.chrome] if ctx.options.chrome else []
    private_mounts(ctx)
    mount_tmpfs(ctx, pathlib.Path("/dev/shm"), "64k", "ro")
    shown = ctx.run(["doctor", "--temp-profile", *chrome])
    ctx.match(shown.stdout.decode(), {"$regex": "(?m)^warn +shared memory +/dev/shm is missing or cannot be written"}, "/dev/shm")
    ctx.expect(shown.exit == 0, f"Chrome works without it: exit {shown.exit}: {shown.text[-400:]}")
    closed = mount_tmpfs(ctx, ctx.work / "closed", "64k", "ro")
    shown = ctx.run(["doctor", "--profile", str(closed / "one" / "two"), *chrome])
    ctx.match(shown.stdout.decode(), {"$regex": rf"(?m)^FAIL +profile +{closed} cannot be written to"}, "the profile")
    ctx.expect(shown.exit == 3, f"exit {shown.exit}")
