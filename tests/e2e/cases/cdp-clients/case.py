"""Clients of npm, unmodified, at one endpoint: Puppeteer, Playwright and chrome-remote-interface, one by one and all at
once, with a session of ours in the same browser."""
import concurrent.futures
import pathlib

from endpoint import endpoint, node

HERE = pathlib.Path(__file__).parent
PAGE = ["went", "Ann", 42]
SAME = {"page": PAGE, "png": "PNG", "pdf": "%PDF", "faked": "faked", "popup": "?popup", "dialog": "sure?", "answer": True,
        "count": 3, "apart": ["", 2, 1], "contexts": 1, "download": "told", "trace": True, "big": 8000000}
FOUND = {
    "puppeteer.mjs": {**SAME, "pages": ["about:blank", 0], "targets": ["browser", "page"]},
    "playwright.mjs": {**SAME, "pages": ["about:blank", 1, 1], "cookies": ["mine"]},
    "cri.cjs": {"version": "1.3", "domains": True, "first": "about:blank", "listed": True, "page": "?criwaiting", "png": "PNG",
                "faked": "faked", "notAllowed": "Not allowed", "reason": "target_closed", "targets": 1},
}
TIME_LIMIT = 300


def drive(ctx, served, script, name, *more):
    directory = ctx.base / name
    directory.mkdir()
    found = node(ctx, HERE / script, served.url, ctx.origin, directory, *more)
    for key, value in FOUND[script].items():
        ctx.expect(key == "trace" and not more or found.get(key) == value, f"{name} {key}: {found.get(key)} instead of {value}")


def run(ctx):
    ctx.requires_widgets("puppeteer-core", "playwright-core", "chrome-remote-interface")
    with endpoint(ctx) as served:
        for script in FOUND:
            drive(ctx, served, script, script, "traces")
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            for run in [pool.submit(drive, ctx, served, script, "beside-" + script) for script in FOUND]:
                run.result()
