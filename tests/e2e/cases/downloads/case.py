"""Downloads: saved under their names and reported, whatever starts them; refused without --downloads."""
import os

BROWSER = "any"
CSV = b"article,number\nkettle,2\nlantern,1\n"


# The answer to the action that started it also reports the end of a short one, unless the machine is busy: then a later
# answer does.
SHORT = {"$in": ["inProgress", "completed"]}


def completed(told):
    """Returns the names of the files in the order in which they were completed."""
    return [os.path.basename(download["file"]) for download in told if download["state"] == "completed"]


def run(ctx):
    page = ctx.origin + "/case/"
    folder = ctx.work / "files"
    click = lambda name: ("click", {"selector": "#" + name})
    long_wait = ("wait", {"ms": 6000})
    result = ctx.run_batch([
        ("start", {"url": page, "maxConsecutiveErrors": 0, "totalErrorThreshold": 0}), click("attachment"), click("named"),
        click("attachment"), click("hidden"), ("wait", {"ms": 1500}), click("blob"), ("wait", {"ms": 1500}),
        ("navigate", {"url": ctx.origin + "/download/report.csv"}), ("evaluate", {"expression": "document.title"}),
        click("slow"), ("evaluate", {"expression": "1"}), ("start", {"url": page}), long_wait, click("broken"),
        ("wait", {"ms": 1000}), ("navigate", {"url": page})], "--screenshots", "none", "--downloads", folder)
    ctx.match(result.response(2), {"success": True, "downloads": {"$contains": {
        "suggestedName": "report.csv", "state": SHORT, "url": ctx.origin + "/download/report.csv"}}}, "by header")
    told = [download for response in result.responses for download in response.get("downloads", [])]
    done = [download for download in told if download["state"] == "completed"]
    names = sorted(completed(told))
    ctx.expect(names == ["_..hidden .txt", "notes.txt", "report (1).csv", "report (2).csv", "report.csv", "slow.bin",
                         "table.csv"], f"files told: {names}")
    for download in done:
        path = download["file"]
        ctx.expect(os.path.dirname(path) == os.path.realpath(folder), f"elsewhere: {path}")
        ctx.expect(os.path.getsize(path) == download["bytes"], f"another size: {download}")
    there = sorted(os.listdir(folder))
    ctx.expect(there == names, f"{there} are there, {names} were told")
    ctx.expect(not [name for name in there if name.startswith(".")], f"hidden files: {there}")
    ctx.expect((folder / "report (2).csv").read_bytes() == CSV and (folder / "notes.txt").read_text() == "Plain text.\n"
               and (folder / "table.csv").read_text() == "a,b\n1,2\n", "contents")
    ctx.match(result.response(9), {"success": False, "errorCode": "NAVIGATION_FAILED", "error": {"$regex": "is a download"},
                                   "hint": {"$regex": "downloads"}, "downloads": {"$contains": {"state": SHORT}}}, "navigate")
    ctx.match(result.response(10), {"success": True, "result": "Files"}, "the page stays")
    ctx.match(result.response(11), {"success": True, "downloads": [{"suggestedName": "slow.bin", "state": "inProgress"}]}, "slow")
    ctx.match(result.response(12), {"success": True, "downloads": [{"state": "inProgress"}]}, "slow, still")
    slow = [download["state"] for download in told if download["suggestedName"] == "slow.bin"]
    ctx.expect(slow[-1] == "completed" and slow.count("completed") == 1, f"slow: {slow}")
    broken = [download for download in told if download["suggestedName"] == "broken.bin"]
    ctx.expect(broken and broken[-1]["state"] == "canceled" and "file" not in broken[-1], f"broken: {broken}")

    # Into a directory with a file of that name; by another tab; a download still running at the end leaves nothing.
    again = ctx.run_batch([("start", {"url": page}), click("window"), ("wait", {"ms": 1000}), click("slow")],
                          "--screenshots", "none", "--downloads", "files")
    told = [download for response in again.responses for download in response.get("downloads", [])]
    ctx.expect(completed(told) == ["report (3).csv"], f"again: {told}")
    ctx.expect(sorted(os.listdir(folder)) == sorted(names + ["report (3).csv"]), f"left: {sorted(os.listdir(folder))}")

    # Without a directory.
    refused = ctx.run_batch([("start", {"url": page, "maxConsecutiveErrors": 0}), click("attachment"),
                             ("navigate", {"url": ctx.origin + "/download/report.csv"})], "--screenshots", "none")
    ctx.match(refused.response(2), {"success": True, "logs": {"$contains": {
        "type": "warning", "category": "download", "message": {"$regex": "refused.*report.csv.*--downloads DIR"}}}}, "refused")
    ctx.match(refused.response(3), {"success": False, "errorCode": "NAVIGATION_FAILED", "hint": {"$regex": "--downloads"}}, "refused")
    ctx.expect(not any("downloads" in response for response in refused.responses), "nothing to tell")

    # An impossible place.
    (ctx.work / "file").write_text("")
    for place in ("file", "no/such/place"):
        run_ = ctx.run(["run", ctx.batch([("start", {"url": page})]), "--downloads", place, "--chrome", ctx.mark_chrome()])
        ctx.expect(run_.exit == 2 and place in run_.stderr, f"{place}: {run_.exit} {run_.stderr}")
    ctx.expect(not ctx.marked(), "Chrome was started")
