"""
Commands of warm sessions do not load the libraries of servers, pictures and XML, which takes two thirds of a start; the
daemon does, when it needs them. If this fails, `nm -D -u build/release/browser-runner` names the functions that cmake/late.c
lacks.
"""
import pathlib
import re

from warm import warm_sessions

BROWSER = "any"
LATE = {"libwebsockets", "libcrypto", "libexpat", "libpng16", "libjpeg", "libz", "libdeflate"}


def run(ctx):
    def loaded(log):
        """The names of the libraries that the dynamic loader wrote into its logs, one for each process."""
        files = list(pathlib.Path(ctx.work).glob(f"{log}.*"))
        ctx.expect(files, f"no {log}: is the program linked statically?")
        text = "".join(file.read_text() for file in files)
        return set(re.findall(r"calling init: \S*/(lib[a-z0-9_-]+)\.so", text))

    def traced(log):
        return {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(ctx.work / log)}

    with warm_sessions(ctx) as warm:
        warm.fine("open", ctx.origin + "/shop/", *ctx.browser_args())
        for words in (["evaluate", "1 + 1"], ["click", "#add-kettle"], ["snapshot"],
                      ["shot", "-o", str(ctx.work / "page.jpg")]):
            answer = warm.act(*words, **traced(words[0]))
            names = loaded(words[0])
            ctx.expect(answer.exit == 0 and "libjansson" in names, f"{words}: {answer.text}: {names}")
            ctx.expect(not LATE & names, f"{words}: loads {names}")
    warm.act("open", ctx.origin + "/shop/", *ctx.browser_args(), **traced("daemon"))
    warm.fine("shot", "-o", str(ctx.work / "page.jpg"))
    expected = {"libwebsockets", "libcrypto", "libjpeg"}
    ctx.expect(expected <= loaded("daemon"), f"a daemon without {expected - loaded('daemon')}")
    warm.call("session", "stop", "--all", seconds=40)
