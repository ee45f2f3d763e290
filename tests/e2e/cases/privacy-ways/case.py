"""Outputs of secrets other than texts and addresses: methods, header names, types, file names, HTML references, other
encodings; secret names in relative addresses; and parts that a page hides from models."""
import json

from answers import Site, page
from faults import until

BROWSER = "any"
WORD = "Gruen7Zebra9x"  # a token as HTTP defines it
WORDS = "Zürich & Über<9> €uro"
TOLD = "tok777secret"  # masked by its name, in addresses
KEPT = "KEPT-FROM-MODELS"

PAGE = f"""<title>Ways</title><link rel=icon href=data:,>
<label>Search <input id=turns type=password onfocus="this.type = 'text'"></label>
<label>Find <input id=words type=password onfocus="this.type = 'text'"></label><button id=send>Send</button>
<a href="/log?access_token={TOLD}">relative</a> <a href="http://127.0.0.1:1/?access_token={TOLD}">absolute</a>
<form action="/log?token={TOLD}"></form>
<div id=cards><p class=card>One <b data-no-ai>{KEPT}</b></p><p class=card>Two <b data-no-ai>{KEPT}</b></p></div>
<select id=list><option>first<option>second<option data-no-ai value=kept>{KEPT}</select>
<select id=chosen><option>first<option data-no-ai selected>{KEPT}</select>
<div id=editor contenteditable>text <b data-no-ai>{KEPT}</b></div>
<button id=around><select id=in><option data-no-ai selected>{KEPT}</select> Buy</button>
<script>
const read = (answer) => answer.text();
const references = (text, write) => [...text].map(write).join('');
send.onclick = async () => {{
    const [word, text] = [turns.value, words.value];
    console.log('read ' + text.length, references(text, (c) => `&#${{c.codePointAt(0)}};`));
    console.log(references(text, (c) => `&#x${{c.codePointAt(0).toString(16)}};`), references(text, (c) => `&#00${{c.codePointAt(0)}} `.trim()));
    console.log(text.replace(/[&<>üÜ€]/g, (c) => ({{ '&': '&amp;', '<': '&lt;', '>': '&gt;', 'ü': '&uuml;', 'Ü': '&Uuml;', '€': '&euro;' }})[c]));
    console.log(btoa(btoa(word)), btoa('x' + btoa('ab' + word + 'c')), 'latin Z%FCrich+%26+%DCber%3C9%3E+%80uro');
    await Promise.all([
        fetch('/method', {{ method: word }}).then(read).catch(() => 0),
        fetch('/header', {{ headers: {{ ['X-' + word]: '1' }} }}).then(read).catch(() => 0),
        fetch('/mime?type=' + word).then(read).catch(() => 0),
        fetch('/go?access_token={TOLD}').then(read).catch(() => 0),
    ]);
    const a = document.createElement('a');
    a.href = URL.createObjectURL(new Blob(['x']));
    a.download = word + '.txt';
    a.click();
    document.title = 'done';
}};
</script>"""


