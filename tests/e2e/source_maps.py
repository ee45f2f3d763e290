"""Source maps as bundlers write them."""
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def vlq(number):
    value = -number << 1 | 1 if number < 0 else number << 1
    text = ""
    while True:
        value, digit = value >> 5, value & 31
        text += DIGITS[digit | (32 if value else 0)]
        if not value:
            return text


def mappings(segments):
    """Returns the mappings of one line: (column, source, line, column), counted from 0."""
    before, texts = (0, 0, 0, 0), []
    for segment in segments:
        texts.append("".join(vlq(now - then) for now, then in zip(segment, before)))
        before = segment
    return ",".join(texts)
