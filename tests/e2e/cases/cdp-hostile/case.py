"""What no client should send: texts, which are answered as by Chrome's own port where docs/cdp.md says nothing else, and
frames. Others hear nothing of it."""
import json

from endpoint import Raw, observed

BROWSER = "any"
PATH = "/devtools/browser/x?context=profile"
GET = '"method":"Browser.getVersion"'
PINGS, COLLISIONS = 20000, 2000


def nested(depth):
    return '{"id":7,%s,"params":{"a":%s%s}}' % (GET, "[" * depth, "]" * depth)


IDS = ["-5", "0", "2147483647", "-2147483648", "2147483648", "-2147483649", "9007199254740993", "1e300", "1.5", "7.0", "1e3",
       "70E-1", "-0", "-0.0", '"7"', '""', "null", "[1]", "[]", "{}", "true", "false", "1e400", "007", "+7", "7.", "0x7", "NaN"]
TEXTS = [
    *('{"id":%s,%s}' % (number, GET) for number in IDS), "{%s}" % GET,
    "", "   ", "{", "}", "[]", "[1]", "7", '"text"', "null", "{}", "[" * 100000, "{" * 400, '{"id":7}', '{"id":7,"method":7}',
    '{"id":7,"method":null}', '{"id":7,"method":""}', '{"id":7,"method":"Nothing.here"}', '{"id":7,"method":"Browser.\\u0067etVersion"}',
    '{"id":7,"method":"Browser.getVersion\\u0000"}', '{"\\u0069d":7,%s}' % GET, "{'id':7,%s}" % GET, '{"id":7,%s,}' % GET,
    '{"id":7 /*c*/,%s}' % GET, '\ufeff{"id":7,%s}' % GET, '{"id":7,%s}x' % GET, '{"id":7,%s}{"id":8,%s}' % (GET, GET),
    '{"id":7,%s}\x00' % GET, '{"id":7,%s}\x00{"id":8,%s}' % (GET, GET), '\x00', '{"id":7,%s,"more":1}' % GET,
    *('{"id":7,%s,"sessionId":%s}' % (GET, value) for value in ('""', "null", "7", '"nobody\'s"', "[]")),
    *('{"id":7,"method":"%s","params":%s}' % (method, value) for method in ("Browser.getVersion", "Target.getTargetInfo", "Target.attachToTarget")
      for value in ("null", "[]", "[1]", "7", '"x"', "true", "{}")),
    '{"id":7,%s,"params":{"a":1,"a":2}}' % GET, '{"id":7,%s,"params":{"a":1e999}}' % GET, '{"id":7,%s,"params":{"a":"\\ud800"}}' % GET,
    '{"id":7,%s,"params":{"a":"\\x"}}' % GET, '{"id":7,%s,"params":{"a":tru}}' % GET, nested(290), nested(298), nested(299), nested(350),
]
# Texts that are answered in another way than by Chrome, and how. A text with a mistake is answered with its id, if that comes before.
OTHERWISE = {
    '{"id":7,%s,"params":{"a":"\t"}}' % GET: -32700,
    '{"id":7,%s,"id":8}' % GET: -32600,
    '{"id":7,%s,%s}' % (GET, GET): -32600,
}
FRAMES = [
    ("binary", [('{"id":7,%s}' % GET, {"opcode": 2})], 1003), ("a reserved opcode", [("x", {"opcode": 3})], 1002),
    ("a reserved control opcode", [("x", {"opcode": 11})], 1002), ("a reserved bit", [('{"id":7,%s}' % GET, {"reserved": 4})], 1002),
    ("another reserved bit", [('{"id":7,%s}' % GET, {"reserved": 1})], 1002),
    ("what is no UTF-8", [(b'{"id":7,"method":"\xff"}', {})], 1007), ("half a pair", [(b'{"id":7,"method":"\xed\xa0\x80"}', {})], 1007),
    ("half a character", [(b'{"id":7,"method":"\xc3', {"final": False}), (b'"}', {"opcode": 0})], 1007),
    ("a continuation of nothing", [("x", {"opcode": 0})], 1002), ("a text in a text", [("x", {"final": False}), ("x", {})], 1002),
    ("a ping in parts", [("x", {"opcode": 9, "final": False})], 1002), ("a close with half a code", [("x", {"opcode": 8})], None),
    ("a ping that is too long", [("x" * 126, {"opcode": 9}), ('{"id":7,%s}' % GET, {})], None),
]
BYTES = [("more than 100 MB", b"\x81\xff\0\0\0\0\x07\0\0\0abcd" + b"x" * 1000, 1009), ("more than there is", b"\x81\xff\x7f" + b"\xff" * 7 + b"abcdx", 1009),
         ("less than nothing", b"\x81\xff" + b"\xff" * 8 + b"abcd", None)]


