"""Runs one case: its directory, profile and server; the program; the checks; the cleanup."""
import importlib.util
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import processes
import server
from matchers import mismatches
from pictures import Picture
from processes import SLOWNESS, TIMEOUT
from stream import CHUNK_SIZE, Stream, time_limits

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CASES = HERE / "cases"
ORIGIN = "http://127.0.0.1:8765"  # in batches and expectations; replaced by the real server's
CLOSED = "http://127.0.0.1:8766"  # an origin without a server
TIME_LIMIT = 120  # seconds, the default for a case; the slowest take 40 alone on two cores
PASSED_ON = ("PATH", "TZ", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS",
             "LLVM_PROFILE_FILE", "BROWSER_RUNNER_CHROME", "BR_TEST_SLOWNESS")
# Text that no run may write to stderr.
BROKEN = re.compile(r"AddressSanitizer|LeakSanitizer|ThreadSanitizer|runtime error:|Assertion .* failed"
                    r"|double free|corrupted|stack smashing|core dumped")


# A setting before it is named in the words of the front end (runner/hints/wording.h); no output may have it.
UNWORDED = re.compile(r"⟨[a-z-]+⟩")


class Failure(Exception):
    """A failed check after which the rest of the case is meaningless."""


class Skip(Exception):
    """The case cannot run here; the text gives the reason."""


class Options:
    """`shared` is (URL, tab) if the case has a tab in a browser that several use."""

    def __init__(self, binary, cases=CASES, sandbox=False, chrome=None, keep=False, shared=None):
        self.binary, self.cases = binary, pathlib.Path(cases)
        self.sandbox, self.chrome, self.keep, self.shared = sandbox, chrome, keep, shared


class Run:
    """A finished run of the program."""

    def __init__(self, args, exit_code, stdout, stderr, seconds):
        self.args, self.exit, self.stdout, self.seconds = args, exit_code, stdout, seconds
        self.stderr = stderr.decode("utf-8", "replace")
        self.sent = ""
        self.stream = None

    @property
    def responses(self):
        return self.stream.responses

    @property
    def summary(self):
        return self.stream.summary

    @property
    def text(self):
        """stdout and stderr as one text."""
        return self.stdout.decode("utf-8", "replace") + self.stderr

    def response(self, number):
        if number > len(self.responses):
            raise Failure(f"there is no response {number}, only {len(self.responses)}; "
                          f"stderr: {self.stderr[-600:]}")
        return self.responses[number - 1]

    def picture(self, number, key="post"):
        """Returns the decoded picture of response `number`."""
        if (number, key) not in self.stream.pictures:
            raise Failure(f"response {number} has no {key} picture")
        return self.stream.pictures[number, key]


class Process:
    """The running program, for a conversation with it."""

    def __init__(self, context, args, stdin=subprocess.PIPE, through=(), **more):
        self.context, self.args = context, [str(arg) for arg in args]
        self.began, self.wall = time.monotonic(), time.time()
        self.sent = ""
        self.popen = subprocess.Popen(
            [*through, context.options.binary, *self.args], stdin=stdin, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd=context.work, env=context.environment, **more)
        self.pid = self.popen.pid
        context.known.add(self.pid)
        self.stdout, self.stderr = bytearray(), bytearray()
        self.lines = queue.Queue()
        self.readers = [threading.Thread(target=self.read_stdout, daemon=True),
                        threading.Thread(target=self.read_stderr, daemon=True)]
        for reader in self.readers:
            reader.start()

    def read_stdout(self):
        for line in self.popen.stdout:
            self.stdout += line
            self.lines.put(line)
        self.lines.put(None)

    def read_stderr(self):
        while block := os.read(self.popen.stderr.fileno(), 65536):
            self.stderr += block

    def send(self, text):
        text = self.context.adapt(text)
        self.sent += text
        self.popen.stdin.write(text.encode())
        self.popen.stdin.flush()

    def ask(self, kind, parameters=None, seconds=30):
        """Sends one action and waits for its answer."""
        self.send(instruction(kind, parameters or {}) + "\n")
        return self.line(seconds)

    def close_stdin(self):
        self.popen.stdin.close()

    def line(self, seconds=20):
        """Returns the next line of stdout as JSON; skips chunks."""
        seconds *= SLOWNESS
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise Failure(f"no line on stdout within {seconds} s; "
                              f"stderr: {self.stderr.decode(errors='replace')[-600:]}") from None
            if line is None:
                raise Failure(f"stdout ended; stderr: {self.stderr.decode(errors='replace')[-600:]}")
            value = json.loads(line)
            if value["kind"] != "chunk":
                return value

    def signal(self, number):
        self.popen.send_signal(number)

    def wait(self, seconds=30, complete=True):
        """Waits for the end. complete False: the stream may end anywhere."""
        seconds *= SLOWNESS
        try:
            code = self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"still running after {seconds} s: {' '.join(self.args)}; "
                          f"stderr: {self.stderr.decode(errors='replace')[-600:]}") from None
        ended = time.monotonic()
        for reader in self.readers:
            reader.join(5 * SLOWNESS)
        run = Run(self.args, code, bytes(self.stdout), bytes(self.stderr), ended - self.began)
        run.sent = self.sent
        self.context.inspect(run, self.wall, complete)
        return run


