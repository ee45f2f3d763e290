"""Values that JSON cannot represent are refused with their place, or have a documented form; none is lost silently."""

BROWSER = "shared"
PAGE = "data:text/html,<title>t</title><p id=a data-k=v>text</p><iframe id=f src='about:blank'></iframe>"

REFUSED = [  # expression, what the error says, what the hint says
    ("() => 1", r"the value is a function", r"\(\.\.\.\)\(\)"),
    ("class A {}; A", "is a function", "call it"),
    ("document.querySelector('#a')", "is a node, <p>", "textContent"),
    ("document.querySelector('#a').firstChild", "is a node, #text", "textContent"),
    ("document", "is a node", "textContent"),
    ("Promise.resolve(document.body)", "is a node, <body>", "textContent"),
    ("[1, document.body]", r"at \[1\] is a node", "textContent"),
    ("document.querySelectorAll('p')", r"at \.0 is a node", "textContent"),
    ("document.querySelectorAll('nothing')", "is a NodeList", "what you need"),
    ("({a: {f() {}}})", r"at \.a\.f is a function", "leave it out"),
    ("window", "is a window", "what you need"),
    ("({w: document.querySelector('#f').contentWindow})", r"at \.w is a window", "what you need"),
    ("Symbol('s')", "is a symbol", "String"),
    ("new Map([[1, 2]])", "is a Map", r"\[\.\.\.value\]"),
    ("({s: new Set([1])})", r"at \.s is a Set", r"\[\.\.\.value\]"),
    ("new WeakMap()", "is a WeakMap", "what you need"),
    ("/x/g", "is a RegExp", "source"),
    ("new TypeError('odd')", r"is an Error \(TypeError: odd\)", "message"),
    ("[new Date(NaN)]", r"at \[0\] is a Date without a value", "what you need"),
    ("({p: Promise.resolve(1)})", r"at \.p is a Promise", "await"),
    ("const a = {b: []}; a.b.push(a); a", r"at \.b\[0\] is one that it stands in", "leave out"),
    ("10n", "10n", "String"),
    ("[10n]", r"at \[0\] is the bigint 10n", "String"),
    ("NaN", "NaN", "String"),
    ("({n: NaN})", r"at \.n is NaN", "String"),
    ("-1 / 0", "-Infinity", "String"),
    ("navigator", "is a Navigator", "what you need"),
    ("[1].values()", "is an Array Iterator", "what you need"),
    ("({get a() { throw new Error('boom'); }})", "boom", None),
]

VALUES = [
    ("-0", 0), ("[-0]", [0]), ("new Date(0)", "1970-01-01T00:00:00.000Z"), ("new URL('http://x/y')", "http://x/y"),
    ("({a: undefined, b: null})", {"b": None}), ("[undefined, , 1]", [None, None, 1]),
    ("({rect: new DOMRect(1, 2, 3, 4)}).rect.width", 3), ("new DOMRect(1, 2, 3, 4)", {"x": 1, "y": 2, "width": 3, "height": 4,
     "top": 2, "right": 4, "bottom": 6, "left": 1}), ("document.querySelector('#a').dataset", {"k": "v"}),
    ("new Uint8Array([7, 8])", {"0": 7, "1": 8}), ("new (class { constructor() { this.x = 1; } })()", {"x": 1}),
    ("const twice = {x: 1}; [twice, twice]", [{"x": 1}, {"x": 1}]), ("Object.create(null)", {}),
    ("JSON.parse('{\"__proto__\": 1}').__proto__ === 1", True), ("[new String('s'), new Number(2)]", ["s", 2]),
    ("({nodeType: 1, nodeName: 'x'})", {"nodeType": 1, "nodeName": "x"}), ("document.fonts.ready.then(() => 'ready')", "ready"),
]


def run(ctx):
    talk = ctx.start(["run", "-", *ctx.usual_args(), "--screenshots", "none"])

    def evaluate(expression, **more):
        extra = "".join(f"<{name}>{value}</{name}>" for name, value in more.items())
        talk.send("<browser_action><type>evaluate</type><expression><![CDATA[" + expression + "]]></expression>"
                  + extra + "</browser_action>")
        return talk.line()

    talk.send("<browser_action><type>start</type><url><![CDATA[" + PAGE + "]]></url><maxConsecutiveErrors>0</maxConsecutiveErrors>"
              "<totalErrorThreshold>0</totalErrorThreshold></browser_action>")
    ctx.match(talk.line(30), {"success": True}, "start")
    for expression, error, hint in REFUSED:
        answer = evaluate(expression)
        ctx.match(answer, {"success": False, "errorCode": "EVAL_ERROR", "error": {"$regex": error}}, expression)
        if hint:
            ctx.match(answer, {"hint": {"$regex": hint}}, expression)
    for expression, value in VALUES:
        ctx.match(evaluate("{" + expression + "}" if "const" in expression else expression),
                  {"success": True, "result": {"$exactly": value}}, expression)
    ctx.match(evaluate("new Promise(() => {})", awaitPromise="false"), {"success": True, "result": None}, "not waited for")
    talk.close_stdin()
    talk.wait()
