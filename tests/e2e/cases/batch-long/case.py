"""Reads the binary numbers at the left of the sections from the full-page picture."""
from pictures import Picture

BROWSER = "shared"


HEADER, INTRO, SECTION = 64, 192, 488


def number(rows, top):
    """Returns the number of the section whose upper edge is at `top`; None if there is none."""
    row = rows[(top + 24) // 8 + 1]
    flags = [row[(24 + 32 * i) // 8 + 1] < 128 for i in range(6)]
    return sum(flag << (4 - i) for i, flag in enumerate(flags[1:])) if flags[0] else None


def run(ctx):
    pictures = ctx.runs[-1]
    rows = Picture(pictures.picture(2)).thumbnail()
    found = [number(rows, HEADER + INTRO + SECTION * i) for i in range(24)]
    ctx.expect(found == list(range(1, 25)), f"sections in the full-page picture: {found}")
    ctx.expect(max(rows[2][60:140]) < 100, "the header is not at the top")
    # The sticky header is only at the top: nothing as dark crosses the sections. (A border of 8 px may.)
    dark = [i for i in range(9, len(rows) - 14) if max(rows[i][70:80] + rows[i + 1][70:80]) < 90]
    ctx.expect(not dark, f"the header is repeated in rows {dark[:5]} of 8 px")
    ctx.expect(max(rows[-3][60:140]) < 100, "the footer is not at the end")
