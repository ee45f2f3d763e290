"""Pages that make Chrome ask a person: no invisible question takes clicks and keys."""
import re

BROWSER = "shared"
QUESTIONS = 25  # number of questions in asking.html


def run(ctx):
    source = (ctx.dir / "pages" / "asking.html").read_text()
    questions = re.findall(r"^    (\w+): \(\) =>", source, re.M)
    ctx.expect(len(questions) == QUESTIONS, f"{len(questions)} questions were found in the page: {questions}")
    # Some questions are asked only for a host with a name.
    page = ctx.origin.replace("127.0.0.1", "localhost") + "/case/asking.html"
    steps = [("start", {"url": page, "totalErrorThreshold": 0, "maxConsecutiveErrors": 0, "timeout": 20000})]
    for question in questions:
        steps += [("evaluate", {"expression": f"what = '{question}'; clicks = keys = 0"}),
                  ("click", {"selector": "#ask"}), ("wait", {"ms": 100}), ("click", {"selector": "#count"}),
                  ("press", {"selector": "#field", "key": "a"}), ("evaluate", {"expression": "[clicks, keys, document.title]"})]
    result = ctx.run_batch(steps, "--screenshots", "none", "--timeout", "4000")
    for number, question in enumerate(questions):
        answers = result.responses[6 * number + 1:6 * number + 7]
        failed = [answer["error"] for answer in answers if not answer["success"]]
        ctx.expect(not failed, f"{question}: {failed}")
        ctx.match(answers[-1].get("result"), [1, 1, {"$regex": f"^{question}: "}], f"clicks and keys after {question}")
