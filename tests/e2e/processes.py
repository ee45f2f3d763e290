"""Which processes a case has started and left behind.

Two nets: whatever descends from this process (orphans are handed to it, since it declares itself
their reaper) and whatever names the case's directory in its command line or its environment.
"""
import ctypes
import os
import pathlib
import signal
import time

PR_SET_CHILD_SUBREAPER = 36
# By how much this machine or this build is slower than usual: every limit of time is multiplied by it.
SLOWNESS = float(os.environ.get("BR_TEST_SLOWNESS") or 1)


def become_reaper():
    """From now on a process whose parent dies becomes a child of this one, not of init."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def read(pid, name):
    try:
        return pathlib.Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def table():
    """pid to (parent, state) of everything that runs."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            # The name, in parentheses, may hold anything, parentheses too.
            fields = read(entry, "stat").rpartition(b")")[2].split()
            if len(fields) > 1:
                found[int(entry)] = (int(fields[1]), fields[0].decode())
    return found


def descendants(pid):
    """The living descendants; those that have ended and wait for their parent do not count."""
    everything = table()
    children = {}
    for child, (parent, _) in everything.items():
        children.setdefault(parent, []).append(child)
    found, queue = [], [pid]
    while queue:
        for child in children.get(queue.pop(), []):
            queue.append(child)
            if everything[child][1] not in "ZX":
                found.append(child)
    return found


def naming(text):
    """Those, this one aside, whose command line or environment holds the text."""
    needle = os.fsencode(text)
    return [pid for pid, (_, state) in table().items()
            if pid != os.getpid() and state not in "ZX"
            and (needle in read(pid, "cmdline") or needle in read(pid, "environ"))]


def is_alive(pid):
    """False only when it has let go of all that it had open: one that ends has no command line for a while before."""
    return table().get(pid, (0, "X"))[1] not in "ZX"


def describe(pid):
    words = read(pid, "cmdline").replace(b"\0", b" ").decode("utf-8", "replace").strip()
    return f"{pid} {words[:160] or read(pid, 'comm').decode().strip()}"


def wait_until_gone(find, seconds):
    """Calls find() until it finds nothing or the time is up; what is there at last."""
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


def reap_adopted(known):
    """Takes the exit status of adopted children; `known` are those that somebody else waits for."""
    for pid, (parent, state) in table().items():
        if parent == os.getpid() and state == "Z" and pid not in known:
            try:
                os.waitpid(pid, os.WNOHANG)
            except OSError:
                pass