def run(ctx):
    with observed(ctx) as (served, observer):
        url = served.websocket + PATH
        other = Raw(served.websocket + "/devtools/browser/x")
        other.send('{"id":1,%s}' % GET)
        ctx.expect("result" in other.reply(), "a client")
        texts(ctx, url, observer.url)
        frames(ctx, url)
        floods(ctx, url)
        collisions(ctx, url)
        # It has heard nothing of all that.
        other.send('{"id":2,%s}' % GET)
        reply = other.reply()
        ctx.expect(reply and reply.get("id") == 2 and "result" in reply, f"another client: {reply}")
        other.close()


def say(client, text):
    """Code of the error, or "result", with the id; and the message."""
    client.send(text)
    reply = client.reply()
    if not isinstance(reply, dict):
        return reply, None, ""
    return reply["error"]["code"] if "error" in reply else "result", reply.get("id"), reply.get("error", {}).get("message", "")


def texts(ctx, url, own_url):
    """On one connection each, which lives on."""
    ours, theirs = Raw(url), Raw(own_url)
    for text in TEXTS:
        code, number, message = say(ours, text)
        chromes, chromes_number, words = say(theirs, text)
        shown = f"{text[:80]!r}: {code} {number} {message}; Chrome: {chromes} {chromes_number} {words}"
        ctx.expect(code == chromes, shown)
        ctx.expect(number == (7 if chromes_number is None and number == 7 else chromes_number), shown)
        ctx.expect(code not in (-32700, -32600) or "at byte" in message or message == words, f"no place: {shown}")
    for text, wanted in OTHERWISE.items():
        code, number, message = say(ours, text)
        ctx.expect((code, number) == (wanted, 7), f"{text[:80]!r}: {code} {number} {message}")
        ctx.expect(say(theirs, text)[0] != wanted, f"Chrome does the same with {text[:80]!r}")
    ours.close()
    theirs.close()


def frames(ctx, url):
    for name, sent, code in FRAMES:
        client = Raw(url)
        for payload, more in sent:
            client.send(payload, **more)
        expect_close(ctx, client, name, code)
    for name, sent, code in BYTES:
        client = Raw(url)
        client.socket.sendall(sent)
        expect_close(ctx, client, name, code)
    # A message in fragments of one byte, with pings between.
    client = Raw(url)
    text = '{"id":7,%s}' % GET
    client.socket.sendall(b"".join(Raw.frame(text[i], opcode=0 if i else 1, final=i == len(text) - 1) + Raw.frame("p", opcode=9)
                                   for i in range(len(text))))
    ctx.expect("result" in client.reply(), "a message in fragments")
    # Half a frame, and half a message, and away.
    client.send(text[:5], final=False)
    client.socket.sendall(Raw.frame(text)[:9])
    client.close()


def expect_close(ctx, client, name, code):
    end = client.reply()
    # A close is echoed as it came.
    ctx.expect(end is None or len(end[1]) == 0 if code is None else end and end[0] == code, f"{name}: {end}, not {code}")
    client.close()


def floods(ctx, url):
    client = Raw(url)
    for _ in range(PINGS // 1000):
        client.socket.sendall(Raw.frame("ping", opcode=9) * 1000)
        client.send('{"id":7,%s}' % GET)
        ctx.expect("result" in client.reply(), "a reply among pings")
    client.close()


def collisions(ctx, url):
    """The same ids from two clients, and from each of them again and again."""
    clients = [Raw(url), Raw(url.partition("?")[0])]
    for client in clients:
        client.socket.sendall(b"".join(Raw.frame('{"id":%d,%s}' % (i % 3, '"method":"Nothing.%d"' % i if i % 2 else GET)) for i in range(COLLISIONS)))
    for client in clients:
        for i in range(COLLISIONS):
            reply = client.reply()
            what = f"Nothing.{i}" in reply["error"]["message"] if i % 2 else "product" in reply["result"]
            ctx.expect(reply["id"] == i % 3 and what, f"{i}: {json.dumps(reply)[:200]}")
        client.close()
