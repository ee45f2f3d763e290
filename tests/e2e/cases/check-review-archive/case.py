"""check review ARTIFACT.zip: pictures of the report that CI kept become baselines of the checkout; archives that are damaged, or would
write elsewhere, are refused, and nothing of them is left."""
import asyncio
import io
import json
import signal
import stat
import zipfile

import websockets

import png_files
from answers import Site, page

BROWSER = "any"
BOX = "<body style='margin: 0; background: %s'><p>%s</p>"


def pack(path, parts, method=zipfile.ZIP_DEFLATED, mode=None):
    """Writes an archive of (name, bytes); the names are written as they are."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in parts:
            info = zipfile.ZipInfo("x")
            info.filename, info.compress_type = name, method
            info.external_attr = (mode or (stat.S_IFREG | 0o644)) << 16
            archive.writestr(info, content)
    return path


async def accept(url, check):
    address = url.replace("http://", "ws://").replace("/?", "/decisions?")
    origin = url.split("/?")[0]
    async with websockets.connect(address, origin=origin) as window:
        state = json.loads(await asyncio.wait_for(window.recv(), 20))
        shown = {one["id"]: one for one in state["checks"]}
        await window.send(json.dumps({"op": "accept", "checks": [
            {"id": check, "from": "open", "baseline": shown[check]["baseline"]}]}))
        return list(shown), json.loads(await asyncio.wait_for(window.recv(), 20))


def run(ctx):
    site = Site(ctx, {})
    suite = {"baseUrl": site.url + "/", "viewports": {"desktop": {"width": 300, "height": 200}},
             "checks": [{"name": name, "url": f"/{name}"} for name in ("one", "two")]}
    ctx.file("smoke.json", json.dumps(suite))
    site.answers.update({f"/{name}": page(BOX % ("red", name)) for name in ("one", "two")})
    (ctx.work / "smoke.baselines").mkdir()
    for name in ("one", "two"):
        ctx.file(f"smoke.baselines/{name}@desktop.png", png_files.page(300, 200))
    done = ctx.run(["check", "smoke.json", "--retries", "0", *ctx.browser_args()], seconds=60, complete=False)
    ctx.expect(done.exit == 1, f"exit {done.exit}: {done.text}")
    report = ctx.work / "smoke.report"
    parts = [(str(path.relative_to(report)), path.read_bytes()) for path in sorted(report.rglob("*")) if path.is_file()]
    actual = dict(parts)["images/one@desktop.actual.png"]
    baseline = ctx.work / "smoke.baselines/one@desktop.png"
    before = baseline.read_bytes()

    for name, prefix, method in (("kept.zip", "artifact/smoke.report/", zipfile.ZIP_DEFLATED), ("stored.zip", "", zipfile.ZIP_STORED)):
        baseline.write_bytes(before)
        pack(ctx.work / name, [("artifact/", b"")] + [(prefix + part, content) for part, content in parts], method)
        server = ctx.start(["check", "review", name, "--no-open"])
        shown, state = asyncio.run(accept(server.line()["url"], "one@desktop"))
        ctx.expect(sorted(shown) == ["one@desktop", "two@desktop"], f"{name}: {shown}")
        ctx.match(state, {"kind": "state", "checks": [{"id": "one@desktop", "state": "accepted"}]}, name)
        ctx.expect(baseline.read_bytes() == actual, f"{name}: the baseline is not the picture of the archive")
        origin = json.loads((ctx.work / "smoke.baselines/one@desktop.json").read_text())
        ctx.match(origin, {"width": 300, "height": 200}, "its origin")
        server.signal(signal.SIGINT)
        ended = server.wait(complete=False)
        ctx.expect(ended.stdout.decode().splitlines()[1:] == ["approved one@desktop", "1 open"], f"{name}: {ended.text}")
    check_refused(ctx, parts)


def check_refused(ctx, parts):
    whole = io.BytesIO()
    pack(whole, parts)
    whole = whole.getvalue()
    results = dict(parts)["results.json"]
    broken = bytearray(whole)
    broken[whole.index(b"results.json") + 200] ^= 0xFF
    # The size in its entry of the directory: more than a file may have.
    large = bytearray(whole)
    at = large.index(b"PK\1\2")
    while large[at + 46:at + 58] != b"results.json":
        at = large.index(b"PK\1\2", at + 4)
    large[at + 24:at + 28] = (257 << 20).to_bytes(4, "little")
    locked = bytearray(whole)
    locked[at + 8] |= 1
    cases = {
        "no archive": (b"nothing", "is no ZIP archive"),
        "half": (whole[:len(whole) // 2], "is no ZIP archive"),
        "damaged": (bytes(broken), "results.json in it is damaged"),
        "too large": (bytes(large), "is too large"),
        "encrypted": (bytes(locked), "is encrypted"),
        "no report": ([("index.html", b"x")], "has 0 files results.json"),
        "two reports": ([("a/results.json", results), ("b/results.json", results)], "has 2 files results.json"),
        "above": ([("results.json", results), ("images/../../evil.png", b"x")], "not a relative path"),
        "absolute": ([("results.json", results), ("/evil.png", b"x")], "not a relative path"),
        "drive": ([("results.json", results), ("C:evil.png", b"x")], "not a relative path"),
        "backslash": ([("results.json", results), ("..\\evil.png", b"x")], "not a relative path"),
        "twice": ([("results.json", results), ("a.png", b"x"), ("a.png", b"y")], "is in it twice"),
    }
    for name, (content, words) in cases.items():
        path = ctx.work / "bad.zip"
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            pack(path, content)
        expect_refused(ctx, name, words)
    pack(ctx.work / "bad.zip", [("results.json", b"/etc/passwd")], mode=stat.S_IFLNK | 0o777)
    expect_refused(ctx, "a link", "is a link or a device")
    (ctx.work / "bad.zip").unlink()
    expect_refused(ctx, "missing", "bad.zip")


def expect_refused(ctx, name, words):
    refused = ctx.run(["check", "review", "bad.zip", "--no-open"], complete=False)
    ctx.expect(refused.exit == 2 and words in refused.stderr and not refused.stdout,
               f"{name}: exit {refused.exit}, not \"{words}\": {refused.text}")
