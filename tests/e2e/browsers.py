"""Which browser a case gets: its own or one that several share, Chrome or the headless shell, by the day.

A case says what it can do with (README.md): nothing said is a Chrome of its own. What it may have beside that changes by
the day: each case meets Chrome, and has a browser of its own, at least every tenth day; `--others` has the other choice.
"""
import contextlib
import datetime
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import zlib

from foreign import read_port
from processes import SLOWNESS

NEEDS = ("chrome", "any", "shared")
SHELLS = ("chromium-headless-shell", "chrome-headless-shell", "headless-shell")
EVERY = 10  # days


def today():
    return int(os.environ.get("E2E_DAY") or datetime.datetime.now(datetime.timezone.utc).toordinal())


class Choice:
    """What the cases get on a day. `is_other`: of the two kinds the one that the day does not choose."""

    def __init__(self, day, is_other=False, chrome=None):
        self.day, self.is_other = day, is_other
        # Whoever names a browser gets it for all cases.
        self.is_free = not chrome and not os.environ.get("BROWSER_RUNNER_CHROME")
        self.shell = next(filter(None, map(shutil.which, SHELLS)), None) if self.is_free else None
        self.chrome = chrome

    def program(self, case):
        """Returns the browser's path; None for what the program finds by itself."""
        if case.browser == "chrome" or not self.shell:
            return self.chrome
        turn = zlib.crc32(case.name.encode()) + self.day
        return self.shell if bool(turn % EVERY) != self.is_other else None

    def is_shared(self, case):
        turn = zlib.crc32(case.name[::-1].encode()) + self.day
        return case.browser == "shared" and self.is_free and turn % EVERY != 0

    def describe(self, cases):
        shells = sum(self.shell is not None and self.program(case) == self.shell for case in cases)
        shared = sum(map(self.is_shared, cases))
        return (f"browsers of day {self.day}{' (the others)' if self.is_other else ''}: {shells} of {len(cases)} cases with "
                f"the headless shell, {shared} in shared browsers")


class Shared:
    """A browser with a debugging port, started as the program starts its own."""

    def __init__(self, binary, program):
        self.program = program
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="br-shared-"))
        for name in ("tmp", "home", "run"):
            (self.base / name).mkdir(mode=0o700)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.base / "home"), "LANG": "C.UTF-8",
                       "TMPDIR": str(self.base / "tmp"), "XDG_RUNTIME_DIR": str(self.base / "run")}
        arguments = [argument for argument in self.arguments(binary, environment)
                     if not argument.startswith(("--remote-debugging-pipe", "--user-data-dir"))]
        self.process = subprocess.Popen(
            [program or shutil.which("chromium") or "google-chrome", *arguments, "--remote-debugging-port=0",
             f"--user-data-dir={self.base / 'profile'}"], env=environment, cwd=self.base, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port, path = read_port(self.base / "profile" / "DevToolsActivePort")
        self.url = f"ws://127.0.0.1:{port}{path}"

    def arguments(self, binary, environment):
        """Returns those with which the program starts this browser."""
        recorder = self.base / ("headless-shell" if self.program else "chrome")
        recorder.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >'{self.base}/arguments'\nexit 1\n")
        recorder.chmod(0o755)
        subprocess.run([binary, "shot", "about:blank", "-o", self.base / "x.png", "--temp-profile", "--no-sandbox",
                        "--chrome", recorder], env=environment, cwd=self.base, timeout=60 * SLOWNESS, check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return (self.base / "arguments").read_text().splitlines()

    def ask(self, *commands):
        """Returns the results of (method, parameters) pairs; a function of the results so far may be in place of a pair."""
        import asyncio  # here, since the processes of cases do without them
        import websockets

        async def converse():
            results = []
            async with websockets.connect(self.url, max_size=None) as socket:
                for number, command in enumerate(commands):
                    method, parameters = command(results) if callable(command) else command
                    await socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
                    while (answer := json.loads(await socket.recv())).get("id") != number:
                        pass
                    if "error" in answer:
                        raise OSError(f"{method}: {answer['error']}")
                    results.append(answer["result"])
            return results
        try:
            return asyncio.run(asyncio.wait_for(converse(), 20 * SLOWNESS))
        except (asyncio.TimeoutError, websockets.WebSocketException) as error:
            raise OSError(f"the shared browser: {error or 'no answer'}") from None

    def open(self):
        """Returns (context, tab): a new tab with cookies and storage of its own."""
        context, tab = self.ask(
            ("Target.createBrowserContext", {}),
            lambda results: ("Target.createTarget", {
                "url": "about:blank", "browserContextId": results[0]["browserContextId"], "newWindow": True}))
        return context["browserContextId"], tab["targetId"]

    def close(self, context):
        """Removes the context; returns whether the browser is as it was before."""
        try:
            _, left, kept = self.ask(("Target.disposeBrowserContext", {"browserContextId": context}),
                                     ("Target.getTargets", {}), ("Storage.getCookies", {}))
        except OSError:
            return False
        return not kept["cookies"] and not [one for one in left["targetInfos"] if one["type"] == "page"]

    def end(self):
        """Ends it; returns the processor time that it took."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        used = 0
        with contextlib.suppress(ChildProcessError):
            while True:  # its children have become ours
                usage = os.wait4(-self.process.pid, 0)[2]
                used += usage.ru_utime + usage.ru_stime
        shutil.rmtree(self.base, ignore_errors=True)
        return used


class Pool:
    """The shared browsers, each used by one case at a time."""

    def __init__(self, binary):
        self.binary, self.lock = binary, threading.Lock()
        self.idle, self.all = [], []
        self.started, self.used = 0, 0

    def take(self, program):
        """Returns a browser with its new context and tab."""
        for is_last in (False, True):
            with self.lock:
                browser = next((one for one in self.idle if one.program == program), None)
                if browser:
                    self.idle.remove(browser)
            if not browser:
                browser = Shared(self.binary, program)
                with self.lock:
                    self.all.append(browser)
                    self.started += 1
            try:
                return browser, *browser.open()
            except OSError as error:
                self.drop(browser)
                if is_last:
                    raise OSError(f"no tab in a shared browser: {error}") from None

    def drop(self, browser):
        with self.lock:
            self.all.remove(browser)
        used = browser.end()
        with self.lock:
            self.used += used

    def use(self, program, attempt):
        """Calls attempt(url, tab) with a tab in a browser of the kind; the next one gets a new browser after a failure."""
        browser, context, tab = self.take(program)
        result = attempt(browser.url, tab)
        if result.has_passed and browser.close(context):
            with self.lock:
                self.idle.append(browser)
        else:
            self.drop(browser)
        return result

    def end(self):
        with self.lock:
            ended, self.all, self.idle = self.all, [], []
        for browser in ended:
            self.used += browser.end()
        if self.started:
            print(f"{self.started} shared browsers, {self.used:.1f} s of processors")
