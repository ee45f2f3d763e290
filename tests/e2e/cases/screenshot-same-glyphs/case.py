"""A machine's fontconfig hinting does not change pictures; an explicit configuration does."""

BROWSER = "any"
HINTED = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>%s
  <match target="pattern"><edit name="hintstyle" mode="assign"><const>hintfull</const></edit></match>
  <match target="font"><edit name="hintstyle" mode="assign"><const>hintfull</const></edit></match>
</fontconfig>
"""


def run(ctx):
    usual = picture(ctx, "usual")
    # The system's files include the user's.
    home = ctx.work / "home"
    (home / "fontconfig").mkdir(parents=True)
    (home / "fontconfig" / "fonts.conf").write_text(HINTED % "")
    ctx.environment["XDG_CONFIG_HOME"] = str(home)
    ctx.expect(picture(ctx, "user") == usual, "the user's fontconfig changes the picture")
    ctx.expect(picture(ctx, "scale", "--chrome-arg=--force-device-scale-factor=1") == usual, "the scale of the screen is not 1")
    # Glyphs with full hinting do look different, if requested.
    asked = ctx.file("asked.conf", HINTED % "<include>/etc/fonts/fonts.conf</include>")
    ctx.environment["FONTCONFIG_FILE"] = str(asked)
    ctx.expect(picture(ctx, "asked") != usual, "FONTCONFIG_FILE is not heeded, or hinting cannot be seen here at all")


def picture(ctx, name, *args):
    path = ctx.work / f"{name}.png"
    ran = ctx.run(["shot", f"{ctx.origin}/case/index.html", "--temp-profile", *ctx.browser_args(), *args, "-o", path])
    ctx.expect(ran.exit == 0, f"{name}: exit {ran.exit}: {ran.stderr[-300:]}")
    return path.read_bytes()
