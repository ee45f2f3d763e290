"""Wrong use of the command line: exit 2, an explanation on stderr, nothing on stdout."""

BROWSER = "any"


def run(ctx):
    good = ctx.batch([("start", {"url": "about:blank"})])
    for args, wanted in [
            ([], r"(?i)usage"),
            (["runn"], r"runn\b[^\n]*|\brun\b"),
            (["run", good, "--no-such-option"], r"no-such-option"),
            (["run", good, "--timeot", "5"], r"timeot"),
            (["run", good, "--timeout"], r"timeout"),
            (["run", good, "--timeout", "soon"], r"timeout|soon"),
            (["run", good, "--timeout", "-1"], r"timeout|-1"),
            (["run", good, "--chunk-size", "x"], r"chunk-size"),
            (["run", good, "--screenshots", "sometimes"], r"screenshots"),
            (["run", good, "--project", "../../etc"], r"project|\.\./\.\./etc"),
            (["shot"], r"(?i)url|usage"),
            (["shot", "no-url"], r"no-url"),
            (["shot", "http://127.0.0.1:1/", "--format", "bmp"], r"bmp|format"),
            (["shot", "no-url", "--color-scheme", "dark"], r'URL: "no-url" is no'),
            (["shot", "http://127.0.0.1:1/", "--wait-for", "text="], r"--wait-for: is empty"),
            (["profile", "frobnicate"], r"frobnicate"),
            (["doctor", "--no-such-option"], r"no-such-option")]:
        chrome = ["--chrome", ctx.mark_chrome()] if args[:1] in (["run"], ["shot"]) else []
        # The option under test stays last.
        result = ctx.run(args[:1] + chrome + args[1:])
        what = " ".join(map(str, args))
        ctx.expect(result.exit == 2, f"{what}: exit {result.exit}")
        ctx.match(result.stderr, {"$regex": wanted}, f"stderr of {what}")
        ctx.expect(result.stdout == b"", f"{what}: on stdout: {result.stdout[:200]}")
    ctx.expect(not ctx.marked(), "Chrome was started")
