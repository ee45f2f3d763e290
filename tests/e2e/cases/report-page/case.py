"""The page of a report of 2,000 checks, opened from disk: lists, modes, keys, themes, and texts that are not interpreted."""
import json
import pathlib
import re
import subprocess

import jsonschema

from harness import ROOT, Failure

BROWSER = "any"


CHECKS, FAILED, ERRORS = 2000, 125, 5
MODES = ["Side by side", "Slider", "Overlay", "Blink", "Diff", "Expected", "Actual"]
HOME = "#check=home-0000%40desktop"


class Script:
    """Steps and their expected answers, run as one batch."""

    def __init__(self, ctx, page):
        self.ctx, self.page = ctx, page
        self.look = (ctx.dir / "look.js").read_text()
        self.steps, self.wanted = [("start", {"url": "about:blank"})], []
        self.quiet = None  # how many steps the browser has nothing to say about; None: all

    def act(self, kind, **parameters):
        self.steps.append((kind, parameters))

    def open(self, fragment=""):
        self.act("navigate", url="about:blank")
        self.act("navigate", url=self.page.as_uri() + fragment)

    def turn(self, fragment):
        """Shows another part of the page that is open."""
        self.act("evaluate", expression=f"location.hash = {json.dumps(fragment)}")

    def press(self, *keys):
        for key in keys:
            self.act("press", key=key)

    def ask(self, expression, wanted, what=None):
        """Waits up to 3 s for the expected value; a function is applied to the value after a moment."""
        text = (f"{self.look}\n(async () => {{ await look.rest(); let last; for (let i = 0; i < 60; i++) {{ last = await ({expression});"
                f" if ({self.condition(wanted)}) return last; await new Promise((done) => setTimeout(done, 50)); }}"
                " return last; })()")
        self.act("evaluate", expression=text)
        self.wanted.append((len(self.steps), wanted, what or expression))

    @staticmethod
    def condition(wanted):
        return "true" if callable(wanted) else f"JSON.stringify(last) === JSON.stringify({json.dumps(wanted)})"

    def run(self, *args):
        run = self.ctx.run_batch(self.steps, "--screenshots", "none", "--viewport", "1280x800", *args, seconds=200)
        for response, (kind, parameters) in zip(run.responses, self.steps):
            self.ctx.expect(response["success"], f"{response['id']} {kind} {str(parameters)[-300:]}: {response.get('error')}")
        for response, (kind, parameters) in zip(run.responses, self.steps[:self.quiet]):
            said = [log for log in response["logs"] if log["source"] == "browser"]
            self.ctx.expect(not said, f"{response['id']} {kind}: the page said {said}")
        for number, wanted, what in self.wanted:
            result = run.response(number).get("result")
            holds = wanted(result) if callable(wanted) else result == wanted
            self.ctx.expect(holds, f"{number}: {what} is {json.dumps(result)[:600]}, not {wanted}")
        return run


def sample(ctx, name="report"):
    program = pathlib.Path(ctx.options.binary).resolve().parent / "tests" / "e2e" / "report_sample"
    if not program.is_file():
        raise Failure(f"{program} is missing: the tests were not built")
    folder = ctx.base / name
    subprocess.run([program, folder, str(CHECKS)], check=True, timeout=120)
    return folder


def check_junit(ctx, folder):
    done = subprocess.run(["xmllint", "--noout", "--schema", ROOT / "fixtures/report/junit.xsd", folder / "junit.xml"],
                          capture_output=True, text=True, timeout=60)
    ctx.expect(done.returncode == 0, f"junit.xml: {done.stderr[-600:]}")
    broken = (folder / "junit.xml").read_text().replace("<error ", "<mistake ", 1).replace("</error>", "</mistake>", 1)
    (ctx.base / "broken.xml").write_text(broken)
    done = subprocess.run(["xmllint", "--noout", "--schema", ROOT / "fixtures/report/junit.xsd", ctx.base / "broken.xml"],
                          capture_output=True, timeout=60)
    ctx.expect(done.returncode != 0, "the schema allows everything")


