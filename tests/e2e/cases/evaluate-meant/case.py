"""await, return and objects in braces work as intended; a valid script is not reinterpreted."""

BROWSER = "shared"
MEANT = [
    ("await Promise.resolve(3)", 3),
    ("const r = await Promise.resolve({a: [1]}); r.a", [1]),
    ("return 4", 4),
    ("const x = 2;\nif (x > 1) { return x * 4; }\nreturn 0;", 8),
    ("const y = await Promise.resolve(5); return y + 1 // done", 6),
    ("for await (const one of [Promise.resolve(7)]) { window.last = one; } window.last", 7),
    ("{a: 1, b: 'two'}", {"a": 1, "b": "two"}),
    ("{a: await Promise.resolve(9), b: 1} // both", {"a": 9, "b": 1}),
    ("(await (async () => ({ok: true}))()).ok", True),
    # Already a script: a block, its own function, the last of its statements.
    ("{a: 1}", 1),
    ("(async () => { const z = await (1); return z; })()", 1),
    ("var total = 0; for (let i = 0; i < 4; i++) total += i; total", 6),
    ("let once = 1; once", 1),
    # A script may declare again what an earlier one has declared.
    ("let once = 2; once", 2),
    ("const kept = 1; kept", 1),
    ("const kept = [2]; kept", [2]),
    ("const {kept, other} = {kept: 3, other: 4}; kept + other", 7),
    ("const\nnext = kept; next", 3),
    ("class Box { get size() { return 1; } } new Box().size", 1),
    ("class Box { get size() { return 2; } } new Box().size", 2),
    ("const soon = Promise.resolve(8); soon", 8),
    ("const soon = Promise.resolve(9); soon", 9),
    ("const kept = 5; {a: kept}", 5),
]


def run(ctx):
    talk = ctx.start(["run", "-", *ctx.usual_args(), "--screenshots", "none"])

    def evaluate(expression):
        talk.send("<browser_action><type>evaluate</type><expression><![CDATA[" + expression + "]]></expression></browser_action>")
        return talk.line()

    talk.send("<browser_action><type>start</type><url>about:blank</url><maxConsecutiveErrors>0</maxConsecutiveErrors></browser_action>")
    ctx.match(talk.line(30), {"success": True}, "start")
    for expression, value in MEANT:
        ctx.match(evaluate(expression), {"success": True, "result": {"$exactly": value}}, expression)
    for _ in range(2):
        talk.send("<browser_action><type>wait</type><expression>const t = window.tries = (window.tries || 0) + 1; t &gt; 3</expression></browser_action>")
        ctx.match(talk.line(), {"success": True}, "a declaration in what is waited for")
    ctx.match(evaluate("const own = 1; throw new Error('here')"), {"error": {"$regex": r"here[\s\S]*<anonymous>:1:"}}, "line of a declaration")
    # Nothing runs twice, and line numbers are those of the text.
    ctx.match(evaluate("window.count = (window.count || 0) + 1; return window.count"), {"result": 1}, "count")
    ctx.match(evaluate("window.count++; JSON.parse('{')"), {"errorCode": "EVAL_ERROR", "error": {"$contains": "SyntaxError"}}, "own")
    ctx.match(evaluate("Error.stackTraceLimit = 0; window.count++; JSON.parse('{')"), {"errorCode": "EVAL_ERROR"}, "no stack")
    ctx.match(evaluate("Error.stackTraceLimit = 10; window.count"), {"result": 3}, "how often")
    ctx.match(evaluate("await 1;\n\nthrow new Error('here')"), {"error": {"$regex": r"<anonymous>:3:"}}, "line with await")
    ctx.match(evaluate("if (1) {\nthrow new Error('here') }\nreturn 1"), {"error": {"$regex": r"<anonymous>:2:"}}, "line with return")
    ctx.match(evaluate("const b = ;"), {"errorCode": "EVAL_ERROR", "error": {"$contains": "Unexpected token ';'"}}, "no script")
    ctx.match(evaluate("return ("), {"errorCode": "EVAL_ERROR", "error": {"$contains": "SyntaxError"}}, "no script either")
    talk.close_stdin()
    talk.wait()
