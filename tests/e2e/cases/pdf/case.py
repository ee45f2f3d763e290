"""pdf: sizes, pages and margins of the paper, files and bytes, and what is refused."""
import base64
import contextlib
import os
import pathlib
import stat

from faults import Talk, chrome, until
from pdfs import Pdf

BROWSER = "shared"


def of(response):
    return Pdf(base64.b64decode(response["result"]["data"], validate=True))


def paper(ctx):
    """Sizes are in points, 72 an inch, which Chrome rounds up."""
    page = ctx.origin + "/case/paper.html"
    made = [({}, [(612, 792)] * 3), ({"format": "a5", "landscape": True}, [(596, 420)] * 3),
            ({"width": "100mm", "height": "5in", "margin": "0"}, [(284, 360)] * 3),
            ({"pageRanges": "2-3"}, [(612, 792)] * 2), ({"pageRanges": "3, 1"}, [(612, 792)] * 2)]
    edges = [{"header": "<b style='font-size: 9px'>Head <i class='title'></i></b>"},
             {"footer": "<b style='font-size: 9px'>Foot <i class='pageNumber'></i> of <i class='totalPages'></i></b>"}]
    wrong = [({"pageRanges": "9"}, "[Pp]age range"), ({"pageRanges": "2-1"}, "[Pp]age range")]
    run = ctx.run_batch([("start", {"url": page}), *[("pdf", one) for one, _ in made], *[("pdf", one) for one in edges],
                         ("pdf", {"file": "page.pdf"}), ("pdf", {"scale": 0.5, "background": True, "margin": "1in 2cm 30mm 4px"}),
                         *[("pdf", one) for one, _ in wrong], ("navigate", {"url": ctx.origin + "/case/sized.html"}),
                         ("pdf", {"cssPageSize": True})], "--screenshots", "none")
    responses = run.responses[1:]
    for (given, sizes), response in zip(made, responses):
        found = of(response)
        ctx.expect(found.sizes == sizes, f"{given}: {found.sizes}")
        ctx.match(response["result"], {"mediaType": "application/pdf", "pages": len(sizes), "bytes": {"$ge": 2000},
                                       "data": {"$regex": "^JVBERi"}, "file": {"$absent": True}}, f"{given}")
    ctx.expect([("second" in text, "third" in text) for text in of(responses[3]).texts] == [(True, False), (False, True)], "ranges")
    ctx.expect(all("Head Paper" in text and "Foot" not in text for text in of(responses[5]).texts), f"header: {of(responses[5]).text}")
    ctx.expect("Foot 2 of 3" in of(responses[6]).texts[1], f"footer: {of(responses[6]).text}")
    file = ctx.work / "page.pdf"
    ctx.match(responses[7]["result"], {"$exactly": {"mediaType": "application/pdf", "pages": 3, "bytes": file.stat().st_size,
                                                    "file": "page.pdf"}}, "a file")
    ctx.expect(Pdf(file.read_bytes()).page_count == 3 and stat.S_IMODE(file.stat().st_mode) == 0o600, "a file")
    ctx.expect(responses[8]["success"], "all of it")
    for (given, why), response in zip(wrong, responses[9:]):
        ctx.match(response, {"success": False, "errorCode": "INVALID_ACTION", "error": {"$regex": why}}, f"{given}")
    ctx.expect(of(responses[12]).sizes == [(360, 288)], f"cssPageSize: {of(responses[12]).sizes}")


def large(ctx):
    """It comes in several parts."""
    steps = [("start", {"url": ctx.origin + "/case/large.html"}), ("wait", {"expression": "document.title === 'Ready'"})]
    run = ctx.run_batch([*steps, ("pdf", {}), ("pdf", {"maxBytes": 3000000}), ("pdf", {})], "--screenshots", "none")
    size = run.response(3)["result"]["bytes"]
    ctx.expect(size > 4000000 and of(run.response(3)).page_count == 1, f"{size} bytes")
    ctx.match(run.response(4), {"success": False, "errorCode": "LIMIT_EXCEEDED", "error": {"$contains": "more than 3000000 bytes"}}, "maxBytes")
    ctx.expect(len(base64.b64decode(run.response(5)["result"]["data"])) == run.response(5)["result"]["bytes"], "after it")


def rules(ctx):
    page = ctx.origin + "/case/paper.html"
    inside, outside = ctx.work / "in", ctx.work / "out.pdf"
    inside.mkdir()
    fine = ({"file": str(inside / "a.pdf")}, "ok")
    tries = [fine, ({"file": str(outside)}, "POLICY_DENIED"), ({"file": str(inside / "a.html")}, "POLICY_DENIED"), fine,
             ({"header": "<b>a</b>"}, "POLICY_DENIED"), ({"footer": "<b>a</b>"}, "POLICY_DENIED"), fine,
             ({"file": str(inside / "none" / "a.pdf")}, {"$in": ["POLICY_DENIED", "INVALID_ACTION"]})]
    run = ctx.run_batch([("start", {"url": page}), *[("pdf", one) for one, _ in tries]],
                        "--screenshots", "none", "--no-eval", "--files", inside)
    for (given, code), response in zip(tries, run.responses[1:]):
        ctx.match(response.get("errorCode", "ok"), code, f"{given}: {response.get('error')}")
    ctx.expect(Pdf((inside / "a.pdf").read_bytes()).page_count == 3 and not outside.exists(), "files")
    ctx.expect(sorted(path.name for path in inside.iterdir()) == ["a.pdf"], "something else was written")
    # Templates reach no server, with and without scripts.
    fetched = f"<img src='{ctx.origin}/count?name=header'><img src=x onerror=\"fetch('{ctx.origin}/count?name=script')\">"
    ctx.run_batch([("start", {"url": page}), ("pdf", {"header": fetched})], "--screenshots", "none")
    ctx.match(ctx.counts(), {"header": {"$absent": True}, "script": {"$absent": True}}, "requests of a template")


def unnamed_files(ctx):
    """Returns the temporary files that the browser has open, such as PDFs that were not read."""
    found = []
    for pid in chrome(ctx):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for link in pathlib.Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(FileNotFoundError):
                    found.append(os.readlink(link))
    return [name for name in found if ".org.chromium." in name and "/tmp/" in name]


def late(ctx):
    """A PDF that is printed after the end of its action is not kept."""
    talk = Talk(ctx, profile=("--temp-profile",))
    talk.start(ctx.origin + "/case/slow.html")
    ctx.expect(chrome(ctx), "the case has no browser of its own")
    talk.do({"success": False, "errorCode": "TIMEOUT"}, "pdf", timeout=1000)
    talk.do({"success": True}, "wait", expression="document.title === 'Printed'")
    talk.do({"success": True}, "pdf")
    until(lambda: not unnamed_files(ctx), "the browser has no PDF any more")
    talk.end()


def run(ctx):
    paper(ctx)
    late(ctx)
    large(ctx)
    rules(ctx)
