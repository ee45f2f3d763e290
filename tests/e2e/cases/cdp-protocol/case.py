"""/json/protocol is kept for the next server: by version, for its owner alone, and only what is whole."""
import asyncio
import json
import stat

from endpoint import endpoint

BROWSER = "any"

# What no Chrome says: it came from the file.
KEPT = json.dumps({"version": {"major": "1", "minor": "3"}, "domains": [{"domain": "Kept"}]})


def domains(served):
    return [domain["domain"] for domain in served.ask("/json/protocol")["domains"]]


def run(ctx):
    kept = check_first(ctx)
    whole = kept.read_text()
    check_refused(ctx, kept, whole)
    kept.write_text(KEPT)
    with endpoint(ctx) as served:
        ctx.expect("Kept" in domains(served), "what is kept is not used")
    ctx.environment["XDG_CACHE_HOME"] = "/proc/none"
    with endpoint(ctx) as served:
        ctx.expect("Page" in domains(served), "without a place for it")


def check_first(ctx):
    """Nothing is kept yet. Returns the file, which is in the cache of the home directory, moved to XDG_CACHE_HOME."""
    cache = ctx.environment.pop("XDG_CACHE_HOME")
    with endpoint(ctx) as served:
        asyncio.run(beside(ctx, served))
        ctx.expect(served.ask("/json/protocol") == served.ask("/json/protocol/"), "the second answer differs")
    folder = ctx.base / "home" / ".cache" / "browser-runner"
    files = list(folder.iterdir())
    ctx.expect(len(files) == 1 and "Chrome-" in files[0].name and files[0].name.startswith("protocol-"), f"files: {files}")
    ctx.expect(stat.S_IMODE(files[0].stat().st_mode) == 0o600, f"mode {files[0].stat().st_mode:o}")
    ctx.expect(stat.S_IMODE(folder.stat().st_mode) == 0o700, f"mode {folder.stat().st_mode:o}")
    folder.parent.rename(cache)
    ctx.environment["XDG_CACHE_HOME"] = cache
    return ctx.base / "cache" / "browser-runner" / files[0].name


def check_refused(ctx, kept, whole):
    """What is not read from the file is asked of a second browser. As long as that one does not start, there is no answer,
    and a server asks again each time."""
    shell = "headless-shell" if ctx.options.chrome else "chrome"
    program, barrier = ctx.work / f"{shell}-that-may-fail", ctx.work / "barrier"
    program.write_text(f"""#!/bin/sh
case "$*" in *--remote-debugging-port=0*) [ -e '{barrier}' ] && exit 1;; esac
exec '{ctx.options.chrome or "/usr/bin/chromium"}' "$@"
""")
    program.chmod(0o755)
    barrier.touch()
    usual, ctx.options.chrome = ctx.options.chrome, str(program)
    with endpoint(ctx) as served:
        def refused(what):
            status, _, text = served.fetch("/json/protocol")
            ctx.expect(status >= 500 and "did not open its port" in text, f"{what}: {status} {text[:300]}")

        kept.write_text(whole[:len(whole) // 2])
        refused("half of it")
        kept.write_text("{}")
        refused("another object")
        kept.write_text(KEPT)
        kept.chmod(0o666)
        refused("one that others may write")
        kept.rename(kept.with_name("protocol-Chrome-1.0.0.0-x.json"))
        kept.with_name("protocol-Chrome-1.0.0.0-x.json").chmod(0o600)
        refused("of another version")
        (ctx.work / "other.json").write_text(KEPT)
        kept.symlink_to(ctx.work / "other.json")
        refused("a link")
        barrier.unlink()
        ctx.expect("Page" in domains(served), "the second browser is not asked")
    ctx.options.chrome = usual
    ctx.expect(not kept.is_symlink() and kept.read_text() == whole, "it was not written anew in the place of the link")
    ctx.expect((ctx.work / "other.json").read_text() == KEPT, "it was written to where the link leads")


async def beside(ctx, served):
    """Several ask at once, and a client connects meanwhile."""
    def ask():
        return len(domains(served))
    asked = [asyncio.get_running_loop().run_in_executor(None, ask) for _ in range(3)]
    async with served.client() as client:
        await client.call("Browser.getVersion")
    found = await asyncio.gather(*asked)
    ctx.expect(len(set(found)) == 1 and found[0] > 40, f"domains: {found}")
