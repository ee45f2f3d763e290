"""Elements in frames of the page's own process and of others, by every way to name them."""
from pictures import Picture

BROWSER = "shared"

# While Chrome lays out frames of other processes it may deliver a press to the frame around. That is detected and
# reported as an error; the press was on the frame's element, so the click can be retried.
AGAIN = {"retryOptions": {"maxRetries": 3, "retryOnErrors": ["TARGET_OBSCURED"]}}


def run(ctx):
    words = ctx.file("words.txt", "words")
    steps, wanted = [("start", {"url": ctx.origin + "/case/outer.html"})], {}

    def step(kind, parameters, **expected):
        steps.append((kind, {"timeout": 8000, **parameters}))
        wanted[len(steps)] = expected

    def hits(expected):
        step("wait", {"expression": f"hits.length >= {len(expected)}"})
        step("evaluate", {"expression": "hits.splice(0)"}, result=expected)

    step("wait", {"text": "This is deep"})
    step("wait", {"text": "This is scaled"})
    step("wait", {"text": "Read me in the middle"})
    step("wait", {"selector": "#deep .press", "state": "attached"})
    # A unique element is found wherever it is.
    step("click", {"text": "outside"})
    hits(["outside"])
    step("click", {"selector": "#deep .low", **AGAIN})
    hits(["deep low"])
    step("click", {"selector": "#same .low"})
    hits(["same low"])
    step("click", {"text": "This is scaled", **AGAIN})
    # A match in several frames is ambiguous, and frame or nth decides.
    step("click", {"selector": ".press"}, errorCode="TARGET_AMBIGUOUS")
    for frame, name in (("near", "same"), ("#scaled", "scaled"), ("*/inner.html?deep", "deep"),
                        ("case/inner.html?same", "same")):
        step("click", {"selector": ".press", "frame": frame, **AGAIN})
        hits([f"{name} hover", f"{name} press true"])
        step("hover", {"selector": "#go"})
    step("click", {"selector": ".press", "nth": 3, "frame": "near"}, errorCode="TARGET_NOT_FOUND")
    step("click", {"role": "button", "name": "down*below", "frame": "near"})
    step("evaluate", {"expression": "hits.splice(0).length"}, result=1)
    step("click", {"role": "button", "name": "Down below", "frame": "deep", **AGAIN})
    hits(["deep low"])
    step("click", {"role": "button", "name": "press", "frame": "near"})
    hits(["same hover", "same press true"])
    step("click", {"selector": ".press", "frame": "nowhere"}, errorCode="TARGET_NOT_FOUND")
    step("click", {"selector": ".press", "frame": "iframe"}, errorCode="TARGET_AMBIGUOUS")
    for frame, name in (("near", "same"), ("deep", "deep"), ("#scaled", "scaled")):
        step("evaluate", {"frame": frame, "expression": "who + 1"}, result=name + "1")
    step("evaluate", {"frame": "named later", "expression": "location.search"}, result="?other")
    step("evaluate", {"frame": "deep", "expression": "nobody"}, errorCode="EVAL_ERROR")
    step("evaluate", {"frame": "nowhere", "expression": "1"}, errorCode="TARGET_NOT_FOUND")
    # Forms and the keyboard, in a frame of another process.
    for frame in ("deep", "#scaled", "near"):
        name = {"#scaled": "scaled", "near": "same"}.get(frame, frame)
        step("hover", {"selector": ".field", "frame": frame})
        step("evaluate", {"expression": "hits.splice(0).length"})
        step("type", {"role": "textbox", "name": "Your word", "frame": frame, "text": "héllo", "pressEnter": True})
        hits([f"{name} word héllo"])
        step("type", {"text": "you"})
        step("press", {"key": "F2"})
        hits([f"{name} F2"])
        step("press", {"key": "Tab"})
        hits([f"{name} word hélloyou"])
        step("check", {"selector": ".box", "frame": frame, **AGAIN})
        hits([f"{name} box true"])
        step("select", {"selector": ".list", "frame": frame, "label": "two"})
        hits([f"{name} list two"])
        step("upload", {"selector": ".file", "frame": frame, "files": [str(words)]})
        hits([f"{name} file words.txt"])
    step("wait", {"selector": ".mark", "frame": "deep", "state": "visible"})
    pictures = []
    for frame in ("near", "deep"):
        step("screenshot", {"selector": ".mark", "frame": frame, "format": "png"})
        pictures.append(len(steps))
    step("scroll", {"frame": "deep", "y": 100, "mode": "absolute"})
    # A frame that comes later, and one that goes.
    step("evaluate", {"expression": "setTimeout(() => { document.getElementById('late').innerHTML ="
                                    " '<iframe src=\"inner.html?late\"></iframe>'; }, 300); 0"})
    step("click", {"selector": "#late .press"})
    step("evaluate", {"expression": "document.getElementById('late').remove()"})
    step("wait", {"selector": "#late .press", "state": "detached"})
    step("click", {"selector": "#late .press"}, errorCode="TARGET_NOT_FOUND")
    for number, (kind, parameters) in enumerate(steps):
        if "errorCode" in wanted.get(number + 1, {}):
            parameters["timeout"] = 1500

    result = ctx.run_batch(steps, "--screenshots", "none")
    for number, expected in wanted.items():
        response = result.response(number)
        about = f"{number}: {steps[number - 1]}: "
        if "errorCode" in expected:
            ctx.expect(response.get("errorCode") == expected["errorCode"], f"{about}{response}")
            continue
        if ctx.expect(response["success"], f"{about}{response.get('error')}") and "result" in expected:
            ctx.expect(response["result"] == expected["result"], f"{about}{response['result']}")
    for number in pictures:
        picture = Picture(result.picture(number))
        ctx.expect((picture.width, picture.height) == (90, 40), f"{number}: {picture.width}x{picture.height}")
