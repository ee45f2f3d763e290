"""diff: every kind of PNG and JPEG is read or refused with an explanation; decompression bombs cost nothing."""
import json
import pathlib
import resource
import struct
import zlib

from png_files import GREY, GREY_ALPHA, PALETTE, RGB, RGBA, chunk, header, png

JPEGS = pathlib.Path(__file__).parents[4] / "fixtures" / "fuzz" / "fuzz_jpeg"
WIDTH, HEIGHT = 21, 13


def shade(x, y):
    return 255 * ((x // 5 + y // 3) % 2)


def rgb(x, y):
    return (shade(x, y),) * 3


def kinds():
    """Yields the same picture in every format: name and bytes."""
    for depth in (1, 2, 4, 8, 16):
        most = (1 << depth) - 1
        for interlaced in (False, True):
            name = f"{depth} bit{' interlaced' if interlaced else ''}"
            yield f"grey {name}", png(WIDTH, HEIGHT, lambda x, y: (shade(x, y) * most // 255,),
                                      depth, GREY, interlaced)
            if depth <= 8:
                colours = chunk(b"PLTE", b"\0\0\0\xff\xff\xff")
                yield f"palette {name}", png(WIDTH, HEIGHT, lambda x, y: (shade(x, y) // 255,),
                                             depth, PALETTE, interlaced, colours)
            if depth >= 8:
                yield f"rgb {name}", png(WIDTH, HEIGHT, lambda x, y: (shade(x, y) * most // 255,) * 3,
                                         depth, RGB, interlaced)
                yield f"grey and alpha {name}", png(WIDTH, HEIGHT, lambda x, y: (shade(x, y) * most // 255, most),
                                                    depth, GREY_ALPHA, interlaced)
                yield f"rgba {name}", png(WIDTH, HEIGHT, lambda x, y: (*(shade(x, y) * most // 255,) * 3, most),
                                          depth, RGBA, interlaced)
    # Transparent white equals the white ground; black stays opaque.
    yield "palette with tRNS", png(WIDTH, HEIGHT, lambda x, y: (shade(x, y) // 255,), 8, PALETTE,
                                   chunks=chunk(b"PLTE", b"\0\0\0\xff\xff\xff") + chunk(b"tRNS", b"\xff\0"))
    yield "grey with tRNS", png(WIDTH, HEIGHT, lambda x, y: (shade(x, y),), 8, GREY, chunks=chunk(b"tRNS", b"\0\xff"))


def broken(good):
    """Yields damaged files, and a word of the error."""
    yield "empty", b"", "neither a PNG nor a JPEG"
    yield "text", b"<html></html>", "neither a PNG nor a JPEG"
    yield "signature", good[:8], "PNG"
    yield "half", good[:len(good) // 2], "PNG"
    yield "without its end", good[:-12], "PNG"
    yield "a flipped bit", good[:60] + bytes([good[60] ^ 4]) + good[61:], "PNG"
    yield "of no width", header(0, 5) + chunk(b"IEND", b""), "PNG"
    yield "too large", header(100000, 100000) + chunk(b"IDAT", b"") + chunk(b"IEND", b""), "has more than 80000000 pixels"
    yield "a bomb", header(8900, 8900) + chunk(b"IDAT", zlib.compress(bytes(5000))) + chunk(b"IEND", b""), "cannot hold"
    yield "a filter that is none", header(1, 1) + chunk(b"IDAT", zlib.compress(b"\7abc")) + chunk(b"IEND", b""), "PNG"
    yield "half a JPEG", (JPEGS / "rgb_420.jpg").read_bytes()[:400], "JPEG"
    yield "CMYK", (JPEGS / "cmyk.jpg").read_bytes(), "JPEG"
    yield "a JPEG of 65500x65500", jpeg_of_size(65500, 65500), "has more than 80000000 pixels"


def jpeg_of_size(width, height):
    data = (JPEGS / "rgb_420.jpg").read_bytes()
    at = data.index(b"\xff\xc0")
    return data[:at + 5] + struct.pack(">HH", height, width) + data[at + 9:]


def run(ctx):
    def diff(a, b, *args):
        result = ctx.run(["diff", ctx.work / a, ctx.work / b, *args])
        return result

    good = png(WIDTH, HEIGHT, rgb)
    ctx.file("good.png", good)
    for number, (name, data) in enumerate(kinds()):
        ctx.file("kind.png", data)
        result = diff("good.png", "kind.png", "--json")
        ctx.expect(result.exit == 0, f"{name}: exit {result.exit}: {result.text}")
        if result.exit == 0:
            ctx.match(json.loads(result.stdout), {"width": WIDTH, "height": HEIGHT, "diffPixels": 0}, name)
    for name in ("rgb_420.jpg", "grey.jpg", "progressive.jpg", "restarts.jpg"):
        result = ctx.run(["diff", JPEGS / "rgb_420.jpg", JPEGS / name, "--json"])
        ctx.expect(result.exit in (0, 1), f"{name}: exit {result.exit}: {result.text}")
        ctx.match(json.loads(result.stdout or b"{}"), {"width": 17, "height": 11}, name)

    for name, data, says in broken(good):
        ctx.file("broken.png", data)
        for pair in (("good.png", "broken.png"), ("broken.png", "good.png")):
            result = diff(*pair)
            ctx.expect(result.exit == 2 and result.stdout == b"", f"{name}: exit {result.exit}: {result.text}")
            ctx.expect("broken.png: " in result.stderr and says in result.stderr, f"{name}: says {result.stderr}")
    result = diff("good.png", "missing.png")
    ctx.expect(result.exit == 2 and "missing.png" in result.stderr, f"missing: {result.exit}: {result.stderr}")
    result = ctx.run(["diff", ctx.work, ctx.work / "good.png"])
    ctx.expect(result.exit == 2 and "is not a file" in result.stderr, f"a folder: {result.exit}: {result.stderr}")

    # Two pictures that are valid alone but too large together.
    ctx.file("wide.png", png(40000, 1, lambda x, y: (0, 0, 0)))
    ctx.file("high.png", png(1, 40000, lambda x, y: (0, 0, 0)))
    result = diff("wide.png", "high.png")
    ctx.expect(result.exit == 2 and "40000x40000" in result.stderr, f"wide and high: {result.exit}: {result.stderr}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    ctx.expect(peak < 200, f"what was refused took {peak:.0f} MB")
