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
# How much slower this machine or this build is than usual: all time limits are multiplied by it.
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
    """Returns pid to (parent, state) of all processes."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            # The name, in parentheses, may contain anything, also parentheses.
            fields = read(entry, "stat").rpartition(b")")[2].split()
            if len(fields) > 1:
                found[int(entry)] = (int(fields[1]), fields[0].decode())
    return found


def descendants(pid):
    """Returns the living descendants, without those that have ended and were not reaped yet."""
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
    """Returns processes, except this one, whose command line or environment contains the text."""
    needle = os.fsencode(text)
    return [pid for pid, (_, state) in table().items()
            if pid != os.getpid() and state not in "ZX"
            and (needle in read(pid, "cmdline") or needle in read(pid, "environ"))]


def is_alive(pid):
    """False only after the process has closed everything: an ending process has no command line for a while before that."""
    return table().get(pid, (0, "X"))[1] not in "ZX"


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


def reap_adopted(known):
    """Reaps adopted children, except `known`, which others wait for."""
    for pid, (parent, state) in table().items():
        if parent == os.getpid() and state == "Z" and pid not in known:
            try:
                os.waitpid(pid, os.WNOHANG)
            except OSError:
                pass
