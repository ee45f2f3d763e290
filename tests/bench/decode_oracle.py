#!/usr/bin/python3
"""Holds what we read against netpbm's pngtopam and libjpeg-turbo's djpeg, pixel by pixel.

Generated files: PNG of every colour type, depth, interlacing and transparency with noise in it, JPEG of
every way that cjpeg knows to write one; each also cut off and with a byte changed, where we have to fail
whenever the other program does, and must never give other pixels. Further files can be named. Needed:
the Debian packages netpbm and libjpeg-turbo-progs. Exit code 1 when something differs.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
import png_files  # noqa: E402

PNG_KINDS = [(png_files.GREY, (1, 2, 4, 8, 16)), (png_files.RGB, (8, 16)), (png_files.PALETTE, (1, 2, 4, 8)),
             (png_files.GREY_ALPHA, (8, 16)), (png_files.RGBA, (8, 16))]
JPEG_WAYS = [[], ["-grayscale"], ["-progressive"], ["-optimize"], ["-restart", "1"], ["-sample", "1x1"], ["-sample", "2x1"],
             ["-sample", "1x2"], ["-sample", "4x1"], ["-rgb"], ["-progressive", "-grayscale"], ["-baseline", "-quality", "3"],
             ["-quality", "100"], ["-smooth", "40"], ["-arithmetic"]]


class Reader:
    """bench_decode as a process that answers many requests."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(self, path):
        """Returns (width, height, RGBA), or the error as a text."""
        self.process.stdin.write(f"{path}\n".encode())
        self.process.stdin.flush()
        line = self.process.stdout.readline().decode().rstrip("\n")
        if line.startswith("error: "):
            return line
        width, height = map(int, line.split())
        return width, height, self.process.stdout.read(width * height * 4)


def samples_of(data):
    """Returns width, height, depth, largest value, and the samples of a PNM or PAM file."""
    if data[:2] == b"P7":
        head, body = data.split(b"ENDHDR\n", 1)
        words = dict(line.split(None, 1) for line in head.decode().splitlines()[1:])
        width, height, depth, largest = (int(words[name]) for name in ("WIDTH", "HEIGHT", "DEPTH", "MAXVAL"))
    else:
        magic, size, largest, body = data.split(b"\n", 3)
        width, height = map(int, size.split())
        depth, largest = {b"P5": 1, b"P6": 3}[magic], int(largest)
    if largest > 255:
        return width, height, depth, largest, [body[i] << 8 | body[i + 1] for i in range(0, len(body), 2)]
    return width, height, depth, largest, list(body)


def peer(command, path):
    """Returns (width, height, RGBA) as the other program reads it; None if it fails, or warns."""
    result = subprocess.run([*command, path], capture_output=True)
    if result.returncode != 0 or result.stderr:
        return None
    width, height, depth, largest, samples = samples_of(result.stdout)
    values = bytes((2 * 255 * sample + largest) // (2 * largest) for sample in samples)
    grey, has_alpha = depth < 3, depth in (2, 4)
    pixels = bytearray(b"\xff" * (width * height * 4))
    for channel in range(3):
        pixels[channel::4] = values[0 if grey else channel::depth]
    if has_alpha:
        pixels[3::4] = values[depth - 1::depth]
    return width, height, bytes(pixels)


def make_pngs(generator, folder):
    for colour, depths in PNG_KINDS:
        for depth in depths:
            for interlaced in (False, True):
                for is_keyed in (False, True) if colour in (0, 2, 3) else (False,):
                    width, height = generator.randint(1, 70), generator.randint(1, 50)
                    largest = 2 ** depth - 1
                    chunks = b""
                    if colour == png_files.PALETTE:
                        chunks = png_files.chunk(b"PLTE", generator.randbytes(3 * (largest + 1)))
                    if is_keyed:
                        keys = {0: 2, 2: 6, 3: largest + 1}[colour]
                        key = generator.randbytes(keys) if colour == 3 else bytes(keys - 1) + b"\1"
                        chunks += png_files.chunk(b"tRNS", key)
                    channels = png_files.CHANNELS[colour]
                    data = png_files.png(width, height,
                                         lambda x, y: tuple(generator.randint(0, largest) for _ in range(channels)),
                                         depth, colour, interlaced, chunks)
                    path = folder / f"{colour}-{depth}-{interlaced:d}{is_keyed:d}.png"
                    path.write_bytes(data)
                    yield path, ["pngtopam", "-alphapam"]


def make_jpegs(generator, folder):
    for number, way in enumerate(JPEG_WAYS):
        width, height = generator.randint(1, 90), generator.randint(1, 90)
        steps = [[generator.randint(0, 255) for _ in range(3)] for _ in range(64)]
        rows = b"".join(bytes(steps[(x // 9 + y // 7 * 5) % 64]) for y in range(height) for x in range(width))
        source = folder / f"{number}.ppm"
        source.write_bytes(b"P6\n%d %d\n255\n" % (width, height) + rows)
        path = folder / f"{number}.jpg"
        subprocess.run(["cjpeg", *way, "-outfile", path, source], check=True)
        yield path, ["djpeg", "-pnm"]


def damaged(generator, path):
    """Returns the file truncated, and with one byte changed."""
    data = bytearray(path.read_bytes())
    cut = path.with_name("cut-" + path.name)
    cut.write_bytes(data[:generator.randint(8, len(data) - 1)])
    data[generator.randrange(8, len(data))] ^= 1 << generator.randrange(8)
    changed = path.with_name("changed-" + path.name)
    changed.write_bytes(data)
    return cut, changed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "build" / "dev" / "tests" / "bench" / "bench_decode"))
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    generator = random.Random(options.seed)
    reader = Reader(options.program)
    wrong, whole, failed = [], 0, 0

    def compare(path, command, is_damaged):
        nonlocal whole, failed
        ours, theirs = reader.read(path), peer(command, path)
        if isinstance(ours, str):
            failed += 1
            if theirs is not None and not is_damaged:
                wrong.append(f"{path.name}: {ours}, and {command[0]} reads it")
        elif theirs is None:
            if not is_damaged:
                wrong.append(f"{path.name}: {command[0]} does not read it")
        else:
            whole += 1
            if ours != theirs:
                at = next((i for i, (a, b) in enumerate(zip(ours[2], theirs[2])) if a != b), None)
                wrong.append(f"{path.name}: {ours[:2]} and {theirs[:2]}, the first difference at byte {at}")

    with tempfile.TemporaryDirectory(prefix="decode-oracle-") as folder:
        for number in range(options.rounds):
            place = pathlib.Path(folder) / str(number)
            place.mkdir()
            for path, command in [*make_pngs(generator, place), *make_jpegs(generator, place)]:
                compare(path, command, False)
                for other in damaged(generator, path):
                    compare(other, command, True)
        for path in options.files:
            compare(path, ["djpeg", "-pnm"] if path.suffix in (".jpg", ".jpeg") else ["pngtopam", "-alphapam"], False)
    print(f"{whole} pictures were compared, {failed} were refused, {len(wrong)} differ")
    print("\n".join(wrong[:20]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
