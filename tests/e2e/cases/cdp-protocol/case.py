"""/json/protocol is kept for the next server: by version, for its owner alone, and only what is whole."""
import asyncio
import json
import os
import stat

from endpoint import endpoint

# What no Chrome says: it came from the file.
KEPT = json.dumps({"version": {"major": "1", "minor": "3"}, "domains": [{"domain": "Kept"}]})


def domains(served):
    return [domain["domain"] for domain in served.ask("/json/protocol")["domains"]]


def run(ctx):
    folder = ctx.base / "cache" / "browser-runner"
    with endpoint(ctx) as served:
        asyncio.run(beside(ctx, served))
        ctx.expect(served.ask("/json/protocol") == served.ask("/json/protocol/"), "the second answer differs")
    files = list(folder.iterdir())
    ctx.expect(len(files) == 1 and "protocol-Chrome-" in files[0].name, f"files: {files}")
    kept = files[0]
    whole = kept.read_text()
    ctx.expect(stat.S_IMODE(kept.stat().st_mode) == 0o600, f"mode {kept.stat().st_mode:o}")
    ctx.expect(stat.S_IMODE(folder.stat().st_mode) == 0o700, f"mode {folder.stat().st_mode:o}")

    def again(what, expected):
        with endpoint(ctx) as served:
            ctx.expect(("Kept" in domains(served)) == expected, f"{what}: from the file is not {expected}")
        ctx.expect(expected or kept.read_text() == whole, f"{what}: it was not written anew")

    kept.write_text(KEPT)
    again("as it was written", True)
    kept.write_text(whole[:len(whole) // 2])
    again("half of it", False)
    kept.write_text("{}")
    again("another object", False)
    kept.write_text(KEPT)
    kept.chmod(0o666)
    again("one that others may write", False)
    (ctx.work / "other.json").write_text(KEPT)
    kept.unlink()
    kept.symlink_to(ctx.work / "other.json")
    again("a link", False)
    ctx.expect(kept.is_symlink() is False, "the link is still there")
    kept.rename(folder / "protocol-Chrome-1.0.0.0-x.json")
    (folder / "protocol-Chrome-1.0.0.0-x.json").write_text(KEPT)
    again("of another version", False)
    ctx.environment["XDG_CACHE_HOME"] = "/proc/none"
    kept.write_text(KEPT)
    with endpoint(ctx) as served:
        ctx.expect("Page" in domains(served), "without a place for it")
    del ctx.environment["XDG_CACHE_HOME"]
    with endpoint(ctx) as served:
        ctx.expect("Page" in domains(served), "in ~/.cache")
    ctx.expect(os.listdir(ctx.base / "home" / ".cache" / "browser-runner") == [kept.name], "~/.cache")


async def beside(ctx, served):
    """Several ask at once, and a client connects meanwhile."""
    def ask():
        return len(domains(served))
    asked = [asyncio.get_running_loop().run_in_executor(None, ask) for _ in range(3)]
    async with served.client() as client:
        await client.call("Browser.getVersion")
    found = await asyncio.gather(*asked)
    ctx.expect(len(set(found)) == 1 and found[0] > 40, f"domains: {found}")
