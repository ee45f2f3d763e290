"""Rejections and issues distinguished, objects shown to the documented depth, repetitions merged, clear()."""
from answers import Site

BROWSER = "shared"
SCRIPT = """
class Ship {
    constructor() {
        this.name = 'Beagle';
        this.rig = {masts: {main: {height: 30, sails: [1, 2]}}};
        this.crew = new Map([['captain', {name: 'FitzRoy'}]]);
        this.ports = new Set(['Bahia']);
        this.self = this;
    }
    get length() { window.wasCalled = true; return 27; }
}
console.log('ship', new Ship());
console.log([1, [2, [3]], {a: {b: 1}}], Array.from({length: 30}, (_, i) => i));
console.log({get x() { window.wasCalled = true; return 1; }, el: document.documentElement,
             error: new TypeError('odd'), f: function sail() {}, n: null, s: 'text', d: new Date(0)});
const changing = {count: 1, deep: {a: 1}};
console.log(changing);
changing.count = 2;
for (let i = 0; i < 500; i++) { console.warn('again and again'); }
console.info('once');
console.warn('again and again, elsewhere');
for (let i = 0; i < 3; i++) { console.log('a'); console.log('b'); }
Promise.reject(new RangeError('nobody listens'));
fetch('http://localhost:PORT/other').catch(() => 0);
new Image().src = 'http://other.example/x.png';
addEventListener('unload', () => 0);
performance.getEntriesByType('layout-shift');
setTimeout(() => { throw new Error('thrown late'); });
setTimeout(() => { document.title = 'done'; }, 300);
"""


def run(ctx):
    site = Site(ctx, {"/page.js": (200, {"Content-Type": "text/javascript"}, b"")})
    site.answers["/page.js"] = (200, {"Content-Type": "text/javascript"},
                                SCRIPT.replace("PORT", site.url.rsplit(":", 1)[1]).encode())
    site.answers["/"] = (200, {"Content-Type": "text/html", "Content-Security-Policy": "img-src 'self' data:",
                               "Set-Cookie": ["bad=1; SameSite=None", "good=1"]},
                         b'<!doctype html><link rel="icon" href="data:,"><script src="/page.js"></script>')
    result = ctx.run_batch([
        ("start", {"url": site.url + "/"}),
        ("wait", {"expression": "document.title === 'done'"}),
        ("evaluate", {"expression": "String(window.wasCalled)"}),
        ("evaluate", {"expression": "console.log('new'), 1"}),
        ("evaluate", {"expression": "1"})], "--screenshots", "none")
    logs = [log for response in result.responses[:2] for log in response["logs"] if log["source"] == "browser"]
    messages = [log["message"] for log in logs]

    def one(what, **wanted):
        found = [log for log in logs if what in log["message"]
                 and all(log.get(key) == value for key, value in wanted.items())]
        ctx.expect(len(found) == 1, f"{what} {wanted}: {len(found)} entries in {messages}")
        return found[0] if found else {"message": ""}

    for text in ("ship Ship {name: \"Beagle\", rig: {masts: {main: Object}}, "
                 "crew: Map(1) {\"captain\" => {name: \"FitzRoy\"}}, ports: Set(1) {\"Bahia\"}, self: [circular]}",
                 "[1, [2, [3]], {a: {b: 1}}] [" + ", ".join(map(str, range(20))) + ", …]",
                 "{x: (…), el: <html>, error: TypeError: odd, f: function sail, n: null, s: \"text\", "
                 "d: 1970-01-01T00:00:00.000Z}",
                 "{count: 1, deep: {a: 1}}"):
        ctx.expect(text in messages, f"not there: {text}")
    ctx.expect(result.response(3)["result"] == "undefined", "a getter of the page was called")

    ctx.match(one("again and again", count=500), {"type": "warning", "level": 3, "category": "console"}, "500 times")
    ctx.expect("count" not in one("elsewhere") and "count" not in one("once"), "what was said once has a count")
    ctx.expect([log["count"] for log in logs if log["message"] in ("a", "b")] == [3, 3], "a and b in turn")
    ctx.match(one("nobody listens"), {"kind": "rejection", "category": "javascript", "type": "error",
                                      "location": {"$regex": "page.js:\\d+:\\d+"}}, "a rejection")
    ctx.match(one("thrown late"), {"kind": "exception", "category": "javascript"}, "an exception")
    one("Content Security Policy")
    one("blocked by CORS policy")
    ctx.match(one("cookie bad"), {"kind": "cookie", "type": "warning", "category": "network"}, "a cookie")
    ctx.match(one("unload handler"), {"kind": "deprecation", "type": "warning"}, "a deprecation")
    ctx.expect(not any("given entry type" in message for message in messages), "known noise is there")
    errors = sum(response["metrics"]["jsErrors"] for response in result.responses)
    ctx.expect(errors == 2, f"{errors} JavaScript errors")

    said = [[log["message"] for log in result.response(number)["logs"]] for number in (4, 5)]
    ctx.expect(said == [["new"], []], f"each entry is in one answer: {said}")
