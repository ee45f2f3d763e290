"""Enough of JPEG, PNG and WebP to tell what a picture shows: its size, and how bright each 8x8 block is.

A JPEG's blocks begin with their average (the DC coefficient), so a thumbnail of an eighth of the
size comes from the entropy coding alone, without any transform.
"""
import itertools
import struct
import zlib


class Picture:
    """format, width, height; rows: brightness (0 to 255) of each 8x8 block, None for a PNG."""

    def __init__(self, data):
        self.bytes = len(data)
        self.rows = None
        if data[:2] == b"\xff\xd8":
            self.format = "jpeg"
            self.jpeg = Jpeg(data)
            self.width, self.height = self.jpeg.width, self.jpeg.height
        elif data[:8] == b"\x89PNG\r\n\x1a\n":
            self.format = "png"
            self.width, self.height = struct.unpack(">II", data[16:24])
            self.pixels = zlib.decompress(b"".join(png_parts(data, b"IDAT")))
        elif data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            self.format = "webp"
            self.width, self.height = webp_size(data)
        else:
            raise ValueError(f"neither JPEG, PNG nor WebP: begins with {data[:8].hex()}")

    def thumbnail(self):
        """Returns rows of brightness, one number for each 8x8 block. JPEG only."""
        if self.rows is None:
            self.rows = self.jpeg.thumbnail()
        return self.rows

    def is_blank(self):
        """Whether it shows a single colour."""
        if self.format == "webp":
            raise ValueError("whether a WebP is blank is not known here")
        if self.format == "png":
            # Filtered rows of one colour consist of zeros, after their first pixel.
            return len(set(self.pixels)) <= 5
        values = [value for row in self.thumbnail() for value in row]
        return max(values) - min(values) < 8

    def summary(self):
        blank = {} if self.format == "webp" else {"blank": self.is_blank()}
        return {"format": self.format, "width": self.width, "height": self.height,
                "bytes": self.bytes, **blank}


def pixels_of(data):
    """For a PNG of 8 bits without interlacing: returns width, height, and a function of x and y for red, green, blue."""
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    size = {2: 3, 6: 4}[kind]
    assert (depth, interlaced) == (8, 0)
    rows = unfiltered(zlib.decompress(b"".join(png_parts(data, b"IDAT"))), width * size, size)
    return width, height, lambda x, y: tuple(rows[y][x * size:x * size + 3])


def unfiltered(raw, length, size):
    """Returns the rows of a PNG, of `length` bytes each, with `size` bytes for each pixel."""
    rows, above, seen = [], bytes(length), {}
    for at in range(0, len(raw), length + 1):
        line = raw[at:at + length + 1]
        # Most rows of a page are equal: each different one is computed once.
        if (line, above) not in seen:
            seen[line, above] = unfiltered_row(line[0], line[1:], above, size)
        above = seen[line, above]
        rows.append(above)
    return rows


