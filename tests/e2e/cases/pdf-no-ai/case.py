"""pdf does not print what data-no-ai marks: in frames, shadow roots, lists, and what the page adds when it is printed."""
import base64

from pdfs import Pdf

FRAMES = [("wait", {"text": "shown-inner", "frame": name}) for name in ("/inner.html", "inner.html?far")]
STATE = """JSON.stringify([stubborn, late, layered, document.querySelector('select')].map((one) => [one.style.cssText, one.hasAttribute('style')])
    .concat(document.adoptedStyleSheets.length, host.shadowRoot.adoptedStyleSheets.length))"""


def of(response):
    return Pdf(base64.b64decode(response["result"]["data"], validate=True))


def run(ctx):
    page = ctx.origin + "/case/marked.html"
    steps = [("start", {"url": page}), *FRAMES, ("evaluate", {"expression": STATE}), ("pdf", {}),
             ("evaluate", {"expression": STATE}), ("pdf", {"ignoreNoAi": True}),
             *[step for timeout in (1, 20, 60) for step in (("pdf", {"timeout": timeout}), ("evaluate", {"expression": STATE}))],
             ("evaluate", {"expression": "document.body.dataset.noAi = ''; 0"}), ("pdf", {}),
             ("evaluate", {"expression": "document.body.removeAttribute('data-no-ai'); far.contentWindow.postMessage(0, '*'); 0"}),
             ("wait", {"ms": 100}), ("pdf", {"timeout": 10000}),
             ("evaluate", {"expression": "restored", "timeout": 20000})]

    # Such rules override even the style of the element, and hold on paper only. Also in another process.
    hosts = [(part, medium) for part in ("host", "slotted") for medium in ("print", "narrow")]
    far = "http://localhost:" + ctx.origin.rpartition(":")[2] + "/case/hosts.html?host#print"
    before = len(steps)
    steps += [step for part, medium in hosts for step in (
        ("start", {"url": f"{ctx.origin}/case/hosts.html?{part}#{medium}"}), ("pdf", {}), ("pdf", {"ignoreNoAi": True}))]
    steps += [
        ("evaluate", {"expression": f"document.body.innerHTML = '<iframe name=other src=\"{far}\"></iframe>'; 0"}),
        ("wait", {"text": "shown", "frame": "other"}), ("pdf", {}), ("pdf", {"ignoreNoAi": True})]
    run = ctx.run_batch(steps, "--screenshots", "none")

    first = run.response(5)
    text = of(first).text
    for word in ("The heading", "shown-shadow", "shown-added", "shown-inner", "The third page"):
        ctx.expect(text.count(word) == (2 if word == "shown-inner" else 1), f"{word} is {text.count(word)} times in {text!r}")
    ctx.expect("secret" not in text, f"what is marked is printed: {text!r}")
    ctx.match(first, {"logs": {"$contains": {"message": {"$contains": "(data-no-ai) are omitted: 8"}}}}, "the log")
    ctx.expect(run.response(4)["result"] == run.response(6)["result"], f"the page is changed: {run.response(6)['result']}")
    text = of(run.response(7)).text
    for word in ("plain", "child", "stubborn", "late", "layered", "shadow", "added", "inner"):
        ctx.expect("secret-" + word in text, f"ignoreNoAi: {word} is not in {text!r}")
    for number in (8, 10, 12):  # in the middle of it, wherever that is
        ctx.match(run.response(number), {"$in": [{"success": True}, {"errorCode": "TIMEOUT"}]}, f"with little time: {number}")
        ctx.expect(run.response(number + 1)["result"] == run.response(4)["result"], f"the page is changed: {run.response(number + 1)['result']}")
    ctx.match(run.response(8), {"errorCode": "TIMEOUT"}, "without time")
    ctx.expect(of(run.response(15)).text.strip() == "", f"the whole page is marked: {of(run.response(15)).text!r}")
    # In another process, so that it holds up neither the page nor Chrome.
    ctx.match(run.response(18), {"success": False, "errorCode": "POLICY_DENIED", "error": {"$contains": "does not answer"},
                                 "hint": {"$contains": "ignoreNoAi"}}, "a frame that hangs")
    ctx.match(run.response(19), {"success": True, "result": "restored"}, "the frame after it hung")

    numbers = {host: before + 3 * i + 2 for i, host in enumerate(hosts)} | {"frame": before + 3 * len(hosts) + 3}
    for host, number in numbers.items():
        ctx.match(run.response(number), {"success": False, "errorCode": "POLICY_DENIED", "error": {"$contains": "when it is printed"}}, f"{host}")
        ctx.expect("secret" in of(run.response(number + 1)).text, f"{host}: ignoreNoAi")
