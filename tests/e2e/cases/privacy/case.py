"""Text typed into private fields arrives at the server, and is in no output of a run."""
import base64
import html
import itertools
import json
import re
import urllib.parse

from answers import Site, page

BROWSER = "shared"
SECRETS = {"password": 'Tr0ub4dor & "3" \\ü%41', "card": "4929 1234 5678 9012", "cvc": "737",
           "code": "835107", "boxes": "6194", "own": "walrus-in-a-closed-root"}
FILLED = "filled-in-by-a-manager"
COMMON = "nobody's secret"

PAGE = f"""<title>Pay</title>
<form id="form" action="/done" method="post">
<input id="user" name="user"><input id="password" name="pw" type="password">
<input id="card" autocomplete="section-a billing cc-number"><label>Security code <input id="cvc"></label>
<input id="code" name="login_otp"><div id="boxes"></div>
<input id="kept" name="old[password]" type="password" value="{FILLED}">
<div id="date-of-card"><input id="month" type="month" autocomplete="cc-exp"></div><own-field type="password" id="own"></own-field>
<button id="pay" type="button">Pay</button><button id="send">Send</button></form>
<button id="cover" aria-label="Card number" style="position:absolute;left:0;top:400px">x</button>
<script>
customElements.define('own-field', class extends HTMLElement {{
    constructor() {{
        super();
        this.inner = this.attachShadow({{ mode: 'closed', delegatesFocus: true }});
        this.inner.innerHTML = '<input>';
        this.tabIndex = 0;
    }}
    get value() {{ return this.inner.firstChild.value; }}
}});
for (let i = 0; i < 4; i++) {{
    boxes.innerHTML += `<input autocomplete="one-time-code" maxlength="1" id="box-${{i}}" size="1">`;
}}
const values = () => ({{ user: user.value, password: password.value, card: card.value, cvc: cvc.value,
    code: code.value, own: own.value, filled: kept.value,
    boxes: [...document.querySelectorAll('#boxes input')].map((box) => box.value).join('') }});
document.addEventListener('input', (event) => console.log('now', event.target.id, values()));
pay.onclick = async () => {{
    const all = values();
    const text = JSON.stringify(all);
    const query = new URLSearchParams(all);
    const form = new FormData();
    Object.entries(all).forEach(([name, value]) => form.append(name, value));
    console.log(all.password, text, query.toString(), encodeURIComponent(all.password));
    console.warn(JSON.stringify({{ text }}), btoa(unescape(encodeURIComponent('me:' + all.password))));
    console.error(all.card.replaceAll(' ', ''), all.cvc, btoa(all.code));
    history.replaceState(null, '', '?' + query + '#' + text);
    document.title = 'Paid by ' + all.card + ' ' + all.password;
    await Promise.all([
        fetch('/log?' + query), fetch('/fails?' + query), fetch('/redirects?' + query),
        fetch('/basic', {{ headers: {{ Authorization: 'Basic ' + btoa('me:' + all.code), 'X-Own': all.card }} }}),
        fetch('/json', {{ method: 'POST', body: text }}),
        fetch('/form', {{ method: 'POST', body: query }}),
        fetch('/parts', {{ method: 'POST', body: form }}),
        fetch('http://127.0.0.1:1/?' + query).catch(() => 0),
    ]);
    setTimeout(() => {{ throw new Error('cannot pay with ' + text); }});
    document.body.append(Object.assign(document.createElement('p'), {{ id: 'paid', textContent: text }}));
}};
</script>"""


