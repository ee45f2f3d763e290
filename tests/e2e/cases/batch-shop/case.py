"""In addition to expect.json: the pictures show what happened."""
from pictures import Picture


def mean(rows):
    return sum(map(sum, rows)) / sum(map(len, rows))


def run(ctx):
    shop = ctx.runs[-1]
    before = Picture(shop.picture(2, "pre")).thumbnail()
    after = Picture(shop.picture(2, "post")).thumbnail()
    # The dialog darkens the page behind it.
    ctx.expect(mean(after) < mean(before) - 30, "the dialog is not in the picture after the click")
    start = Picture(shop.picture(1, "post")).thumbnail()
    difference = max(abs(a - b) for one, two in zip(start, before) for a, b in zip(one, two))
    ctx.expect(difference < 24, "the picture before the first click is not the page as it was")
    errors = [log for log in shop.response(1)["logs"] if log["type"] == "error"]
    ctx.expect(any("404" in log["message"] for log in errors), "no error log for the missing picture")
    ctx.match(shop.response(1)["logs"],
              {"$contains": {"type": "warning", "source": "browser", "level": 3,
                             "message": {"$regex": "currency"}}}, "logs of the start")
