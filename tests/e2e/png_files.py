"""PNG files of every kind that the format has, and of invalid kinds."""
import collections
import struct
import zlib

from pictures import unfiltered

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}
# The seven passes of an interlaced file: first column and row, steps between them.
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header(width, height, depth=8, colour=RGB, interlaced=False):
    return SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced))


def pack_row(samples, depth):
    """Packs the samples of a row into bytes; the row begins with filter 0."""
    if depth == 16:
        return b"\0" + struct.pack(f">{len(samples)}H", *samples)
    bits = "".join(format(sample, f"0{depth}b") for sample in samples)
    bits += "0" * (-len(bits) % 8)
    return b"\0" + int(bits or "0", 2).to_bytes(len(bits) // 8, "big")


def png(width, height, pixel, depth=8, colour=RGB, interlaced=False, chunks=b""):
    """pixel(x, y) returns the samples of a pixel, as a tuple."""
    passes = PASSES if interlaced else [(0, 0, 1, 1)]
    rows = []
    for left, top, across, down in passes:
        for y in range(top, height, down):
            samples = [sample for x in range(left, width, across) for sample in pixel(x, y)]
            if samples:
                rows.append(pack_row(samples, depth))
    return (header(width, height, depth, colour, interlaced) + chunks
            + chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b""))


def page(width=60, height=40, boxes=()):
    """A white page with boxes of (x, y, width, height, (red, green, blue))."""
    def pixel(x, y):
        for left, top, wide, high, colour in boxes:
            if left <= x < left + wide and top <= y < top + high:
                return colour
        return (255, 255, 255)
    return png(width, height, pixel)


class Pixels:
    """The pixels of a PNG of 8 bits a sample, not interlaced: width, height, and at(x, y) as (red, green, blue)."""

    def __init__(self, data):
        self.palette, packed, at = b"", b"", len(SIGNATURE)
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            part = data[at + 8:at + 8 + size]
            if kind == b"IHDR":
                self.width, self.height, depth, self.colour, _, _, interlaced = struct.unpack(">IIBBBBB", part)
                assert depth == 8 and not interlaced
            elif kind == b"PLTE":
                self.palette = part
            elif kind == b"IDAT":
                packed += part
            at += 12 + size
        self.channels = CHANNELS[self.colour]
        self.rows = unfiltered(zlib.decompress(packed), self.width * self.channels, self.channels)

    def colours(self):
        """Returns how many pixels have each colour, as a Counter of (red, green, blue)."""
        found = collections.Counter()
        for row, count in collections.Counter(self.rows).items():
            samples = zip(*(row[i::self.channels] for i in range(self.channels)))
            for sample, many in collections.Counter(samples).items():
                found[self.colour_of(sample)] += many * count
        return found

    def at(self, x, y):
        return self.colour_of(self.rows[y][x * self.channels:(x + 1) * self.channels])

    def colour_of(self, sample):
        if self.colour == PALETTE:
            return tuple(self.palette[3 * sample[0]:3 * sample[0] + 3])
        return tuple(sample[:1] * 3 if self.colour in (GREY, GREY_ALPHA) else sample[:3])
