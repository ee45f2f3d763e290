"""Files that are not there, are no files, or come second: all are read before anything is run."""


def run(ctx):
    good = ctx.batch([("start", {"url": "about:blank"})], "good.xml")
    bad = ctx.file("bad.xml", "<batch><browser_action><type>start</type></browser_action></batch>")
    chrome = ["--chrome", ctx.mark_chrome()]
    for args, wanted in [
            ([ctx.work / "nowhere.xml"], r"nowhere\.xml.*(?i:no such file)"),
            ([ctx.work], r"(?i)director"),
            ([good, bad], r"bad\.xml"),
            ([], r"(?i)usage|file|help|instruction")]:
        result = ctx.run(["run", *args, *chrome])
        ctx.expect(result.exit == 2, f"{args}: exit {result.exit}")
        ctx.match(result.stderr, {"$regex": wanted}, f"stderr of {args}")
        ctx.expect(not result.responses, f"{args}: something was run")
        ctx.expect(not ctx.marked(), f"{args}: Chrome was started")