class Context:
    """The functions and data that a case uses."""

    def __init__(self, name, options):
        self.name, self.options, self.dir = name, options, options.cases / name
        self.problems = []
        self.known = set()
        self.leftovers_allowed = False
        self.server = None
        self.server_url = None
        self.closed = None
        self.runs = []
        self.at_end = []  # functions that undo the case's changes to the system
        base = os.path.realpath(tempfile.mkdtemp(prefix="br-e2e-"))
        self.base = pathlib.Path(base)
        self.tmp, self.work = self.base / "tmp", self.base / "work"
        self.config = self.base / "config"
        for path in (self.tmp, self.work, self.config, self.base / "home", self.base / "run"):
            path.mkdir(mode=0o700)
        self.environment = {key: os.environ[key] for key in PASSED_ON if key in os.environ}
        self.environment.update(
            HOME=str(self.base / "home"), TMPDIR=str(self.tmp), XDG_CONFIG_HOME=str(self.config),
            XDG_CACHE_HOME=str(self.base / "cache"), XDG_RUNTIME_DIR=str(self.base / "run"),
            LANG="C.UTF-8", BROWSER_RUNNER_E2E=base)
        if options.chrome:  # for the commands of documents, which do not name it
            self.environment["BROWSER_RUNNER_CHROME"] = options.chrome

    # Checks.

    def problem(self, text):
        self.problems.append(text)

    def expect(self, holds, text):
        """Records a problem and continues."""
        if not holds:
            self.problem(text)
        return bool(holds)

    def match(self, value, pattern, what):
        pattern = json.loads(self.adapt(json.dumps(pattern, ensure_ascii=False)))
        for reason in mismatches(value, pattern, what):
            self.problem(reason)

    # The server and its records.

    @property
    def origin(self):
        if not self.server:
            self.server = processes.Forked(lambda: server.main(["--case-dir", str(self.dir / "pages")]))
            self.known.add(self.server.pid)
            self.server_url = self.server.stdout.readline().decode().strip()
            if not self.server_url.startswith("http://127.0.0.1:"):
                raise Failure("the test server did not start")
        return self.server_url

    @property
    def closed_origin(self):
        """Returns an origin that refuses connections: its port is reserved, but no server listens there."""
        if not self.closed:
            self.closed = socket.socket()
            self.closed.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{self.closed.getsockname()[1]}"

    def take_port(self):
        """Reserves a port for the duration of the case, at which a server of the case can listen."""
        taken = socket.socket()
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", 0))
        self.at_end.append(taken.close)
        return taken.getsockname()[1]

    def fetch(self, path):
        with urllib.request.urlopen(self.origin + path, timeout=10 * SLOWNESS) as answer:
            return json.loads(answer.read())

    def counts(self):
        return self.fetch("/counts")

    def adapt(self, text):
        """Replaces the placeholder origins and directories of files by the real ones."""
        if ORIGIN in text:
            text = text.replace(ORIGIN, self.origin)
        if CLOSED in text:
            text = text.replace(CLOSED, self.closed_origin)
        return text.replace("${tmp}", str(self.base)).replace("${root}", str(ROOT))

    def file(self, name, content):
        """Writes a file into the case's directory, after adapt()."""
        path = self.work / name
        if isinstance(content, str):
            content = self.adapt(content).encode()
        path.write_bytes(content)
        return path

    def copy(self, source):
        """Copies a batch for the case, after adapt() if it is text."""
        try:
            return self.file("batch.xml", source.read_text())
        except UnicodeDecodeError:
            return self.file("batch.xml", source.read_bytes())

    def batch(self, steps, name="batch.xml"):
        """Writes a batch of (type, {parameter: value}) pairs to a file."""
        return self.file(name, batch(steps))

    # Runs of the program.

    def usual_args(self):
        """Returns the options for a new profile, removed at the end; or for the case's tab in a shared browser."""
        if self.options.shared:
            url, tab = self.options.shared
            return ["--connect", url, "--tab", tab]
        return ["--temp-profile", *self.browser_args()]

    def browser_args(self):
        args = [] if self.options.sandbox else ["--no-sandbox"]
        return args + (["--chrome", self.options.chrome] if self.options.chrome else [])

    def mark_chrome(self):
        """A Chrome that leaves a mark and fails; see marked()."""
        path = self.work / "chrome-that-marks"
        if not path.exists():
            path.write_text(f"#!/bin/sh\necho started >> '{self.base}/mark'\nexit 1\n")
            path.chmod(0o755)
        return path

    def marked(self):
        return (self.base / "mark").exists()

    def start(self, args, **more):
        return Process(self, args, **more)

    def run(self, args, stdin=None, seconds=60, complete=True):
        """Runs the program until it ends."""
        process = self.start(args, stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE)
        if stdin is not None:
            process.sent = stdin if isinstance(stdin, str) else stdin.decode("utf-8", "replace")

            def feed():
                try:
                    process.popen.stdin.write(stdin.encode() if isinstance(stdin, str) else stdin)
                    process.popen.stdin.close()
                except OSError:
                    pass  # the program may end without reading everything
            threading.Thread(target=feed, daemon=True).start()
        return process.wait(seconds, complete)

    def run_batch(self, steps, *args, profile=None, **more):
        """Runs steps, a list of pairs or a path, with a separate profile."""
        path = steps if isinstance(steps, (str, pathlib.Path)) else self.batch(steps)
        place = self.usual_args() if profile is None else [*profile, *self.browser_args()]
        if SLOWNESS > 1 and "--timeout" not in args:
            place += TIMEOUT
        return self.run(["run", path, *place, *args], **more)

    def requires_widgets(self, *names):
        """Skips the case if one of the npm packages of tests/widgets is not installed."""
        for name in names:
            if not (ROOT / "tests" / "widgets" / "node_modules" / name).is_dir():
                raise Skip(f"{name} is not installed: npm ci --prefix tests/widgets --ignore-scripts")

    def inspect(self, run, wall, complete):
        """Checks that apply to every run."""
        self.runs.append(run)
        what = f"run {len(self.runs)}"
        if run.exit < 0 and complete:
            self.problem(f"{what}: ended by signal {-run.exit}")
        broken = BROKEN.search(run.stderr)
        if broken:
            at = broken.start()
            self.problem(f"{what}: {run.stderr[max(0, at - 200):at + 1500]}")
        unworded = UNWORDED.search(run.text)
        if unworded:
            at = unworded.start()
            self.problem(f"{what}: a setting is not named in the program's words: {run.text[max(0, at - 200):at + 200]}")
        if "\x1b" in run.stderr:
            self.problem(f"{what}: escape sequences on stderr where no terminal is")
        if run.args[:1] != ["run"] or "--help" in run.args or "--provider" in run.args:
            return  # cases that request providers' messages check them
        size = CHUNK_SIZE
        if "--chunk-size" in run.args and run.exit != 2:
            size = int(run.args[run.args.index("--chunk-size") + 1])
        unscaled = "--max-edge" in run.args or any(
            "maxEdge" in pathlib.Path(arg).read_text(errors="replace")
            for arg in run.args[1:] if arg.endswith(".xml") and os.path.isfile(self.work / arg))
        run.stream = Stream(run.stdout, size, not unscaled, (wall, time.time()), complete)
        self.problems += [f"{what}: {text}" for text in run.stream.problems]
        if complete and run.summary and run.exit in (0, 1):
            failed = run.summary["failed"] > 0 or run.summary["aborted"]
            self.expect(run.exit == int(failed), f"{what}: exit {run.exit}, but {run.summary}")
        limits = self.time_limits(run)
        for response, limit in zip(run.responses, limits or [run.seconds * 1000] * len(run.responses)):
            if response.get("durationMs", 0) > min(limit, run.seconds * 1000 + 50 * SLOWNESS):
                self.problem(f"{what}: response {response['id']} took {response['durationMs']} ms; "
                             f"allowed are {limit:.0f}, the whole run took {run.seconds * 1000:.0f}")
        if complete and run.exit != 2:
            self.check_saved(run)

    def time_limits(self, run):
        """Returns the time limit of each action in ms; None if unknown."""
        if not run.responses:
            return None
        timeout = int(run.args[run.args.index("--timeout") + 1]) if "--timeout" in run.args else 15000
        files = [self.work / arg for arg in run.args[1:] if arg.endswith(".xml")]
        text = "".join(path.read_text(errors="replace") for path in files if path.is_file()) + run.sent
        limits = time_limits(text, timeout)
        return limits if len(limits) >= len(run.responses) else None

    def check_saved(self, run):
        """Compares files of --save-dir with the pictures on stdout."""
        if "--save-dir" not in run.args:
            return
        folder = self.work / run.args[run.args.index("--save-dir") + 1]
        saved = {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}
        for (number, key), content in run.stream.pictures.items():
            kind = run.responses[number - 1]["type"]
            suffix = "png" if content[:1] == b"\x89" else "jpg"
            name = f"{number:04d}-{kind}-{key}.{suffix}"
            if saved.pop(name, None) != content:
                self.problem(f"--save-dir: {name} is not the picture of the response")
        if saved:
            self.problem(f"--save-dir: files that belong to no response: {', '.join(sorted(saved))}")

    # Cases that are data.

    def run_data(self, expect):
        args = [self.adapt(arg) for arg in expect.get("args", [])]
        source = self.dir / "batch.xml"
        if "batch" in expect:
            source = ROOT / expect["batch"]
        path = self.copy(source) if source.is_file() else None
        command = expect.get("command")
        if command:
            args = [self.adapt(arg) for arg in command] + args
        else:
            args = ["run", path, *args]
            if expect.get("screenshots", "none"):
                args += ["--screenshots", expect.get("screenshots", "none")]
            if "--timeout" not in args:
                args += TIMEOUT
            if expect.get("nothingRun"):
                args += [*expect.get("profile", ["--temp-profile"]), "--chrome", self.mark_chrome(), "--no-sandbox"]
            elif "profile" in expect:
                args += expect["profile"] + self.browser_args()
            else:
                args += self.usual_args()
            if expect.get("save"):
                args += ["--save-dir", self.base / "pictures"]
        run = self.run(args, stdin=expect.get("stdin"), seconds=expect.get("seconds", 60))
        self.check_data(run, expect)

    def check_data(self, run, expect):
        self.expect(run.exit == expect["exit"],
                    f"exit code: expected {expect['exit']}, got {run.exit}")
        if expect.get("nothingRun"):
            self.expect(not self.marked(), "Chrome was started")
            self.expect(not run.responses, f"{len(run.responses)} responses, though nothing may be run")
        wanted = expect.get("responses", {})
        if isinstance(wanted, list):
            self.expect(len(run.responses) == len(wanted),
                        f"expected {len(wanted)} responses, got {len(run.responses)}: "
                        + self.outline(run))
            wanted = {number: pattern for number, pattern in enumerate(wanted, 1)}
        for number, pattern in wanted.items():
            number = int(number)
            if number > len(run.responses):
                if isinstance(expect["responses"], dict):
                    self.problem(f"there is no response {number}: {self.outline(run)}")
                continue
            response = run.responses[number - 1]
            self.match(response, expand(pattern), f"response {number} ({response.get('type')})")
        if "summary" in expect:
            self.match(run.summary, expect["summary"], "summary")
        for key, pattern in expect.get("pictures", {}).items():
            number, _, name = key.partition(".")
            self.match(Picture(run.picture(int(number), name)).summary(), pattern, f"picture {key}")
        for pattern in expect.get("stderr", []):
            self.match(run.stderr, {"$regex": pattern}, "stderr")
        for pattern in expect.get("stderrNot", []):
            self.match(run.stderr, {"$not": {"$regex": pattern}}, "stderr")
        for pattern in expect.get("output", []):
            self.match(run.text, {"$regex": pattern}, "stdout and stderr")
        if "counts" in expect:
            self.match(self.counts(), expect["counts"], "counts of the server")

    @staticmethod
    def outline(run):
        return ", ".join(f"{r.get('id')} {r.get('type')} {'ok' if r.get('success') else r.get('errorCode')}"
                         for r in run.responses) or f"none; stderr: {run.stderr[-400:]}"

    # The end.

    def describe_runs(self):
        """Describes the last run, and those that a problem names."""
        named = "\n".join(self.problems)
        return [f"run {i}: {' '.join(run.args)}\n  exit {run.exit} after {run.seconds:.1f} s; stderr: "
                + (run.stderr[-1200:].strip() or "(nothing)")
                for i, run in enumerate(self.runs, 1)
                if i == len(self.runs) or re.search(rf"\brun {i}\b", named)]

    def stray(self):
        """Returns processes of this case, except the server and known ones."""
        return sorted(processes.of_case(str(self.base), self.known) - ({self.server.pid} if self.server else set()))

    def check_nothing_left(self, seconds=5):
        stray = processes.wait_until_gone(self.stray, seconds)
        if stray:
            self.problem(f"{len(stray)} processes left {seconds} s after the end:\n"
                         + "\n".join("  " + processes.describe(pid) for pid in stray[:12]))
        processes.kill(stray)
        left = sorted(path.name for path in self.tmp.iterdir())
        if left and not self.leftovers_allowed:
            self.problem(f"left in TMPDIR: {', '.join(left[:12])}")

    def close(self):
        for _ in range(50):
            stray = self.stray()
            processes.kill(stray)
            if not stray:
                break
            time.sleep(0.05)
        while self.at_end:
            self.at_end.pop()()
        if self.server:
            self.server.end()
        if self.closed:
            self.closed.close()
        if not self.options.keep:
            shutil.rmtree(self.base, ignore_errors=True)


