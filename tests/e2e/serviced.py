"""A service manager in Python: opens sockets, starts the program with them, and hears what it is told."""
import json
import os
import signal
import socket
import sys
import time

from harness import Failure
from processes import SLOWNESS

# Puts the sockets at 3 and on, and becomes the program, which has the pid of LISTEN_PID.
LAUNCH = """
import fcntl, json, os, sys
given = json.loads(sys.argv[1])
high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 100) for fd in given["fds"]]
os.closerange(3, 100)
for at, fd in enumerate(high):
    os.dup2(fd, 3 + at)
os.closerange(100, 300)
os.environ.update(given["environment"], LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])
"""


class Manager:
    def __init__(self, ctx, is_abstract=False):
        self.ctx = ctx
        self.address = f"@browser-runner-{os.getpid()}-{id(self)}" if is_abstract else str(ctx.work / f"notify-{id(self)}")
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(self.address.replace("@", "\0"))
        self.sockets = []  # pairs of name and socket

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for _, opened in self.sockets:
            opened.close()
        self.notify.close()
        if self.address.startswith("/"):
            os.unlink(self.address)

    def add(self, name, opened):
        self.sockets.append((name, opened))
        return opened

    def listen(self, name, host="127.0.0.1", port=0):
        """A listening socket; its port."""
        opened = self.add(name, socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET))
        if ":" in host:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host, port))
        opened.listen()
        return opened.getsockname()[1]

    def start(self, *args, **environment):
        """Starts `serve`, with all sockets."""
        fds = [opened.fileno() for _, opened in self.sockets]
        given = {"LISTEN_FDS": str(len(fds)), "LISTEN_FDNAMES": ":".join(name for name, _ in self.sockets),
                 "NOTIFY_SOCKET": self.address}
        given = {name: value for name, value in {**given, **environment}.items() if value is not None}
        return self.ctx.start(["serve", *args], pass_fds=fds,
                              through=(sys.executable, "-c", LAUNCH, json.dumps({"fds": fds, "environment": given})))

    def hear(self, seconds=20):
        """The next datagram, as an object."""
        self.notify.settimeout(seconds * SLOWNESS)
        try:
            text = self.notify.recv(4096).decode()
        except socket.timeout:
            raise Failure(f"the service manager heard nothing within {seconds} s") from None
        return dict(line.split("=", 1) for line in text.split("\n"))

    def hear_nothing(self):
        self.notify.setblocking(False)
        try:
            self.ctx.problem(f"the service manager heard {self.notify.recv(4096)}")
        except BlockingIOError:
            pass

    def reload(self, process):
        """SIGHUP, and what is told of it; the status behind it."""
        before_us = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        process.signal(signal.SIGHUP)
        told = self.hear()
        self.ctx.expect(told.get("RELOADING") == "1" and int(told.get("MONOTONIC_USEC", 0)) >= before_us, f"reload: {told}")
        told = self.hear()
        self.ctx.expect(told.get("READY") == "1", f"after a reload: {told}")
        return told["STATUS"]


def ended(ctx, process, code=0, seconds=40):
    """Waits for the end; what was on stderr."""
    found = process.popen.wait(seconds * SLOWNESS)
    for reader in process.readers:
        reader.join()
    text = process.stderr.decode()
    ctx.expect(found == code, f"serve ended with {found}, not {code}: {text[-600:]}")
    return text
