"""doctor: what is installed, and what to install if Chrome is missing."""

BROWSER = "any"


def run(ctx):
    fine = ctx.run(["doctor", *(["--chrome", ctx.options.chrome] if ctx.options.chrome else [])])
    ctx.expect(fine.exit == 0, f"exit {fine.exit}: {fine.text[-400:]}")
    ctx.match(fine.stdout.decode(), {"$regex": r"(?i)chrom"}, "doctor")
    ctx.match(fine.stdout.decode(), {"$regex": r"\d+\.\d+\.\d+\.\d+"}, "doctor names the version")
    for program in ("/bin/false", "/bin/true", ctx.mark_chrome()):
        other = ctx.run(["doctor", "--chrome", program])
        ctx.expect(other.exit == 3, f"{program}: exit {other.exit}")
        ctx.match(other.stdout.decode(), {"$regex": rf"(?m)^FAIL +browser .*{program}"}, f"doctor of {program}")
        ctx.expect("ok    browser" not in other.text, f"{program} is called a browser: {other.text}")
    missing = ctx.run(["doctor", "--chrome", "/nowhere/chrome"])
    ctx.expect(missing.exit != 0, "exit 0, though there is no Chrome")
    ctx.match(missing.text, {"$regex": r"/nowhere/chrome"}, "doctor without Chrome")
    ctx.match(missing.text, {"$regex": r"(?i)apt|install"}, "doctor without Chrome")