def run(ctx):
    site = Site(ctx, {
        "/": page(PAGE), "/log": page("untitled"), "/header": page(""), "/method": page(""),
        "/mime": (200, {"Content-Type": f"text/{WORD}"}, b"x"),
        "/go": (302, {"Location": f"/log?access_token={TOLD}&a=1"}, b""),
    })
    downloads = ctx.work / "downloads"
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", "--har", "run.har", "--audit", "audit.jsonl", "--debug",
                      "--debug-dir", "debug", "--downloads", downloads, "--log-level", "verbose", *ctx.browser_args()])
    answers = {}

    def ask(name, kind, **parameters):
        answers[name] = talk.ask(kind, parameters)
        return answers[name]

    ask("start", "start", url=site.url + "/", maxConsecutiveErrors=0, totalErrorThreshold=0)
    ask("word", "type", selector="#turns", text=WORD)
    ask("words", "type", selector="#words", text=WORDS)
    ask("send", "click", selector="#send")
    ask("done", "wait", expression="document.title === 'done'")
    until(lambda: list(downloads.glob("*.txt")), "the download")
    ask("network", "network")
    for form in ("text", "json", "markdown"):
        ask(form, "snapshot", format=form)
    ask("diagnose", "diagnose", steps=json.dumps([{"label": "label " + WORD, "action": {"type": "wait", "ms": 1}}]))
    ask("ambiguous", "click", selector=".card", timeout=300)
    ask("missing", "select", selector="#list", label="nothing")
    ask("kept", "select", selector="#list", value="kept")
    ask("chosen", "select", selector="#chosen", label="first")
    ask("editor", "type", selector="#editor", text="more")
    ask("card", "hover", selector=".card:first-child")
    ask("around", "click", selector="#around")
    ask("away", "navigate", url=f"{site.url}/log?access_token={TOLD}")
    ask("tabs", "tab", op="list")
    ask("untitled", "snapshot")
    talk.close_stdin()
    result = talk.wait()

    codes = {name: answer.get("errorCode") for name, answer in answers.items() if not answer["success"]}
    ctx.expect(codes == {"ambiguous": "TARGET_AMBIGUOUS", "missing": "TARGET_NOT_FOUND", "kept": "POLICY_DENIED"} or
               codes == {"ambiguous": "TARGET_AMBIGUOUS", "missing": "TARGET_NOT_FOUND", "kept": "POLICY_DENIED",
                         "around": "TARGET_OBSCURED"}, f"failed: {codes} {[answers[name].get('error') for name in codes]}")
    seen = {"mime": {}, **{entry["url"].split("?")[0].rsplit("/", 1)[1]: entry for entry in answers["network"]["result"]["requests"]}}
    ctx.expect(seen["method"]["method"] == "***" and "/***" in str(seen["mime"].get("mimeType")) and "access_token=***&a=1" in str(seen["go"]),
               f"network: {[(url, entry.get('mimeType'), entry.get('error')) for url, entry in seen.items()]}")
    ctx.expect("One" in answers["ambiguous"]["error"], f"{answers['ambiguous']}")
    ctx.expect("\"first\", \"second\"" in answers["missing"]["error"], f"{answers['missing']}")
    written = {path.name: path.read_text(errors="replace") for path in ctx.work.rglob("*")
               if path.is_file() and path.suffix not in (".jpg", ".png")}
    names = " ".join(str(path) for path in downloads.iterdir())
    forms = {"the word": WORD, "in base64 twice": "R3J1ZW43", "lower case": WORD.lower(), "the words": "Zürich", "decimal": "&#90;&#252;", "zeros": "&#0090",
             "hexadecimal": "&#x5a;&#xfc", "named": "Z&uuml;rich", "latin-1": "Z%FCrich", "by its name": TOLD, "kept": KEPT,
             "base64 of base64": "UjNKMVpXNDNX"}
    for name, text in {**written, "stderr": result.stderr, "stdout": result.stdout.decode(), "names": names}.items():
        text = text.replace("\\u00fc", "ü")
        for form, secret in forms.items():
            at = text.find(secret)
            ctx.expect(at < 0, f"{name} has {form}: …{text[max(0, at - 160):at + 60]}…")
    check_picture(ctx, site)


def check_picture(ctx, site):
    """The selected option of a closed list is painted over."""
    from png_files import Pixels
    site.answers["/list"] = page(f"<body style='margin:0;background:#fff'><select style='position:absolute;left:0;top:0;width:200px;"
                               f"height:40px;background:#f00;color:#f00;border:0'><option data-no-ai selected>{KEPT}<option>first</select>")
    out = ctx.work / "list.png"
    for more, colour in (([], (128, 128, 128)), (["--ignore-no-ai"], (255, 0, 0))):
        ctx.run(["shot", site.url + "/list", "-o", out, "--temp-profile", *more, *ctx.browser_args()])
        ctx.expect(Pixels(out.read_bytes()).at(100, 20) == colour, f"{more}: {Pixels(out.read_bytes()).at(100, 20)}")
