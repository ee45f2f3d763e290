"""docs/actions.md: each example does what the text says, and the parameters are complete."""
import json
import re
import subprocess
import sys

from harness import ROOT, instruction

BROWSER = "any"
HOME = "http://localhost:3000/"
# An example, and its result if only text is between the two.
EXAMPLE = re.compile(r"^```xml\n(.*?)^```\n(?:[^`#<]|`[^`\n]+`)*?(?:^```json\n(.*?)^```\n|(?=^```|^#|^<|\Z))", re.S | re.M)
# Actions whose effects end with the document: after them a navigation is enough for a fresh page, which costs less than a start.
PLAIN = {"check", "click", "content", "detect", "drag", "evaluate", "fill", "focus", "highlight", "hover", "inspect", "pdf", "press",
         "reload", "screenshot", "scroll", "select", "snapshot", "type", "upload", "wait", "wheel"}


def own_pages(ctx, text):
    """Replaces localhost:3000 by the case's pages."""
    return re.sub(re.escape(HOME) + r"([\w./-]*)", lambda match: f"{ctx.origin}/case/{match[1] or 'index.html'}", text)


def any_time(value):
    """Turns the value into a pattern that matches every duration."""
    if isinstance(value, list):
        return [any_time(item) for item in value]
    if isinstance(value, dict):
        return {name: {"$ge": 0} if name == "durationMs" else any_time(item) for name, item in value.items()}
    return value


def is_plain(text):
    return set(re.findall(r'(?:<type>| action=")(\w+)', text)) <= PLAIN


def actions_of(ctx, text, before):
    """Returns the example's actions, on a fresh page."""
    text = re.sub(r"</?batch>", "", own_pages(ctx, text)).strip()
    if "<type>start</type>" not in text:
        kind = "navigate" if is_plain(text) and is_plain(before) else "start"
        text = instruction(kind, {"url": f"{ctx.origin}/case/index.html"}) + "\n" + text
    return text


def is_right(answer):
    """The headless shell has nothing to draw a highlight with, which is an error."""
    return answer["success"] or answer["type"] == "highlight" and "HeadlessChrome" in answer["error"]


def run_examples(ctx, examples):
    """Runs all in one run; each begins with a fresh page, so that none depends on another."""
    texts = [actions_of(ctx, text, before) for (text, _), (before, _) in zip(examples, [("", ""), *examples])]
    path = ctx.work / "examples.xml"
    path.write_text("<batch>\n" + "\n".join(texts) + "\n</batch>\n")
    ran = ctx.run_batch(path, "--screenshots", "none", "--max-edge", "0", seconds=200)
    left = list(ran.responses)
    for text, (_, result) in zip(texts, examples):
        count = text.count("<browser_action")
        answers, left = left[:count], left[count:]
        ctx.expect(len(answers) == count and all(map(is_right, answers)),
                   f"{[answer.get('error') for answer in answers]} of:\n{text}")
        if result and answers:
            ctx.match(answers[-1].get("result"), any_time(json.loads(own_pages(ctx, result))), "the result that is shown")
    ctx.expect(not left, f"{len(left)} answers more than actions")


def run(ctx):
    checked = subprocess.run([sys.executable, ROOT / "tools" / "actions_doc.py", "--check"], capture_output=True, text=True,
                             timeout=60)
    ctx.expect(checked.returncode == 0, checked.stderr)
    doc = (ROOT / "docs" / "actions.md").read_text()
    examples = EXAMPLE.findall(doc)
    ctx.expect(len(examples) == doc.count("```xml\n") and sum(bool(result) for _, result in examples) == 5,
               f"{len(examples)} examples")
    (ctx.work / "photo.png").write_bytes(b"\x89PNG")
    run_examples(ctx, examples)
    codes = json.loads((ROOT / "docs" / "schema" / "response.schema.json").read_text())
    for code in re.findall(r'"([A-Z]+(?:_[A-Z]+)+|TIMEOUT|DISCONNECTED)"', json.dumps(codes)):
        if code not in ("EVAL_DISABLED", "RATE_LIMITED"):  # only in servers
            ctx.expect(f"`{code}`" in doc, f"no word about {code}")