def forms_of(secret):
    """Returns all encodings of a text that the page uses, and a few more."""
    plain = secret.encode()
    yield secret
    yield secret.replace(" ", "")
    yield urllib.parse.quote(secret, safe="")
    yield urllib.parse.quote(secret, safe="").lower()
    yield urllib.parse.quote_plus(secret)
    yield urllib.parse.quote(urllib.parse.quote(secret, safe=""), safe="")
    yield html.escape(secret)
    for ascii_only in (True, False):
        once = json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
        twice = json.dumps(once, ensure_ascii=ascii_only)[1:-1]
        yield from (once, twice, json.dumps(twice)[1:-1], urllib.parse.quote(once), urllib.parse.quote(twice))
    for before in range(3):
        # Without the characters that depend on neighbouring bytes.
        encoded = base64.b64encode(b"x" * before + plain).decode().rstrip("=")
        yield encoded[(before * 8 + 5) // 6:(before + len(plain)) * 8 // 6]


def strings(text):
    """Returns the strings of lines of JSON."""
    for line in text.splitlines():
        try:
            todo = [json.loads(line)]
        except ValueError:
            continue
        while todo:
            value = todo.pop()
            if isinstance(value, dict):
                todo += itertools.chain(value.keys(), value.values())
            elif isinstance(value, list):
                todo += value
            elif isinstance(value, str):
                yield value


ESCAPE = re.compile(r"""\\(u[0-9a-fA-F]{4}|["\\/bfnrt'])""")
DECODERS = (urllib.parse.unquote, urllib.parse.unquote_plus, html.unescape,
            lambda text: ESCAPE.sub(lambda found: json.loads(f'"{found[0]}"') if found[1] != "'" else "'", text))


def readings(text, depth=3):
    """Returns the text, and its nested encodings decoded."""
    seen, newest = {text}, {text}
    for _ in range(depth):
        newest = {decode(one) for one in newest for decode in DECODERS} - seen
        seen |= newest
    return seen


TIME = re.compile(r"\b\d{13}\b")  # in milliseconds: some contain the digits of a code by chance


def leaks(ctx, name, text, secrets):
    """Records which of the secrets a text contains."""
    text = TIME.sub("TIME", text)
    fronts = [secret[:6] for secret in (SECRETS["password"], SECRETS["card"], SECRETS["own"])]
    for whole in readings("\n".join([text, *strings(text)])):
        for secret in secrets:
            for form in {*forms_of(secret), urllib.parse.unquote(secret)} if len(secret) > 3 else ():
                at = whole.find(form)
                ctx.expect(at < 0, f"{name} has {form!r}: …{whole[max(0, at - 100):at + 100]}…")
        for front in fronts:
            at = whole.find(front)
            ctx.expect(at < 0, f"{name} has the front {front!r}: …{whole[max(0, at - 100):at + 100]}…")
        for mark in (f'"{SECRETS["cvc"]}"', f'={SECRETS["cvc"]}&', f': {SECRETS["cvc"]},'):
            ctx.expect(mark not in whole, f"{name} has the short code in {mark}")


def written(ctx):
    """Returns all text that the run has written."""
    for path in sorted(ctx.work.rglob("*")):
        if path.is_file() and path.suffix not in (".xml", ".jpg", ".png"):
            yield path.name, path.read_text(errors="replace")


def run(ctx):
    site = Site(ctx, {
        "/": page(PAGE),
        "/done": page("<title>Done</title>"), "/basic": page(""), "/json": page(""), "/form": page(""),
        "/parts": page(""), "/log": page(""),
        "/fails": lambda: (500, {"Content-Type": "text/html"}, "".join(
            html.escape(value) + "\n" for value in SECRETS.values()).encode()),
        "/redirects": lambda: (302, {"Location": next(
            path for _, path, _ in reversed(site.requests) if "/redirects" in path).replace("redirects", "log")}, b""),
    })
    throwing = f"console.log({json.dumps(SECRETS['password'])}); throw new Error({json.dumps(SECRETS['card'])})"
    steps = [("start", {"url": site.url + "/"}),
             ("type", {"selector": "#user", "text": COMMON})]
    for name in ("password", "card", "cvc", "code"):
        steps.append(("type", {"selector": "#" + name, "text": SECRETS[name], "label": "fill " + name}))
    for number, digit in enumerate(SECRETS["boxes"]):
        steps.append(("type", {"selector": f"#box-{number}", "text": digit}))
    steps += [
        ("focus", {"selector": "#own"}),
        ("type", {"text": SECRETS["own"]}),
        ("click", {"selector": "#pay"}),
        ("wait", {"selector": "#paid"}),
        ("tab", {"op": "list"}),
        *[("snapshot", {"format": form}) for form in ("text", "json", "markdown")],
        # Messages that could quote it: of failed actions, and of steps.
        ("type", {"selector": "#month", "text": SECRETS["password"]}),
        ("click", {"selector": "input", "timeout": 300}),
        ("wait", {"text": SECRETS["password"] + " is not there", "timeout": 300}),
        ("click", {"targets": [SECRETS["card"], SECRETS["password"] + "!"], "timeout": 300}),
        ("navigate", {"url": "http://127.0.0.1:1/?q=" + urllib.parse.quote(SECRETS["password"])}),
        ("diagnose", {"steps": [{"action": {"type": "evaluate", "expression": throwing}, "expectedLogs": ["*4dor*"]}]}),
        # This output was requested.
        ("evaluate", {"expression": f"[{json.dumps(SECRETS['card'])}, 'as it is'].join()"}),
        ("navigate", {"url": site.url + "/"}),
        ("click", {"selector": "#send"}),
    ]
    steps[0][1]["maxConsecutiveErrors"] = 0
    steps[0][1]["totalErrorThreshold"] = 0
    result = ctx.run_batch(steps, "--screenshots", "post", "--har", "run.har", "--audit", "audit.jsonl",
                           "--debug", "--debug-dir", "debug", "--log-level", "verbose")
    stdout = result.stdout.decode()
    may_fail = range(len(steps) - 8, len(steps) - 2)
    for number in range(1, len(steps) + 1):
        response = result.response(number)
        if number not in may_fail:
            ctx.expect(response["success"], f"{number}: {steps[number - 1]}: {response.get('error')}")

    # It arrived.
    sent = {path: body for path, body in site.bodies}
    arrived = json.loads(sent["/json"])
    for name, value in SECRETS.items():
        ctx.expect(arrived[name] == value, f"{name} arrived as {arrived[name]!r}")
    ctx.expect(arrived["user"] == COMMON and arrived["filled"] == FILLED, f"arrived: {arrived}")
    fields = dict(urllib.parse.parse_qsl(sent["/form"].decode()))
    ctx.expect(fields == arrived, f"the form arrived as {fields}")
    for value in arrived.values():
        ctx.expect(value.encode() in sent["/parts"], f"{value!r} is in no part")
    ctx.expect(FILLED in sent["/done"].decode(), "what was filled in was not sent")

    # And it is nowhere else.
    history = ctx.run(["history", "convert", "--provider", "anthropic"], stdin=stdout)
    evaluated = result.responses[len(steps) - 3]
    ctx.expect(evaluated.get("result") == SECRETS["card"] + ",as it is", f"evaluate: {evaluated.get('result')}")
    texts = [("stderr", result.stderr), *written(ctx)]
    texts += [("stdout", "\n".join(line for line in stdout.splitlines() if '"evaluate"' not in line[:110])),
              ("history", "\n".join(line for line in history.stdout.decode().splitlines() if "as it is" not in line))]
    for name, text in texts:
        leaks(ctx, name, text, SECRETS.values())
    ctx.expect(any(COMMON in text for name, text in texts if name == "stdout"), "what is no secret is hidden, too")
    names = {name for name, _ in texts}
    ctx.expect({"run.har", "audit.jsonl", "metadata.json", "log.ndjson"} <= names, f"written: {names}")

    # A value from a password manager is masked by the name of its field, unless secrets were requested.
    har = json.loads((ctx.work / "run.har").read_text())["log"]["entries"]
    done = [entry["request"]["postData"]["text"] for entry in har if entry["request"]["url"].endswith("/done")]
    ctx.expect(done == ["user=&pw=&login_otp=&old%5Bpassword%5D=***"], f"posted: {done}")
    ctx.run_batch([steps[0], steps[-1]], "--screenshots", "none", "--har", "open.har", "--har-secrets")
    ctx.expect(FILLED in (ctx.work / "open.har").read_text(), "--har-secrets masks")
