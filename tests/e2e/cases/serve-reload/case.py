"""SIGHUP reads the file of --access-file again; a mistake in it changes nothing; who is connected stays."""
import asyncio
import os
import signal

import processes
from endpoint import fetch
from faults import until
from harness import Skip
from processes import SLOWNESS
from served import ask, websockets
from serviced import Manager, ended

BROWSER = "any"
ORIGIN = "https://app.example"


def run(ctx):
    if not websockets:
        raise Skip("python3-websockets is not installed")
    without_file(ctx)
    asyncio.run(with_file(ctx))
    at_the_start(ctx)


def without_file(ctx):
    with Manager(ctx) as manager:
        port = manager.listen("debug-bridge")
        process = manager.start("--debug-bridge")
        manager.hear()
        status = manager.reload(process)
        ctx.expect("the last reload failed" in status, status)
        ctx.expect(fetch(f"http://127.0.0.1:{port}/health")[0] == 200, "it has ended")
        process.signal(signal.SIGTERM)
        error = ended(ctx, process)
        ctx.expect("SIGHUP: there is no file to read again" in error and "--access-file FILE" in error, error)


def write(path, text, mode=0o600):
    new = path.with_suffix(".new")
    new.write_text(text)
    new.chmod(mode)
    os.replace(new, path)


async def status_of(url, token=None, origin=None):
    """Of a handshake."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    headers.update({"Origin": origin} if origin else {})
    try:
        async with websockets.connect(url, extra_headers=headers, open_timeout=20 * SLOWNESS):
            return 101
    except websockets.exceptions.InvalidStatusCode as error:
        return error.status_code


async def with_file(ctx):
    path = ctx.work / "access"
    write(path, "# first\ntoken one\n")
    with Manager(ctx) as manager:
        for name in ("actions", "cdp", "debug-bridge"):
            manager.listen(name)
        process = manager.start("--actions", "--cdp", "--debug-bridge", "--temp-profile", "--screenshots", "none",
                                "--access-file", path, *ctx.browser_args(), BROWSER_RUNNER_TOKEN="unused")
        urls = {}
        while len(urls) < 3:
            line = process.line()
            urls[line["server"]] = line["url"]
        manager.hear()
        actions, cdp = urls["actions"], urls["cdp"].replace("http:", "ws:") + "/devtools/browser/x"
        ctx.expect(await status_of(actions, "unused") == 401, "the token of the environment")
        async with websockets.connect(actions, extra_headers={"Authorization": "Bearer one"}) as client:
            await client.recv()
            ctx.match(await ask(client, type="start", url=ctx.origin + "/"), {"success": True}, "before")
            chromes = [pid for pid in processes.naming(str(ctx.base)) if b"--user-data-dir" in processes.read(pid, "cmdline")]
            told = [pid for pid in chromes if b"BROWSER_RUNNER_TOKEN" in processes.read(pid, "environ")]
            ctx.expect(chromes and not told, f"processes of Chrome that have the token: {told} of {chromes}")

            write(path, f"token two\r\ntoken three\nallow-origin {ORIGIN}\nallow-host box.internal\n")
            status = manager.reload(process)
            ctx.expect(status == "serving actions, cdp, debug-bridge", status)
            for url in (actions, cdp):
                for token, origin, expected in (("one", None, 401), (None, None, 401), ("two", None, 101), ("three", None, 101),
                                                ("two", ORIGIN, 101), ("two", "https://other.example", 403)):
                    found = await status_of(url, token, origin)
                    ctx.expect(found == expected, f"{url} with {token} {origin}: {found}")
            ctx.match(await ask(client, type="evaluate", expression="6 * 7"), {"result": 42}, "a client of before")
            status, _, text = fetch(urls["cdp"] + "/json/version?token=two", Host="box.internal:1")
            ctx.expect(status == 200 and "?token=two" in text, f"/json/version: {status} {text}")

            for text, mode, words in (
                    ("token four\nallow-origin app.example\n", 0o600, ("line 2: allow-origin: this is not the origin", "https://")),
                    ("S3CRET\n", 0o600, ("line 1: the first word of the line is not a rule", "begin it with token")),
                    ("token four\n", 0o644, ("mode is 0644", "chmod 600")),
                    ("allow-host box.internal\n", 0o600, ("no longer has a token", "add one")),
                    ("", 0o600, ("no longer has a token",)),
                    (None, 0, ("access",))):
                if text is None:
                    path.unlink()
                else:
                    write(path, text, mode)
                del process.stderr[:]
                status = manager.reload(process)
                until(lambda: b"who may connect stays as it was" in process.stderr, f"an error for {text}")
                error = process.stderr.decode()
                ctx.expect("the last reload failed" in status, f"{text}: {status}")
                for word in words:
                    ctx.expect(word in error, f"{text}: no {word} in {error}")
                ctx.expect("S3CRET" not in error, "the log has what may be a token")
                found = [await status_of(actions, token) for token in ("two", "four")]
                ctx.expect(found == [101, 401], f"{text}: {found}")
            write(path, "token five\n")
            status = manager.reload(process)
            found = [await status_of(actions, token) for token in ("two", "five")]
            ctx.expect("failed" not in status and found == [401, 101], f"mended: {status} {found}")
            ctx.match(await ask(client, type="evaluate", expression="7 * 7"), {"result": 49}, "at last")
        process.signal(signal.SIGTERM)
        ended(ctx, process)


def at_the_start(ctx):
    path = ctx.work / "access"
    for text, words in (("token one two\n", ("--access-file", "line 1: token: a token has no spaces")),
                        (None, ("--access-file", "access"))):
        path.unlink(missing_ok=True)
        if text:
            write(path, text)
        done = ctx.run(["serve", "--debug-bridge=0", "--access-file", path])
        ctx.expect(done.exit == 2 and all(word in done.stderr for word in words), f"{text}: {done.exit} {done.stderr}")
    if os.geteuid() == 0:
        write(path, "token one\n")
        os.chown(path, 1, 1)
        done = ctx.run(["serve", "--debug-bridge=0", "--access-file", path])
        ctx.expect(done.exit == 2 and "belongs to another user" in done.stderr, f"another's file: {done.exit} {done.stderr}")
    for option, words in (("--allow-origin=https://app.example/", "as browsers send it"), ("--allow-host=box:80", "without a scheme")):
        done = ctx.run(["serve", "--debug-bridge=0", option])
        ctx.expect(done.exit == 2 and words in done.stderr, f"{option}: {done.exit} {done.stderr}")
