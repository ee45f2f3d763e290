"""A terminal that the program writes to, and pictures of its content."""
import fcntl
import os
import pty
import re
import struct
import termios
import time
import unicodedata
from xml.sax.saxutils import escape

from processes import SLOWNESS

COLORS = {"31": "#f47067", "32": "#8ddb8c", "33": "#f0c674", "34": "#6cb6ff", "35": "#dcbdfb", "36": "#76e3ea", "90": "#8b949e"}
CELL, LINE, MARGIN = 8.4, 18, 12


class Terminal:
    """A terminal with a number of columns, and its output."""

    def __init__(self, columns=60):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.got = bytearray()

    def read(self, until, seconds=20):
        end = time.monotonic() + seconds * SLOWNESS
        os.set_blocking(self.master, False)
        while until not in self.got and time.monotonic() < end:
            try:
                self.got += os.read(self.master, 1 << 16)
            except BlockingIOError:
                time.sleep(0.01)
            except OSError:
                break
        return self.got.decode(errors="replace")

    def close(self):
        os.close(self.master)
        os.close(self.slave)


def width(text):
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def picture(text, columns):
    """Draws coloured lines as SVG: each part is at its column, whatever the font."""
    lines = text.replace("\r", "").rstrip("\n").split("\n")
    rows = []
    style = []
    for number, line in enumerate(lines):
        column = 0
        for part in re.split(r"(\x1b\[[\d;]*m)", line):
            if part.startswith("\x1b"):
                codes = part[2:-1].split(";")
                style = [] if codes in (["0"], [""]) else style + codes
                continue
            for word in re.findall(r"\S+(?: \S+)*| +", part.expandtabs()):
                if not word.isspace():
                    rows.append(placed(word, column, number, style))
                column += width(word)
    size = (columns * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]:g}" height="{size[1]:g}" '
        f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#d1d5da">',
        f'<rect width="{size[0]:g}" height="{size[1]:g}" rx="6" fill="#1c2128"/>', *rows, "</svg>", ""])


def placed(word, column, row, style):
    color = next((f' fill="{COLORS[code]}"' for code in style if code in COLORS), "")
    bold = ' font-weight="bold"' if "1" in style else ""
    return (f'<text x="{MARGIN + column * CELL:g}" y="{MARGIN + (row + 0.75) * LINE:g}" '
            f'textLength="{width(word) * CELL:g}" lengthAdjust="spacingAndGlyphs"{color}{bold}>{escape(word)}</text>')


def compare_picture(ctx, path, text, columns):
    """Compares the picture in the documentation with the terminal's content."""
    shown = picture(text, columns)
    if os.environ.get("E2E_WRITE_PICTURES"):
        path.write_text(shown)
    ctx.expect(path.exists() and path.read_text() == shown,
               f"{path.name} is not what the terminal shows; E2E_WRITE_PICTURES=1 writes it")
