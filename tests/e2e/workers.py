"""Processes of cases, forked from one that has imported the slow modules: Python and jsonschema take 0.2 s of each case."""
import array
import json
import os
import pathlib
import py_compile
import runpy
import signal
import socket
import sys
import tempfile
import threading

LARGEST = 65536  # bytes of a request


class Worker:
    """A child of this process, by the part of subprocess.Popen that the runner uses."""

    def __init__(self, pid):
        self.pid, self.returncode = pid, None


class Nursery:
    """Forks workers. It is created before any thread, by a process that is the reaper of its descendants."""

    def __init__(self):
        self.lock = threading.Lock()
        self.ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if os.fork() == 0:
            self.ours.close()
            try:
                with tempfile.TemporaryDirectory(prefix="br-compiled-") as compiled:
                    self.serve(theirs, compiled)
            finally:
                os._exit(0)
        theirs.close()

    def start(self, args, env, stdout, **_):
        """Begins `run.py args…`, like Popen, in a new session, with its output in the file."""
        request = json.dumps([args, env]).encode()
        descriptors = array.array("i", [stdout.fileno()])
        with self.lock:
            self.ours.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, descriptors)])
            answer = self.ours.recv(64)
        if not answer:
            raise OSError("the process that forks workers has ended")
        return Worker(int(answer))

    def serve(self, requests, compiled):
        import asyncio  # noqa: F401
        import http.server  # noqa: F401
        import schemas
        import urllib.request  # noqa: F401
        # It ends when the runner has ended, and removes what it has compiled.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        for kind in ("response", "chunk", "progress", "summary", "image"):
            schemas.quick(kind)
        # Each worker imports our modules itself, because they read the environment; they are compiled once, here. schemas.py
        # does not, and stays.
        here = pathlib.Path(__file__).resolve().parent
        for name, module in list(sys.modules.items()):
            if name not in ("__main__", "schemas") and (getattr(module, "__file__", None) or "").startswith(str(here.parent)):
                del sys.modules[name]
        sys.pycache_prefix = compiled
        for source in (*here.glob("*.py"), here.parent / "runner.py"):
            py_compile.compile(source)
        while True:
            request, descriptors, _, _ = socket.recv_fds(requests, LARGEST, 1)
            if not request:
                return
            # Its parent ends at once, so that the worker becomes the runner's child, who measures and reaps it.
            if (between := os.fork()) == 0:
                if (pid := os.fork()) != 0:
                    requests.send(str(pid).encode())
                    os._exit(0)
                requests.close()
                run(*json.loads(request), descriptors[0])
            os.waitpid(between, 0)
            os.close(descriptors[0])


def run(args, env, output):
    """Continues as `run.py args…`; does not return."""
    code = 1
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for descriptor, place in ((nothing, 0), (output, 1), (output, 2)):
            os.dup2(descriptor, place)
        os.close(nothing)
        os.close(output)
        os.environ.clear()
        os.environ.update(env)
        sys.argv = args
        runpy.run_path(args[0], run_name="__main__")
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
