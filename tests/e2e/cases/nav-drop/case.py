"""A connection that is closed in the middle of the page: a failure, or a page with an error."""

BROWSER = "shared"


def run(ctx):
    result = ctx.run_batch([("start", {"url": ctx.origin + "/drop"}),
                            ("navigate", {"url": ctx.origin + "/traps/readonly.html"})])
    first = result.response(1)
    told = (not first["success"] or any(log["type"] in ("error", "warning") for log in first["logs"])
            or any("error" in event for event in first["networkEvents"]))
    ctx.expect(told, f"nothing says that half of the page is missing: {first.get('logs')}")
    ctx.match(result.response(2), {"success": True, "title": "Read-only"}, "the next page")
