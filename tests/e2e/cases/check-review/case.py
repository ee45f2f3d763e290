"""check review: in a real browser pictures are accepted, rejected and undone, singly, by filter and by keyboard; two windows do not
overwrite each other; a baseline that changed meanwhile is shown again."""
import json
import signal
import urllib.error
import urllib.parse
import urllib.request

import png_files
from answers import Site, page

BROWSER = "any"

BOX = "<body style='margin: 0'><div style='width: 200px; height: 100px; background: %s'></div><p>%s</p>"
NAMES = ["one", "two", "three", "four", "five"]


class Window:
    """A tab of the browser with the review's page."""

    def __init__(self, ctx, browser, url, tab=None):
        self.ctx, self.browser, self.tab = ctx, browser, tab
        if tab:
            self.ask("tab", op="new", url=url)
        else:
            self.ask("start", url=url)

    def ask(self, kind, **parameters):
        answer = self.browser.ask(kind, parameters)
        self.ctx.expect(answer["success"], f"{kind} {parameters}: {answer.get('error')}")
        return answer

    def front(self):
        self.ask("tab", op="activate", id=self.tab or 1)
        return self

    def click(self, text):
        self.ask("click", selector=f"#main [data-decide={text}]")

    def press(self, key):
        self.ask("press", key=key)

    def shows(self, what):
        """Waits for a condition in the page's own words."""
        self.ask("wait", expression=what)

    def badge(self, name, text):
        """Waits until the list shows this decision about a check; "": none."""
        badge = f"document.querySelector(\".row-link[data-id='{name}@desktop'] .decision\")"
        self.shows(f"{badge}.textContent.includes('{text}')" if text else f"document.querySelector(\".row-link[data-id='{name}@desktop']\") && !{badge}")


