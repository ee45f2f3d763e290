"""check: `setup` runs once; all checks begin with its cookies and local storage, and do not see each other's; its failure ends the run."""
import json
import os

from answers import Site, page

BROWSER = "shared"
LOGIN = """<form onsubmit="event.preventDefault(); document.cookie = 'who=' + this.name.value; localStorage.theme = 'dark'; document.body.append('Welcome')">
<label>Name <input name=name></label><button>Log in</button></form>"""
SHOWS = """<body style='margin: 0'><p id=said></p><script>
fetch('/seen?' + [document.cookie, localStorage.theme, localStorage.visited].join('|'));
said.textContent = document.cookie + localStorage.theme; localStorage.visited = 1; document.cookie = 'more=1';</script>"""


def run(ctx):
    site = Site(ctx, {"/login": page(LOGIN), "/shows": page(SHOWS), "/seen": (200, {}, b"")})
    setup = {"url": "/login", "actions": [{"type": "type", "selector": "input", "text": "ada"}, {"type": "click", "text": "Log in"}],
             "ready": {"text": "Welcome"}}
    suite = {"baseUrl": site.url + "/", "viewports": {"desktop": {"width": 400, "height": 300}}, "setup": setup,
             "checks": [{"name": f"shows-{number}", "url": "/shows"} for number in range(4)]}
    (ctx.work / "tmp").mkdir()
    ctx.environment["TMPDIR"] = str(ctx.work / "tmp")

    def check(code):
        ctx.file("smoke.json", json.dumps(suite))
        del site.requests[:]
        done = ctx.run(["check", "smoke.json", "--jobs", "2", *ctx.browser_args()], seconds=60, complete=False)
        ctx.expect(done.exit == code, f"exit {done.exit}: {done.text[-1500:]}")
        left = [name for name in os.listdir(ctx.work / "tmp") if "setup" in name]
        ctx.expect(not left, f"left behind: {left}")
        return done

    check(0)
    paths = [path for _, path, _ in list(site.requests)]
    ctx.expect(paths.count("/login") == 1, f"{paths}")
    seen = [path for path in paths if path.startswith("/seen")]
    ctx.expect(len(seen) == 4 and set(seen) == {"/seen?who=ada|dark|"}, f"{seen}")

    setup["actions"][1]["text"] = "Sign in"
    setup["timeout"] = 500
    done = check(1)
    ctx.expect("setup: action 2 (click): " in done.stderr, done.stderr)
    ctx.expect(not [path for _, path, _ in list(site.requests) if path == "/shows"], "checks were run")
