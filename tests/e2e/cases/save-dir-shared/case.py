"""--save-dir of runs at the same time: no picture is lost, and those of an earlier run are replaced."""
import os
import subprocess

from processes import SLOWNESS, TIMEOUT

BROWSER = "any"


def run(ctx):
    folder = ctx.base / "pictures"
    folder.mkdir()
    old = folder / "0001-start-post.jpg"
    old.write_bytes(b"an earlier run")
    os.utime(old, (1, 1))
    batch = ctx.batch([("start", {"url": ctx.origin + "/shop/"}), ("screenshot", {"format": "png"})])
    args = [ctx.options.binary, "run", batch, "--temp-profile", "--screenshots", "post", "--viewport", "320x200",
            *TIMEOUT, "--save-dir", folder, *ctx.browser_args()]

    def run_at_once(count):
        runs = [subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=ctx.environment)
                for _ in range(count)]
        for one in runs:
            ctx.expect(one.wait(60 * SLOWNESS) == 0, f"exit {one.returncode}")

    run_at_once(3)
    names = sorted(path.name for path in folder.iterdir())
    wanted = sorted(f"{stem}{number}.{kind}" for number in ("", "-2", "-3")
                    for stem, kind in (("0001-start-post", "jpg"), ("0002-screenshot-post", "png")))
    ctx.expect(names == wanted, f"the files: {names}")
    begins = {path.name: path.read_bytes()[:2] for path in folder.iterdir()}
    ctx.expect(set(begins.values()) == {b"\xff\xd8", b"\x89P"}, f"they begin with {begins}")
    run_at_once(1)
    ctx.expect(sorted(path.name for path in folder.iterdir()) == wanted, "a later run replaces")

    # With no environment there is no HOME, and a temporary profile needs none.
    chrome = ["--chrome", ctx.options.chrome] if ctx.options.chrome else []
    bare = subprocess.run([ctx.options.binary, "doctor", "--temp-profile", *chrome], capture_output=True, text=True,
                          env={"TMPDIR": ctx.environment["TMPDIR"]}, timeout=60, check=False)
    ctx.expect(bare.returncode == 0 and "FAIL" not in bare.stdout, f"doctor: {bare.returncode}: {bare.stdout}")
