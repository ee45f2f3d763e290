"""An unwritable --save-dir is reported before anything runs."""
import subprocess

from faults import Skip, mount_tmpfs, private_mounts

BROWSER = "any"


def run(ctx):
    batch = ctx.batch([("start", {"url": ctx.origin + "/shop/"})])
    ctx.file("a-file", "in the way")

    def refused(path, words):
        result = ctx.run(["run", batch, "--temp-profile", "--chrome", ctx.mark_chrome(), "--save-dir", path])
        ctx.expect(result.exit == 2, f"{path}: exit {result.exit}")
        ctx.match(result.stderr, {"$regex": words}, f"{path}: stderr")
        ctx.expect(not result.responses and not ctx.marked(), f"{path}: something was run")

    refused(ctx.work / "a-file", "(?i)not a directory")
    refused(ctx.work / "a-file" / "below", "(?i)not a directory")
    refused(ctx.work / "nowhere" / "below", "(?i)no such file")
    try:
        private_mounts(ctx)
        place = mount_tmpfs(ctx, ctx.base / "read-only", "1m")
    except Skip:
        return
    subprocess.run(["mount", "-o", "remount,ro", place], check=True)
    refused(place, "(?i)read-only")
    refused(place / "below", "(?i)read-only")