def expand(pattern):
    """Expands the short forms: "ok", or an error code."""
    if pattern == "ok":
        return {"success": True}
    if isinstance(pattern, str):
        return {"success": False, "errorCode": pattern}
    return pattern


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def instruction(kind, parameters):
    """Returns the XML of one action."""
    elements = [f"<type>{kind}</type>"]
    for name, value in parameters.items():
        text = value if isinstance(value, str) else json.dumps(value)
        elements.append(f"<{name}>{escape(text)}</{name}>")
    return f"<browser_action>{''.join(elements)}</browser_action>"


def batch(steps):
    """Returns the XML of (type, {parameter: value}) pairs."""
    actions = [f"  {instruction(kind, parameters)}" for kind, parameters in steps]
    return "\n".join(["<batch>", *actions, "</batch>", ""])


def load(path):
    spec = importlib.util.spec_from_file_location(f"case_{path.parent.name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def case(name):
    """Imports the case.py of another case, for a case that extends it."""
    return load(CASES / name / "case.py")


def execute(name, options):
    """Runs one case in this process. Returns (problems, reason for skipping or None)."""
    processes.become_reaper()
    context = Context(name, options)

    def on_terminate(*_):
        context.close()
        os._exit(1)
    signal.signal(signal.SIGTERM, on_terminate)
    # A signal that a background shell, or nohup, ignores would also be ignored by the program.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

    skipped = None
    try:
        script, data = context.dir / "case.py", context.dir / "expect.json"
        if data.is_file():
            context.run_data(json.loads(data.read_text()))
        if script.is_file():
            load(script).run(context)
        context.check_nothing_left()
    except Skip as reason:
        skipped = str(reason)
    except Failure as failure:
        context.problem(str(failure))
    except Exception as error:  # an error of the case or the harness: report its place
        import traceback
        context.problem("".join(traceback.format_exception(error)).strip())
    finally:
        if context.problems:
            context.problems += context.describe_runs()
        if options.keep:
            print(f"{name}: kept {context.base}", file=sys.stderr)
        context.close()
    return context.problems, skipped
