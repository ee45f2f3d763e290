"""A server that leaves a daemon behind: forked twice, in a session of its own, without environment.

serve.py PORT DIRECTORY: `/` answers, `/slow` never does. The daemon says who it is in DIRECTORY/daemon; the server
says who asked for what in DIRECTORY/asked.
"""
import http.server
import os
import pathlib
import sys
import time

port, directory = int(sys.argv[1]), pathlib.Path(sys.argv[2])


def become_daemon():
    os.setsid()
    if os.fork():
        os._exit(0)
    os.environ.clear()
    for fd in range(3):
        os.close(fd)
    name = directory / "daemon.new"
    name.write_text(str(os.getpid()))
    name.rename(directory / "daemon")
    time.sleep(600)
    os._exit(0)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open(directory / "asked", "a") as asked:
            asked.write(self.path + "\n")
        if self.path == "/slow":
            time.sleep(600)
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>x</title><p>here")


if not os.fork():
    become_daemon()
while not (directory / "daemon").exists():
    time.sleep(0.02)
if port:
    http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
time.sleep(600)  # it is never ready