def check_results(ctx, folder):
    """Checks the results against their schema, which refuses what the program refuses."""
    schema = json.loads((ROOT / "docs/schema/results.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    results = json.loads((folder / "results.json").read_text())
    # Of the checks with the same members one is enough.
    results["checks"] = list({(check["status"], *check, *check.get("images", ())): check for check in results["checks"]}.values())
    ctx.expect(len(results["checks"]) > 8, f"only {len(results['checks'])} kinds of checks")
    for document in (results, json.loads((ROOT / "fixtures/report/results.json").read_text())):
        fault = jsonschema.exceptions.best_match(validator.iter_errors(document))
        ctx.expect(fault is None, f"results.json: {fault}")
    first = results["checks"][0]
    for fault in ({"status": "odd"}, {"images": {"diff": "images/../x.png"}}, {"images": {"diff": "/x.png"}},
                  {"approve": "a\nb"}, {"attempts": -1}, {"viewport": {}}):
        broken = {**results, "checks": [{**first, **fault}]}
        ctx.expect(not validator.is_valid(broken), f"the schema allows {fault}")


def lists(script):
    script.open()
    script.ask("look.text('#verdict')", f"{ERRORS} errors, {FAILED} failed of 2,000")
    script.ask("look.text('#found')", "2,000 checks")
    script.ask("look.nodes()", lambda nodes: 200 < nodes < 900)
    script.ask("look.all('.notices li').length", 2)
    script.ask("look.text('.main')", lambda text: "Equal changes" in text and "Stale baselines" in text and "old@desktop.png" in text)
    script.ask("look.all('.group').length", 12)
    script.act("click", selector=".chip.is-failed")
    script.ask("look.text('#found')", "125 of 2,000 checks")
    script.ask("look.all('.row-check .sign').every((sign) => sign.classList.contains('is-failed'))", True)
    script.act("click", selector=".chip.is-flaky")
    script.ask("look.text('#found')", "129 of 2,000 checks")
    script.act("type", selector="#query", text="desktop  HOME")
    script.ask("look.text('#found')", lambda text: re.fullmatch(r"\d\d of 2,000 checks", text))
    script.ask("look.names().every((name) => name.startsWith('home-') && name.endsWith('@desktop'))", True)
    script.ask("location.hash", lambda text: "q=desktop" in text and "status=failed%2Cflaky" in text)
    script.press("Escape")
    script.press("Escape")
    script.ask("look.text('#found')", "2,000 checks")
    script.act("click", selector=".tags .chip", nth=1)
    script.ask("look.text('#found')", "500 of 2,000 checks")
    script.act("click", selector="#clear")
    script.ask("look.text('#found')", "2,000 checks")
    # From one end to the other: no row too many, none missing, all in order.
    script.ask("(document.querySelector('#list').scrollTop = 1e9, look.names().at(-1))", "home-1998@desktop")
    script.ask("look.nodes()", lambda nodes: nodes < 900)
    script.ask("""(async () => { const seen = new Set(); const list = document.querySelector('#list');
        for (let top = 0; top <= list.scrollHeight; top += 700) { list.scrollTop = top; list.dispatchEvent(new Event('scroll'));
          look.names().forEach((name) => seen.add(name)); if (look.nodes() > 900) return 'too many nodes'; }
        return seen.size; })()""", CHECKS)
    script.act("type", selector="#query", text="no such check")
    script.ask("[look.names().length, look.text('#found')]", [0, "0 of 2,000 checks"])
    script.press("Escape", "Escape")


def modes(script):
    script.open(HOME + "&mode=side")
    script.ask("look.text('#check-name')", "home-0000")
    script.ask("document.title", "home-0000@desktop · tests/smoke.json · visual checks")
    shown = {"Side by side": ["expected", "actual"], "Diff": ["diff"], "Expected": ["expected"], "Actual": ["actual"]}
    for number, mode in enumerate(MODES, 1):
        script.press(str(number))
        script.ask("look.pressed()", mode)
        kinds = shown.get(mode, ["expected", "actual"])
        script.ask("look.pictures().map(({ kind, isLoaded }) => [kind, isLoaded])", [[kind, True] for kind in kinds], mode)
        if mode in shown:
            script.ask("look.pictures().every(({ isShown }) => isShown)", True)
    script.ask("location.hash", lambda text: "mode=actual" in text)
    # The slider cuts both pictures at the same place, and moves.
    script.press("2")
    cuts = "look.all('.stage img').map((image) => getComputedStyle(image).clipPath)"
    script.ask(cuts, lambda cuts: len(cuts) == 2 and all(cut.startswith("inset(") for cut in cuts) and cuts[0] != cuts[1])
    script.press("ArrowLeft", "ArrowLeft")
    script.ask("document.querySelector('.handle').getAttribute('aria-valuenow')", "40")
    script.act("drag", selector=".handle", to={"x": 1200, "y": 500})
    script.ask("Number(document.querySelector('.handle').getAttribute('aria-valuenow'))", lambda value: value > 60)
    script.press("]")
    script.ask("""(() => { const at = (element) => { const box = element.getBoundingClientRect(); return box.left + box.width / 2; };
        return Math.abs(at(document.querySelector('.handle')) - at(document.querySelector('.is-current'))) < 3; })()""", True)
    script.press("[", "f")
    # The overlay lets one picture shine through the other.
    script.press("3", "ArrowRight")
    script.ask("document.querySelector('.picture-actual').style.opacity", "0.55")
    script.act("click", selector="#mode-controls input[type=checkbox]")
    script.ask("getComputedStyle(document.querySelector('.picture-actual')).mixBlendMode", "difference")
    # Blinking shows one, then the other, and stops.
    script.press("4")
    script.ask("""(async () => { const seen = new Set(); for (let i = 0; i < 40; i++) {
        seen.add(look.text('.pane-label') + look.pictures().filter(({ isShown }) => isShown).map(({ kind }) => kind));
        await new Promise((done) => setTimeout(done, 50)); } return [...seen].sort(); })()""",
               ["Actualactual", "Expectedexpected"])
    script.press("Space")
    script.ask("look.text('#blink-toggle')", "Blink")
    # Regions: outlined, visited one after the other, hidden.
    script.press("5")
    script.ask("look.regions().length", 2)
    for number in (1, 2):
        script.press("]")
        script.ask("look.text('#regions-toggle')", f"{number} of 2")
        script.ask("look.regions().findIndex(({ isCurrent }) => isCurrent)", number - 1)
        script.ask("look.regions().find(({ isCurrent }) => isCurrent)", lambda at: 0.2 < at["x"] < 0.95 and 0.02 < at["y"] < 0.9)
    script.press("o")
    script.ask("look.regions().length", 0)
    # Zoom: pixel by pixel, the whole picture, by the wheel at the pointer.
    script.press("0")
    script.ask("look.pictures()[0].width", 960)
    script.press("f")
    script.ask("look.pictures()[0].width", lambda width: 200 < width < 900)
    script.ask("""(async () => { const pane = document.querySelector('.pane'); const box = pane.getBoundingClientRect();
        const image = pane.querySelector('img'); const x = box.left + box.width / 2; const y = box.top + box.height / 2;
        const at = () => { const r = image.getBoundingClientRect(); return [(x - r.left) / r.width, (y - r.top) / r.height]; };
        for (let i = 0; i < 8; i++) pane.dispatchEvent(new WheelEvent('wheel', { deltaY: -200, clientX: x, clientY: y, bubbles: true, cancelable: true }));
        const before = at(); const width = image.getBoundingClientRect().width;
        pane.dispatchEvent(new WheelEvent('wheel', { deltaY: -200, clientX: x, clientY: y, bubbles: true, cancelable: true }));
        const after = at(); return [image.getBoundingClientRect().width > width * 1.2,
          Math.hypot(after[0] - before[0], after[1] - before[1]) < 0.01]; })()""", [True, True])
    # The visible part of the page stays the same in the next mode.
    place = "document.querySelector('.layer').style.transform"
    script.ask(f"window.kept = {place}", lambda text: text.startswith("translate("))
    script.press("7")
    script.ask(f"{place} === window.kept", True)


def walking(script):
    script.open()
    script.press("n")
    script.ask("look.text('#check-name')", "pricing-0001")
    script.ask("look.pressed()", "Actual")
    script.ask("look.text('#panel')", lambda text: "Earlier attempts" in text)
    script.act("click", selector="#tab-network")
    script.ask("look.text('#panel')", lambda text: "503" in text and "net::ERR_BLOCKED_BY_CLIENT" in text)
    script.press("j", "j")
    script.ask("look.text('#check-name')", "pricing-1165")
    script.press("k")
    script.ask("look.text('#check-name')", "pricing-0583")
    script.ask("look.all('[aria-current=true]').map((link) => link.dataset.id)", ["pricing-0583@desktop"])
    script.act("back")
    script.ask("look.text('#check-name')", "pricing-1165")
    script.act("click", selector="#tab-metrics")
    script.ask("look.text('#panel')", lambda text: "Largest contentful paint" in text and "0.0123" in text)
    script.press("s")
    script.ask("look.text('#check-name')", None)
    script.press("?")
    script.ask("document.querySelector('#keys').open", True)
    script.press("j", "Escape")
    script.ask("[document.querySelector('#keys').open, look.text('#check-name')]", [False, None])
    # A group is collapsed and expanded, and keys skip collapsed rows.
    script.act("click", selector=".group-toggle", nth=0)
    script.ask("look.names().includes('home-0000@desktop')", False)
    script.act("click", selector=".group-toggle", nth=0)
    script.ask("look.names().includes('home-0000@desktop')", True)
    # Flaky checks, tall pages, checks without a picture.
    script.act("type", selector="#query", text="passed in attempt")
    script.press("Escape", "j")
    script.ask("look.text('.check-header')", lambda text: "2 attempts" in text and "two pictures in a row" in text)
    script.turn("#check=docs-0080%40desktop")
    script.ask("look.text('#check-name')", "docs-0080")
    script.ask("look.pictures()[0].width > 600", True)
    script.turn("#check=docs-0002%40desktop")
    script.ask("look.text('.stage')", "There is no picture of this check.")
    script.open("#check=none%40desktop")
    script.ask("look.text('#check-name')", None)


def approving(script):
    one = "browser-runner check smoke.json --approve home-0000@desktop"
    caught = "navigator.clipboard.writeText = async (text) => { window.copied = text; }, 0"
    script.open(HOME)
    script.ask("look.text('.command-text')", one)
    script.ask(caught, 0)
    script.press("c")
    script.ask("window.copied", one)
    script.ask("look.text('#toast')", "Command copied")
    script.press("a")
    script.ask("[window.copied.split(' --approve ').length - 1, window.copied.startsWith(%s)]" % json.dumps(one), [11, True])
    script.press("x")
    script.ask("look.text('#selection')", lambda text: "1 selected" in text)
    script.press("g", "Shift+C")
    script.ask("look.text('#selection')", lambda text: "11 selected" in text and "(11)" in text)
    script.ask("new Set(window.copied.split(' --approve ')).size", 12)
    script.act("click", selector="#selection .quiet")
    script.ask("document.querySelector('#selection').hidden", True)
    # If the page may not use the clipboard, the older command is used; if that fails too, the text is shown.
    script.ask("navigator.clipboard.writeText = async () => { throw new Error('denied'); }, 0", 0)
    script.ask("document.execCommand = (name) => { window.copied = `${name} ${document.activeElement.value}`; return true; }, 0", 0)
    script.press("c")
    script.ask("window.copied", f"copy {one}")
    script.ask("document.execCommand = () => false, 0", 0)
    script.press("c")
    script.ask("[document.querySelector('#copy-by-hand').open, document.querySelector('#copy-by-hand textarea').value]", [True, one])
    script.ask("getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)", one)
    script.press("Escape")


def hostile(script):
    script.open("#q=hacked")
    script.ask("look.text('#found')", "1 of 2,000 checks")
    script.press("j")
    script.ask("look.text('#check-name')", lambda text: text and text.startswith("</script><script>window.hacked=1"))
    for tab in ("result", "logs", "network", "metrics"):
        script.act("click", selector=f"#tab-{tab}")
        script.ask("look.intruders()", [], f"intruders in {tab}")
    script.ask("look.all('.address a').length", 0)
    # Control characters and direction marks are shown, not interpreted.
    script.ask("[/[\\u202e\\u001b]/.test(look.text('body')), look.text('#check-name').includes('U+202E')]", [False, True])
    script.press("s")
    script.ask("look.intruders()", [])
    script.ask("look.text('.main')", lambda text: "window.hacked" in text)


def themes(script):
    back = "getComputedStyle(document.body).backgroundColor"
    for scheme, is_dark in (("light", False), ("dark", True)):
        script.act("emulate", colorScheme=scheme)
        script.open()
        for fragment in ("", HOME, "#check=pricing-0001%40desktop"):
            script.turn(fragment)
            script.ask("look.text('#check-name')", fragment[7:].removesuffix("%40desktop") or None)
            script.ask(f"look.light(look.color({back})) < 0.2", is_dark)
            script.ask("look.pale()", [], f"pale texts, {scheme} {fragment}")
            script.ask("look.nameless()", [], f"controls without a name, {scheme} {fragment}")
    script.press("t")
    script.ask(f"look.light(look.color({back})) > 0.8", True)
    script.open()
    script.ask(f"look.light(look.color({back})) > 0.8", True, "the chosen theme after opening it again")
    script.press("t")
    script.ask(f"look.light(look.color({back})) < 0.2", True)


def narrow(script):
    script.act("emulate", viewport={"width": 400, "height": 800})
    script.open()
    script.ask("[look.isWide(), document.querySelector('.side').checkVisibility(), document.querySelector('.main').checkVisibility()]",
               [False, True, False])
    script.act("click", selector="#show-summary")
    script.ask("[look.isWide(), document.querySelector('.side').checkVisibility(), document.querySelector('.main').checkVisibility()]",
               [False, False, True])
    script.act("click", selector=".summary .back")
    script.act("click", selector=".row-link", nth=0)
    script.ask("look.text('#check-name')", "pricing-0001")
    script.ask("[look.isWide(), document.querySelector('.side').checkVisibility()]", [False, False])
    script.act("click", selector=".check-header .back")
    script.ask("document.querySelector('.side').checkVisibility()", True)
    script.open(HOME)
    for number, mode in enumerate(MODES[:5], 1):
        script.press(str(number))
        script.ask("look.pressed()", mode)
        script.ask("[look.isWide(), look.pictures().every(({ isLoaded }) => isLoaded)]", [False, True], mode)
    script.ask("look.pale()", [])


def missing(script):
    """A missing picture is reported; the browser reports it, too."""
    script.quiet = len(script.steps)
    script.open("#check=account-0400%40desktop&mode=diff")
    script.ask("look.text('.missing')", "images/account-0400@desktop.diff.png is missing in the folder of this report.")


def run(ctx):
    folder = sample(ctx)
    check_junit(ctx, folder)
    check_results(ctx, folder)
    script = Script(ctx, folder / "index.html")
    (folder / "images" / "account-0400@desktop.diff.png").unlink()
    for part in (lists, modes, walking, approving, hostile, themes, narrow, missing):
        part(script)
    script.run()
