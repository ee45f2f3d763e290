"""Which processes a case has started and left behind.

Two nets: whatever descends from this process (orphans are handed to it, since it declares itself
their reaper) and whatever names the case's directory in its command line or its environment.
"""
import contextlib
import ctypes
import os
import pathlib
import signal
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
# How much slower this machine or this build is than usual: all time limits are multiplied by it.
SLOWNESS = float(os.environ.get("BR_TEST_SLOWNESS") or 1)
# The option that gives the program's actions as much longer than the 15 s that they have by default.
TIMEOUT = ("--timeout", str(round(15000 * SLOWNESS)))


def become_reaper():
    """From now on a process whose parent dies becomes a child of this one, not of init."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class Forked:
    """A forked child that calls the function, in a tenth of the time that a new Python takes to start.

    `stdin` and `stdout` are pipes to it and from it. The function returns when its standard input ends, which also happens
    when this process ends; end() kills it.
    """

    def __init__(self, function):
        its_input, given = os.pipe()
        taken, its_output = os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                for number in (signal.SIGTERM, signal.SIGINT):
                    signal.signal(number, signal.SIG_DFL)
                os.dup2(its_input, 0)
                os.dup2(its_output, 1)
                os.closerange(3, 1 << 20)  # a copy of another child's input would keep that one from seeing its end
                function()
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                os._exit(0)
        os.close(its_input)
        os.close(its_output)
        self.stdin, self.stdout = open(given, "wb"), open(taken, "rb")

    def end(self):
        kill([self.pid])
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self.stdin.close()
        self.stdout.close()


def read(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", "rb", buffering=0) as file:
            return file.readall()
    except OSError:
        return b""


def status(pid):
    """Returns (parent, state, start time in ticks since the system's start); None if there is no such process."""
    # The name, in parentheses, may contain anything, also parentheses.
    fields = read(pid, "stat").rpartition(b")")[2].split()
    return (int(fields[1]), fields[0].decode(), int(fields[19])) if len(fields) > 19 else None


def table():
    """Returns pid to status() of all processes."""
    found = {int(entry): status(entry) for entry in os.listdir("/proc") if entry.isdigit()}
    return {pid: one for pid, one in found.items() if one}


def is_running(state):
    return state not in "ZX"


def descendants(pid, everything=None):
    """Returns the living descendants, without those that have ended and were not reaped yet."""
    everything = everything or table()
    children = {}
    for child, (parent, _, _) in everything.items():
        children.setdefault(parent, []).append(child)
    found, queue = [], [pid]
    while queue:
        for child in children.get(queue.pop(), []):
            queue.append(child)
            if is_running(everything[child][1]):
                found.append(child)
    return found


def naming(text, everything=None, since=0):
    """Returns processes, except this one, that began at `since` or later, and whose command line or environment has the text."""
    needle = os.fsencode(text)
    return [pid for pid, (_, state, began) in (everything or table()).items()
            if began >= since and pid != os.getpid() and is_running(state)
            and (needle in read(pid, "cmdline") or needle in read(pid, "environ"))]


def of_case(place, known):
    """Returns the living processes of a case: what descends from this one, or began after it and names the place.

    Also reaps children that have ended, except `known`, for which others wait.
    """
    everything = table()
    for pid, (parent, state, _) in everything.items():
        if parent == os.getpid() and state == "Z" and pid not in known:
            with contextlib.suppress(OSError):
                os.waitpid(pid, os.WNOHANG)
    return {*descendants(os.getpid(), everything), *naming(place, everything, everything[os.getpid()][2])}


def is_alive(pid):
    """False only after the process has closed everything: an ending process has no command line for a while before that."""
    now = status(pid)
    return now is not None and is_running(now[1])


def describe(pid):
    words = read(pid, "cmdline").replace(b"\0", b" ").decode("utf-8", "replace").strip()
    return f"{pid} {words[:160] or read(pid, 'comm').decode().strip()}"


def wait_until_gone(find, seconds):
    """Calls find() until it finds nothing or the time is over; returns the last result."""
    deadline = time.monotonic() + seconds * SLOWNESS
    while True:
        left = find()
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.02)


def kill(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
