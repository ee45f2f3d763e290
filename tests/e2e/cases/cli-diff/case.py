"""diff: its counts and output, options, exit codes, and the picture it draws."""
import json

import png_files
from pictures import Picture

BROWSER = "any"


BLACK, PALE = (0, 0, 0), (252, 252, 252)
CHANGED = (5, 6, 20, 10, BLACK)


def run(ctx):
    def diff(*args, code=1, json_too=True):
        result = ctx.run(["diff", *args, *(["--json"] if json_too else [])])
        ctx.expect(result.exit == code, f"diff {args}: exit {result.exit}: {result.text[-300:]}")
        return json.loads(result.stdout) if json_too and result.stdout else result

    ctx.file("white.png", png_files.page())
    ctx.file("box.png", png_files.page(boxes=[CHANGED]))
    ctx.file("moved.png", png_files.page(boxes=[(35, 25, 20, 10, BLACK)]))
    ctx.file("tall.png", png_files.page(60, 50))
    ctx.file("pale.png", png_files.page(boxes=[(0, 0, 40, 30, PALE)]))

    region = {"x": 5, "y": 6, "width": 20, "height": 10, "diffPixels": 200}
    found = diff("white.png", "box.png")
    ctx.match(found, {"width": 60, "height": 40, "diffPixels": 200, "antialiasedPixels": 0,
                      "layoutDiffers": False, "regions": [region],
                      "fingerprint": {"$regex": "^[0-9a-f]{16}$"}}, "a box")
    ctx.expect(abs(found["diffRatio"] - 200 / 2400) < 1e-9, f"diffRatio: {found['diffRatio']}")
    ctx.expect(diff("white.png", "moved.png")["fingerprint"] == found["fingerprint"],
               "the same box elsewhere has another fingerprint")
    ctx.match(diff("white.png", "white.png", code=0),
              {"width": 60, "height": 40, "diffPixels": 0, "diffRatio": 0, "regions": [], "fingerprint": ""}, "one file")
    ctx.match(diff("white.png", "tall.png"),
              {"height": 50, "layoutDiffers": True, "diffPixels": 600, "diffRatio": 0.2}, "sizes")

    # Options.
    diff("white.png", "pale.png", code=0)
    ctx.match(diff("white.png", "pale.png", "--threshold", "0"), {"diffPixels": 1200}, "--threshold 0")
    ctx.match(diff("white.png", "pale.png", "--strict", "0"), {"diffPixels": 0, "faintPixels": 1200}, "--strict")
    diff("white.png", "pale.png", "--strict=0", "--strict-area=1201", code=0)
    ctx.match(diff("white.png", "box.png", "--ignore", "5,6,20,10", code=0), {"ignoredPixels": 200}, "--ignore")
    ctx.match(diff("white.png", "box.png", "--ignore", "0,0,10,40", "--ignore", "20,0,99,99"),
              {"diffPixels": 100, "ignoredPixels": 2000}, "--ignore twice")
    ctx.match(diff("white.png", "box.png", "--density", "8"), {"density": 64}, "--density")
    ctx.match(diff("white.png", "box.png", "--max-regions", "0"), {"regions": [], "regionsLeftOut": 1}, "--max-regions")

    # A pale blue is another colour for pixelmatch 8 only, a light grey for pixelmatch 7 only.
    ctx.file("blue.png", png_files.page(boxes=[(*CHANGED[:4], (230, 230, 255))]))
    ctx.file("grey.png", png_files.page(boxes=[(*CHANGED[:4], (228, 228, 228))]))
    diff("white.png", "blue.png", "--metric", "pixelmatch7", code=0)
    ctx.match(diff("white.png", "blue.png", "--metric", "pixelmatch8"), {"diffPixels": 200, "metric": "pixelmatch8"}, "--metric")
    diff("white.png", "grey.png", "--metric", "pixelmatch8", code=0)
    ctx.expect("metric" not in diff("white.png", "grey.png"), "the default metric is said")

    # The text output.
    ctx.match(diff("white.png", "box.png", json_too=False).stdout.decode(),
              "different: 200 of 2,400 pixels differ (8.33 %)\n  20x10 at 5,6: 200 pixels\n", "text")
    ctx.match(diff("white.png", "white.png", code=0, json_too=False).stdout.decode(),
              "equal: 0 of 2,400 pixels differ\n", "text of equal files")
    equal = (ctx.work / "white.png").read_bytes()
    ctx.file("annotated.png", equal[:33] + png_files.chunk(b"tEXt", b"Title\0white") + equal[33:])
    for other, verdict in (("white.png", "equal"), ("annotated.png", "same pixels"), ("pale.png", "alike")):
        ctx.match(diff("white.png", other, code=0), {"verdict": verdict}, f"the verdict of {other}")
        says = diff("white.png", other, code=0, json_too=False).stdout.decode()
        ctx.expect(says.startswith(f"{verdict}: 0 of 2,400 pixels differ"), f"{other}: {says}")

    # The picture.
    diff("white.png", "box.png", "-o", "diff.png")
    ctx.match(Picture((ctx.work / "diff.png").read_bytes()).summary(),
              {"format": "png", "width": 60, "height": 40}, "the picture")
    ctx.match(diff("diff.png", "diff.png", code=0), {"width": 60}, "the picture as an input")
    piped = diff("white.png", "box.png", "-o", "-", json_too=False)
    ctx.expect(piped.stdout == (ctx.work / "diff.png").read_bytes(), "-o -: not the same picture on stdout")
    ctx.match(piped.stderr, {"$regex": "^different: 200 of"}, "-o -: the text on stderr")
    diff("white.png", "box.png", "-o", "mask.png", "--mask")
    ctx.expect(b"tRNS" in (ctx.work / "mask.png").read_bytes(), "--mask: nothing is transparent")
    diff("white.png", "white.png", "-o", "none.png", code=0)
    ctx.expect(not (ctx.work / "none.png").exists(), "a picture though nothing differs")

    # Usage.
    for args, says in (((), "an argument is missing"), (("white.png",), "an argument is missing"),
                       (("white.png", "box.png", "tall.png"), "too many arguments"),
                       (("white.png", "box.png", "--threshold", "2"), 'not a number from 0 to 1'),
                       (("white.png", "box.png", "--threshold", "nan"), 'not a number from 0 to 1'),
                       (("white.png", "box.png", "--strict", "0.5"), "not below the threshold"),
                       (("white.png", "box.png", "--ignore", "1,2,3"), "not a rectangle"),
                       (("white.png", "box.png", "--ignore", "1,2,3,-4"), "not a rectangle"),
                       (("white.png", "box.png", "--density", "9999999999"), "not a number from 0 to 4096"),
                       (("white.png", "box.png", "--treshold", "0"), "did you mean --threshold"),
                       (("white.png", "box.png", "-o", "nowhere/diff.png"), "nowhere/diff.png")):
        result = diff(*args, code=2, json_too=False)
        ctx.expect(says in result.stderr, f"diff {args}: says {result.stderr}")
