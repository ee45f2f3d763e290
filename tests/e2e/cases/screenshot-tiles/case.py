"""A tall page as slices: their positions and content, in chunks, files, messages and a history."""
import json

BROWSER = "shared"


HEIGHT, STEP, PAGE = 720, 684, 12064


def places(result, number):
    return [capture["place"] for capture in result.response(number)["captures"]["tiles"]]


def check_whole_page(ctx, result, number):
    tiles = places(result, number)
    ctx.expect(len(tiles) == 18, f"{len(tiles)} tiles")
    for index, place in enumerate(tiles):
        wanted = {"x": 0, "y": index * STEP, "width": 1280, "height": min(HEIGHT, PAGE - index * STEP)}
        ctx.expect(place == wanted, f"tile {index + 1} is at {place}, not {wanted}")
    for index, capture in enumerate(result.response(number)["captures"]["tiles"], 1):
        ctx.match(capture, {"width": 1280, "height": capture["place"]["height"], "scale": 1}, f"tile {index}")
        across, down = -(-capture["width"] // 28), -(-capture["height"] // 28)
        ctx.expect(capture["tokens"] == across * down, f"tile {index}: {capture['tokens']} tokens")
    ctx.expect("post" not in result.response(number)["screenshots"], "there is a post picture, too")


def run(ctx):
    page = ctx.origin + "/long/"
    part = {"x": 100, "y": 5000, "width": 300, "height": 1000}
    folder = ctx.base / "pictures"
    result = ctx.run_batch(
        [("start", {"url": page}),
         ("screenshot", {"tiles": True}),
         ("screenshot", {"tiles": True, "format": "png", "clip": json.dumps(part)}),
         ("screenshot", {"format": "png", "clip": json.dumps({**part, "y": 5000 + STEP, "height": 1000 - STEP})}),
         ("screenshot", {"tiles": True, "selector": "#harbour-5 .side svg"}),
         ("evaluate", {"expression": "[scrollX, scrollY, innerWidth, innerHeight]"})],
        "--screenshots", "explicit", "--chunk-size", "30000", "--save-dir", folder)
    ctx.expect(result.exit == 0, f"exit {result.exit}: {result.stderr[-300:]}")
    check_whole_page(ctx, result, 2)
    chunked = [capture for capture in result.response(2)["captures"]["tiles"] if "chunks" in capture]
    ctx.expect(chunked, "no tile is in chunks")
    for index in (1, 18):
        saved = folder / f"0002-screenshot-tile-{index:02}.jpg"
        if ctx.expect(saved.is_file(), f"{saved.name} was not saved"):
            ctx.expect(saved.read_bytes() == result.picture(2, f"tile-{index:02}"), f"{saved.name} is another picture")
    ctx.expect([place["y"] for place in places(result, 3)] == [5000, 5000 + STEP], f"clip: {places(result, 3)}")
    ctx.expect(result.picture(3, "tile-02") == result.picture(4), "the second tile is not what a clip there shows")
    ctx.expect(len(places(result, 5)) == 1, f"a small element: {places(result, 5)}")
    ctx.match(result.response(6)["result"], [0, 0, 1280, 720], "the page afterwards")

    convert = ctx.run(["history", "convert", "--provider", "anthropic"], stdin=result.stdout)
    ctx.expect(convert.exit == 0, f"convert: exit {convert.exit}: {convert.stderr[-300:]}")
    message = json.loads(convert.stdout.splitlines()[1])
    ctx.expect([block["type"] for block in message["content"]] == ["text"] + ["image"] * 18,
               f"blocks: {[block['type'] for block in message['content']]}")
    clean = ctx.run(["history", "clean", "--keep-images", "1"], stdin=result.stdout)
    ctx.expect(clean.stdout.count(b'"type":"image"') == 1, "clean keeps more than one picture")

    cut = ctx.run_batch([("start", {"url": ctx.origin + "/case/high.html"}),
                         ("screenshot", {"tiles": True, "maxEdge": 200})], "--screenshots", "explicit")
    ctx.expect(len(places(cut, 2)) == 50, f"{len(places(cut, 2))} tiles of a page of 40000 px")
    warning = {"type": "warning", "message": {"$regex": "the tiles end at 34236 px of 40000"}}
    ctx.match(cut.response(2)["logs"], {"$contains": warning}, "the logs")
