"""Which JPEG comes from Chrome: one of a low quality that needs neither another size nor anything painted over. Its colours have half the
resolution, ours all of it; the brightness is that of ours."""
from pictures import Picture

BROWSER = "shared"
CHROMES, OURS = 2, 1  # horizontal sampling of brightness, relative to that of colours
NO_AI = "document.querySelector('#marked').toggleAttribute('data-no-ai')"


def run(ctx):
    shots = {2: ({}, CHROMES), 3: ({"quality": 25, "maxBytes": 1000000}, CHROMES), 4: ({"quality": 26}, OURS), 5: ({"maxEdge": 640}, OURS),
             6: ({"clip": '{"x": 0, "y": 0, "width": 320, "height": 400}'}, OURS), 7: ({"labels": True}, OURS), 9: ({}, OURS),
             10: ({"ignoreNoAi": True}, CHROMES), 11: ({"quality": 10, "ignoreNoAi": True}, CHROMES)}
    steps = [("start", {"url": ctx.origin + "/case/colours.html"})]
    for number in range(2, 12):
        steps.append(("screenshot", shots[number][0]) if number in shots else ("evaluate", {"expression": NO_AI}))
    size = len(ctx.run_batch(steps[:2], "--screenshots", "explicit").picture(2))
    result = ctx.run_batch(steps + [("evaluate", {"expression": NO_AI}), ("screenshot", {"maxBytes": size - 1})], "--screenshots", "explicit")
    for number, (parameters, wanted) in {**shots, 13: ({"maxBytes": size - 1}, OURS)}.items():
        found = Picture(result.picture(number)).jpeg.components[0]["h"]
        ctx.expect(found == wanted, f"{number}, {parameters}: sampling {found}, not {wanted}")
        capture = result.response(number)["captures"]["post"]
        ctx.expect(capture["bytes"] == len(result.picture(number)), f"{number}: {capture}")
    ctx.expect(result.picture(3) == result.picture(2), "maxBytes changes what fits")
    ctx.expect(len(result.picture(13)) < size, f"maxBytes {size - 1}: {len(result.picture(13))} bytes")
    ctx.match(result.response(2)["captures"]["post"], {"width": 1280, "height": 720, "scale": 1}, "Chrome's")

    shown, ours, covered = (Picture(result.picture(number)).thumbnail() for number in (2, 4, 9))
    most = max(abs(one - other) for row, others in zip(shown, ours) for one, other in zip(row, others))
    ctx.expect(most <= 12, f"the brightness differs from ours by up to {most}")
    ctx.expect(shown[50][20] < 20 and abs(covered[50][20] - 128) < 10, f"what is marked: {shown[50][20]}, then {covered[50][20]}")
