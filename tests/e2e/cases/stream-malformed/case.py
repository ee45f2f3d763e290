"""Output of models that is not XML: one INVALID_ACTION each, and the session continues."""

BROWSER = "shared"


def evaluate(expression):
    return f"<browser_action><type>evaluate</type><expression>{expression}</expression></browser_action>"


# The sent text, parts of the error and its remedy, and the type in the answer.
MISTAKES = [
    ("<browser_action><type>navigate</type><url>http://x/?a=1&b=2</url></browser_action>", r"a & that begins", "&amp;", "navigate"),
    (evaluate("window.bad = 1 < 2"), "a < that begins no element", "CDATA", "evaluate"),
    (evaluate("for (i=0;i<n;i++) window.bad = i"), "not well-formed", "CDATA", "evaluate"),
    (evaluate("document.body.innerHTML = '<p>x</p>'"), "<p> behind text", "CDATA", "evaluate"),
    ("Sure, I'll look at AT&T's page:\n", "text outside of an instruction", "no prose", ""),
    ("<?xml version='1.0'?>\n", "only at the beginning", "remove it", ""),
    ("<click><selector>#a</selector></click>", "<click> stands outside", "<type>click</type>", ""),
    ("<browser_action><type>evaluate</type><expression>window.bad = 1</browser_action>", "mismatched tag", "</expression>", "evaluate"),
    ("<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;&b;&b;'>]>", "a DOCTYPE is refused", "remove it", ""),
    ("\x01\x02\u20ac", "byte 0x01", "UTF-8", ""),
    ("<browser_action>" + "<a>" * 100000 + "</browser_action>", "deep inside each other", "JSON", ""),
    ("<browser_action type=evaluate/>", "not well-formed", "quote", ""),
]


def run(ctx):
    talk = ctx.start(["run", "-", *ctx.usual_args(), "--screenshots", "none"])
    sent = []

    def send(text):
        sent.append(text)
        talk.send(text)

    send("<?xml version='1.0'?>\n<batch>\n<browser_action><type>start</type><url>about:blank</url></browser_action>\n")
    ctx.match(talk.line(30), {"id": 1, "success": True}, "start")
    for number, (text, error, cure, kind) in enumerate(MISTAKES):
        place = f"^line {1 + ''.join(sent).count(chr(10))}, column [0-9]+: .*"
        # The answer comes before anything else is sent.
        send(text)
        ctx.match(talk.line(), {"id": 2 * number + 2, "success": False, "type": kind,
                                "errorCode": {"$in": ["INVALID_ACTION", "LIMIT_EXCEEDED"]},
                                "error": {"$regex": place + error}, "hint": {"$contains": cure}},
                  f"mistake {number}")
        send("\n" + evaluate(f"{number} + 0") + "\n")
        ctx.match(talk.line(), {"id": 2 * number + 3, "success": True, "result": number}, f"after mistake {number}")
    # A missing end tag is detected at the next instruction, which is not lost.
    talk.send("<browser_action><type>evaluate</type><expression>window.bad = 1\n" + evaluate("'next'") + "\n")
    ctx.match(talk.line(), {"errorCode": "INVALID_ACTION", "hint": {"$contains": "</expression></browser_action>"}}, "no end")
    ctx.match(talk.line(), {"result": "next"}, "behind it")
    # A fence is one error, its end is none.
    talk.send("```xml\n" + evaluate("'fenced'") + "\n```\n" + evaluate("typeof window.bad") + "\n")
    ctx.match(talk.line(), {"errorCode": "INVALID_ACTION", "hint": {"$contains": "```"}}, "fence")
    ctx.match(talk.line(), {"result": "fenced"}, "in the fence")
    ctx.match(talk.line(), {"result": "undefined"}, "nothing of a mistake has run")
    talk.send("</batch>\n<browser_action><type>evalu")
    talk.close_stdin()
    done = talk.wait()
    ctx.match(done.responses[-1], {"errorCode": "INVALID_ACTION", "error": {"$contains": "the input ends"}}, "the end")
    ctx.match(done.summary, {"aborted": False, "actions": len(done.responses)}, "summary")
    ctx.expect(done.exit == 1, f"exit {done.exit}")