def run(ctx):
    site = Site(ctx, {})
    suite = {"baseUrl": site.url + "/", "viewports": {"desktop": {"width": 300, "height": 200}},
             "checks": [{"name": name, "url": f"/{name}", "tags": ["odd"] if name in ("four", "five") else []} for name in NAMES]}
    ctx.file("smoke.json", json.dumps(suite))
    site.answers.update({f"/{name}": page(BOX % ("red", name)) for name in NAMES})
    (ctx.work / "smoke.baselines").mkdir()
    navy = png_files.page(300, 200, [(0, 0, 200, 100, (0, 0, 128))])
    for name in NAMES:
        ctx.file(f"smoke.baselines/{name}@desktop.png", navy)
    drawn_by = {"browser": "Chrome 1", "width": 300, "height": 200, "scale": 1.0}
    ctx.file("smoke.baselines/one@desktop.json", json.dumps(drawn_by))
    done = ctx.run(["check", "smoke.json", "--retries", "0", *ctx.browser_args()], seconds=60, complete=False)
    ctx.expect(done.exit == 1, f"exit {done.exit}: {done.text}")

    def baseline(name):
        path = ctx.work / f"smoke.baselines/{name}@desktop.png"
        return path.read_bytes() if path.exists() else None

    actual = {name: (ctx.work / f"smoke.report/images/{name}@desktop.actual.png").read_bytes() for name in NAMES}
    before = {name: baseline(name) for name in NAMES}
    ctx.expect(all(actual[name] != before[name] for name in NAMES), "no check differs")
    server = ctx.start(["check", "review", "--no-open"])
    line = server.line()
    ctx.match({key: line[key] for key in ("kind", "server")}, {"kind": "listening", "server": "review"}, "the line")
    url = line["url"]
    check_strangers(ctx, url)

    browser = ctx.start(["run", "-", "--screenshots", "none", *ctx.browser_args(), "--viewport", "1200x800"])
    first = Window(ctx, browser, url + "#check=one%40desktop")
    first.ask("wait", selector="#main [data-decide=accept]")
    first.click("accept")
    first.badge("one", "Accepted")
    ctx.expect(baseline("one") == actual["one"], "the baseline is not the picture")
    origin = json.loads((ctx.work / "smoke.baselines/one@desktop.json").read_text())
    ctx.match(origin, {"width": 300, "height": 200, "browser": {"$regex": "Chrome"}}, "its origin")
    first.press("r")  # rejects the check that is shown, which is decided: nothing
    first.press("u")
    first.badge("one", "")
    ctx.expect(baseline("one") == before["one"], "undone, but not as before")
    ctx.match(json.loads((ctx.work / "smoke.baselines/one@desktop.json").read_text()), drawn_by, "undone: its origin")

    # By keyboard: accept, and the next open check is shown; reject; undo.
    first.press("y")
    first.shows("document.querySelector('#check-name').textContent === 'two'")
    first.press("r")
    first.badge("two", "Rejected")
    ctx.expect(baseline("one") == actual["one"] and baseline("two") == before["two"], "by keyboard")

    # A second window knows what was decided; what the first decides meanwhile is not overwritten.
    second = Window(ctx, browser, url + "#check=three%40desktop", tab=2)
    second.badge("two", "Rejected")
    second.ask("evaluate", expression="document.title = 'second'")
    first.front()
    first.ask("click", selector=".row-link[data-id='three@desktop']")
    first.ask("wait", expression="document.querySelector('#check-name').textContent === 'three'")
    first.click("reject")
    first.badge("three", "Rejected")
    second.front()
    second.badge("three", "Rejected")
    second.click("undo")
    second.badge("three", "")
    ctx.expect(baseline("three") == before["three"], "three was written")

    # A baseline that changed meanwhile is shown, and only then replaced.
    (ctx.work / "smoke.baselines/three@desktop.png").write_bytes(actual["four"])
    second.click("accept")
    second.ask("wait", text="The baseline has changed since the run")
    ctx.expect(baseline("three") == actual["four"], "a changed baseline was overwritten")
    second.shows("[...document.querySelectorAll('.picture-expected')].every((image) => image.src.includes('which=baseline') && image.naturalWidth === 300)")
    second.click("accept")
    second.badge("three", "Accepted")
    ctx.expect(baseline("three") == actual["three"], "three was not written")
    second.click("undo")
    second.badge("three", "")
    ctx.expect(baseline("three") == actual["four"], "undone, but not as before")

    # All that the filter lists.
    second.press("s")
    second.ask("click", selector="[data-tag=odd]")
    second.ask("click", selector=".summary > .decision-bar [data-decide=accept]")
    second.badge("five", "Accepted")
    ctx.expect(baseline("four") == actual["four"] and baseline("five") == actual["five"], "not all were written")
    ctx.expect(baseline("three") == actual["four"] and baseline("two") == before["two"], "more than those were written")
    second.ask("click", selector="#end-review")
    ended = server.wait(complete=False)
    browser.close_stdin()
    browser.wait()
    ctx.expect(ended.exit == 0, f"exit {ended.exit}: {ended.text}")
    said = ended.stdout.decode().splitlines()[1:]
    ctx.expect(said == ["approved one@desktop", "approved four@desktop", "approved five@desktop", "rejected two@desktop", "1 open"], f"{said}")

    # What was approved is known to the next review; a signal ends it. A report names its suite.
    server = ctx.start(["check", "review", "smoke.report", "--no-open"])
    server.line()
    server.signal(signal.SIGINT)
    said = server.wait(complete=False).stdout.decode().splitlines()[1:]
    ctx.expect(said == ["approved one@desktop", "approved four@desktop", "approved five@desktop", "2 open"], f"{said}")
    for args, words in ((["nowhere.json"], "nowhere.json"), (["smoke.report", "smoke.report"], "both reports"), (["smoke.json", "--report", "none"], "none/results.json")):
        refused = ctx.run(["check", "review", *args, "--no-open"], complete=False)
        ctx.expect(refused.exit == 2 and words in refused.stderr, f"{args}: exit {refused.exit}: {refused.text}")


def check_strangers(ctx, url):
    """Without the token there is nothing; with it only pictures, and no file outside."""
    parts = urllib.parse.urlparse(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    picture = f"{origin}/picture?check=one%40desktop&which=actual"

    def status(address, **headers):
        try:
            with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=20) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    token = "&" + parts.query
    cases = {picture: 401, origin + "/": 401, picture + token: 200, url: 200,
             f"{origin}/picture?check=..%2F..%2Fsmoke&which=actual{token}": 404, f"{origin}/picture?check=one%40desktop&which=..%2Fx{token}": 404,
             f"{origin}/smoke.json?{parts.query}": 404}
    found = {address: status(address) for address in cases}
    ctx.expect(found == cases, f"{found}")
    ctx.expect(status(url, Origin="http://evil.example") == 403, "another origin's page reads the review")
    ctx.expect(status(url, Host="evil.example") in (403, 421), "another host's name is accepted")
