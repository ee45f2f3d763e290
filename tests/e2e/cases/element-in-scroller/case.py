"""A picture of an element that its scrolling box hides: it shows the element, and scroll positions are restored."""
from pictures import Picture, png_parts

BROWSER = "shared"
WANTED = {"#in-plain": (200, 30, 40), "#in-smooth": (20, 130, 40), "#in-nested": (30, 60, 180),
          "#in-part": (150, 90, 10), "#in-low": (90, 20, 150), "#in-shadow": (10, 120, 130)}


def paeth(left, up, corner):
    guess = left + up - corner
    return min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]


def colours(content):
    """Returns the colours of a PNG of whole bytes, with the number of their pixels."""
    picture, (depth, kind) = Picture(content), content[24:26]
    size = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    if depth != 8:
        raise ValueError(f"a PNG of {depth} bits")
    above, found, width = bytearray(picture.width * size), {}, picture.width * size
    for start in range(0, len(picture.pixels), width + 1):
        method, row = picture.pixels[start], bytearray(picture.pixels[start + 1:start + 1 + width])
        for i in range(width):
            left, corner = (row[i - size], above[i - size]) if i >= size else (0, 0)
            row[i] = (row[i] + (0, left, above[i], (left + above[i]) // 2,
                                paeth(left, above[i], corner))[method]) & 255
        for i in range(0, width, size):
            pixel = bytes(row[i:i + size])
            if kind == 3:
                pixel = png_parts(content, b"PLTE")[0][3 * pixel[0]:3 * pixel[0] + 3]
            elif kind in (0, 4):
                pixel = pixel[:1] * 3
            found[tuple(pixel[:3])] = found.get(tuple(pixel[:3]), 0) + 1
        above = row
    return found


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/boxes.html", "timeout": 30000}), ("evaluate", {"expression": "moveAll()"})]
    for selector in WANTED:
        steps += [("screenshot", {"selector": selector, "format": "png"}),
                  ("evaluate", {"expression": "places()"})]
    result = ctx.run_batch(steps, "--screenshots", "none", "--timeout", "6000")
    ctx.expect(result.exit == 0, f"exit {result.exit}")
    before = result.response(2)["result"]
    ctx.expect(before[1] == 37 and before[2] == 11, f"the page did not scroll: {before}")
    for i, (selector, colour) in enumerate(WANTED.items()):
        shot, after = result.response(2 * i + 3), result.response(2 * i + 4)
        if ctx.expect(shot["success"], f"{selector}: {shot.get('error')}"):
            found = colours(result.picture(2 * i + 3))
            ctx.expect(found == {colour: 120 * 60}, f"{selector}: {colour} is due alone, there are {found}")
        ctx.expect(after.get("result") == before,
                   f"{selector}: scrolled before {before}, afterwards {after.get('result')}")
