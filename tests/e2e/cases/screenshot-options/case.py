"""A higher quality costs more bytes, and the default is 25."""


def run(ctx):
    pictures = ctx.runs[-1]
    sizes = [len(pictures.picture(number)) for number in (2, 3)]
    ctx.expect(sizes[1] > 1.5 * sizes[0], f"quality 25: {sizes[0]} bytes, quality 90: {sizes[1]}")