def unfiltered_row(kind, row, above, size):
    """PNG, section 9.2."""
    if kind in (2, 4) and not row.strip(b"\0"):
        return above
    row = bytearray(row)
    for channel in range(size):
        if kind == 1:
            row[channel::size] = bytes(itertools.accumulate(row[channel::size], lambda left, rest: left + rest & 255))
        elif kind == 2:
            row[channel::size] = bytes(rest + up & 255 for rest, up in zip(row[channel::size], above[channel::size]))
        elif kind in (3, 4):
            left = corner = 0
            for i in range(channel, len(row), size):
                up = above[i]
                left = row[i] = row[i] + ((left + up) // 2 if kind == 3 else paeth(left, up, corner)) & 255
                corner = up
    return bytes(row)


def paeth(left, up, corner):
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner


def webp_size(data):
    """Handles the three kinds of first chunks: lossy, lossless, extended."""
    kind, start = data[12:16], data[20:30]
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", start[6:10])
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        bits = int.from_bytes(start[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        return int.from_bytes(start[4:7], "little") + 1, int.from_bytes(start[7:10], "little") + 1
    raise ValueError(f"a WebP that begins with {kind}")


def png_parts(data, wanted):
    at, found = 8, []
    while at + 12 <= len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == wanted:
            found.append(data[at + 8:at + 8 + length])
        at += 12 + length
    return found


class Jpeg:
    """Baseline and progressive files with Huffman coding."""

    def __init__(self, data):
        self.data = data
        self.tables = {}
        self.quantisation = {}
        self.components = []
        self.restart = 0
        self.scan_at = None
        self.read_headers()

    def read_headers(self):
        """Reads up to the first scan, which has the averages in either kind of file."""
        data, at = self.data, 2
        while at + 4 <= len(data):
            if data[at] != 0xFF:
                raise ValueError(f"damaged JPEG: no marker at byte {at}")
            marker = data[at + 1]
            if marker == 0xFF:
                at += 1
                continue
            length = struct.unpack(">H", data[at + 2:at + 4])[0]
            part = data[at + 4:at + 2 + length]
            if marker in (0xC0, 0xC1, 0xC2):
                self.read_frame(marker, part)
            elif marker == 0xC4:
                self.read_huffman(part)
            elif marker == 0xDB:
                self.read_quantisation(part)
            elif marker == 0xDD:
                self.restart = struct.unpack(">H", part)[0]
            elif marker == 0xDA:
                self.read_scan(part)
                self.scan_at = at + 2 + length
                break
            at += 2 + length
        if self.scan_at is None or not self.components:
            raise ValueError("damaged JPEG: it has no picture in it")
        if data.rstrip(b"\0")[-2:] != b"\xff\xd9":
            raise ValueError("damaged JPEG: it ends in the middle")

    def read_frame(self, marker, part):
        self.progressive = marker == 0xC2
        self.height, self.width, count = struct.unpack(">HHB", part[1:6])
        for i in range(count):
            name, sampling, table = part[6 + 3 * i:9 + 3 * i]
            self.components.append({"id": name, "h": sampling >> 4, "v": sampling & 15, "q": table})

    def read_huffman(self, part):
        at = 0
        while at < len(part):
            counts, symbols_at = part[at + 1:at + 17], at + 17
            lookup, code, index = [(0, 0)] * 65536, 0, symbols_at
            for length in range(1, 17):
                for _ in range(counts[length - 1]):
                    first, span = code << (16 - length), 1 << (16 - length)
                    lookup[first:first + span] = [(length, part[index])] * span
                    code, index = code + 1, index + 1
                code <<= 1
            self.tables[part[at]] = lookup
            at = index

    def read_quantisation(self, part):
        at = 0
        while at < len(part):
            wide = part[at] >> 4
            self.quantisation[part[at] & 15] = (part[at + 1] << 8 | part[at + 2]) if wide else part[at + 1]
            at += 129 if wide else 65

    def read_scan(self, part):
        self.scan = []
        for i in range(part[0]):
            name, tables = part[1 + 2 * i:3 + 2 * i]
            component = next(one for one in self.components if one["id"] == name)
            self.scan.append((component, tables >> 4, tables & 15))
        self.shift = part[-1] & 15 if self.progressive else 0

    def thumbnail(self):
        luma = self.components[0]
        h_max = max(one["h"] for one in self.components)
        v_max = max(one["v"] for one in self.components)
        alone = len(self.scan) == 1
        if alone:
            columns, lines = -(-self.width // 8), -(-self.height // 8)
        else:
            columns, lines = -(-self.width // (8 * h_max)), -(-self.height // (8 * v_max))
        step_h, step_v = (1, 1) if alone else (luma["h"], luma["v"])
        rows = [[0] * (columns * step_h) for _ in range(lines * step_v)]
        factor = self.quantisation[luma["q"]] * (1 << self.shift) / 8

        bits = Bits(self.data, self.scan_at)
        last = [0] * len(self.scan)
        for number in range(columns * lines):
            if self.restart and number and number % self.restart == 0:
                bits.restart()
                last = [0] * len(self.scan)
            line, column = divmod(number, columns)
            for i, (component, dc, ac) in enumerate(self.scan):
                blocks_h, blocks_v = (1, 1) if alone else (component["h"], component["v"])
                for v in range(blocks_v):
                    for h in range(blocks_h):
                        last[i] += bits.block(self.tables[dc],
                                              None if self.progressive else self.tables[16 + ac])
                        if component is luma:
                            rows[line * step_v + v][column * step_h + h] = last[i] * factor + 128
        return [row[:-(-self.width // 8)] for row in rows[:-(-self.height // 8)]]


class Bits:
    """The entropy-coded data, without stuffed zeros, one restart interval at a time."""

    def __init__(self, data, at):
        self.parts = self.split(data, at)
        self.restart()

    @staticmethod
    def split(data, at):
        parts, start = [], at
        while True:
            at = data.find(b"\xff", at)
            if at < 0 or at + 1 >= len(data):
                raise ValueError("damaged JPEG: the scan has no end")
            if data[at + 1] == 0:
                at += 2
                continue
            parts.append(data[start:at].replace(b"\xff\0", b"\xff") + b"\xff" * 16)
            if not 0xD0 <= data[at + 1] <= 0xD7:
                return iter(parts)
            at = start = at + 2

    def restart(self):
        self.part = next(self.parts)
        self.at, self.value, self.count = 0, 0, 0

    def block(self, dc_table, ac_table):
        """Returns the difference of averages; skips the other coefficients, if any."""
        value, count, at, part = self.value, self.count, self.at, self.part
        position, difference, table = 0, 0, dc_table
        while True:
            if count < 32:
                value = (value & ((1 << count) - 1)) << 64 | int.from_bytes(
                    part[at:at + 8].ljust(8, b"\xff"), "big")
                at += 8
                count += 64
                if at > len(part) + 64:
                    raise ValueError("damaged JPEG: the scan is too short")
            length, symbol = table[(value >> (count - 16)) & 0xFFFF]
            if length == 0:
                raise ValueError("damaged JPEG: no such Huffman code")
            count -= length
            size = symbol & 15
            if position == 0:
                size = symbol
                if size:
                    difference = (value >> (count - size)) & ((1 << size) - 1)
                    if difference < 1 << (size - 1):
                        difference -= (1 << size) - 1
                count -= size
                if ac_table is None:
                    break
                position, table = 1, ac_table
                continue
            count -= size
            if size:
                position += (symbol >> 4) + 1
            elif symbol == 0xF0:
                position += 16
            else:
                break
            if position >= 64:
                break
        self.value, self.count, self.at = value & ((1 << count) - 1), count, at
        return difference
