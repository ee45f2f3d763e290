"""The suite of fixtures/checks/ for `browser-runner check`, in its state before or after a change."""
import json
import pathlib

from answers import Site, page
from harness import ROOT
from processes import SLOWNESS, TIMEOUT

FIXTURES = ROOT / "fixtures" / "checks"
SCRIPT = {"Content-Type": "text/javascript"}


class Checks:
    """A working copy of the suite; a server of the case serves its pages."""

    def __init__(self, ctx, names=None, **members):
        self.ctx = ctx
        self.site = Site(ctx, {"/crash.js": (200, SCRIPT, b""), "/word": (200, {}, b"one")})
        self.show("before")
        suite = json.loads((FIXTURES / "smoke.json").read_text())
        del suite["$schema"]
        suite.update(baseUrl=self.site.url + "/", **members)
        if names:
            suite["checks"] = [check for check in suite["checks"] if check["name"] in names]
        self.suite = suite
        self.save()

    def save(self):
        self.ctx.file("smoke.json", json.dumps(self.suite))

    def show(self, folder):
        for path in sorted((FIXTURES / folder).glob("*.html")):
            self.site.answers[f"/{path.name}"] = page("")[:2] + (path.read_bytes(),)

    def run(self, *args, exit_code=None, suite="smoke.json", seconds=120):
        if SLOWNESS > 1 and suite != "merge":
            args = (*args, *TIMEOUT)
        run = self.ctx.run(["check", suite, *args, *self.ctx.browser_args()], seconds=seconds,
                           complete=False)
        if exit_code is not None:
            self.ctx.expect(run.exit == exit_code, f"check {args}: exit {run.exit}, not {exit_code}: {run.text[-1500:]}")
        return run

    def results(self, report="smoke.report"):
        return json.loads((self.ctx.work / report / "results.json").read_text())

    def by_id(self, report="smoke.report"):
        return {check["id"]: check for check in self.results(report)["checks"]}

    def states(self, report="smoke.report"):
        return {name: check["status"] for name, check in self.by_id(report).items()}

    def expect_states(self, wanted, report="smoke.report", what=""):
        found = self.states(report)
        for name, status in wanted.items():
            check = self.by_id(report).get(name, {})
            self.ctx.expect(found.get(name) == status, f"{what}{name}: {found.get(name)}, not {status}: "
                                                       f"{check.get('reason')} {check.get('earlier')} {check.get('unstable')}")

    def pictures(self, report="smoke.report"):
        folder = self.ctx.work / report / "images"
        return {path.name: path.read_bytes() for path in sorted(folder.glob("*.actual.png"))}

    def baselines(self):
        folder = pathlib.Path(self.ctx.work / "smoke.baselines")
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())} if folder.exists() else {}
