"""doctor: what is here; and what to install when Chrome is not."""


def run(ctx):
    fine = ctx.run(["doctor", *(["--chrome", ctx.options.chrome] if ctx.options.chrome else [])])
    ctx.expect(fine.exit == 0, f"exit {fine.exit}: {fine.text[-400:]}")
    ctx.match(fine.stdout.decode(), {"$regex": r"(?i)chrom"}, "doctor")
    ctx.match(fine.stdout.decode(), {"$regex": r"\d+\.\d+\.\d+\.\d+"}, "doctor names the version")
    missing = ctx.run(["doctor", "--chrome", "/nowhere/chrome"])
    ctx.expect(missing.exit != 0, "exit 0, though there is no Chrome")
    ctx.match(missing.text, {"$regex": r"/nowhere/chrome"}, "doctor without Chrome")
    ctx.match(missing.text, {"$regex": r"(?i)apt|install"}, "doctor without Chrome")
