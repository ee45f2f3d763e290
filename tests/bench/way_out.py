#!/usr/bin/python3
"""What rules cost a page: 100 requests, with rules and the way out, with rules alone, and without any.

One session for each of the three, on the same server; rounds in random order with random pauses, each a page that is loaded
and then fetches 100 small answers, six at a time. Prints the medians in milliseconds, and their ratio to no rules at all.
"""
import argparse
import html
import http.server
import json
import random
import statistics
import subprocess
import sys
import threading
import time

FETCH = ("(async () => { const began = performance.now(); let next = 0; const one = async () => { while (next < 100) "
         "{ await (await fetch('/' + Math.random() + '?' + next++)).text() } };"
         " await Promise.all([1, 2, 3, 4, 5, 6].map(one)); return performance.now() - began })()")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = b"<title>t</title><link rel=icon href=data:,>" if self.path == "/" else b"x" * 2000
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Session:
    def __init__(self, program, url, rules):
        self.url = url
        self.run = subprocess.Popen([program, "run", "-", "--temp-profile", "--screenshots", "none", *rules],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.run.stdin.write("<batch>\n")
        self.ask("start", url=url)

    def ask(self, kind, **params):
        members = "".join(f"<{name}>{html.escape(value)}</{name}>" for name, value in params.items())
        self.run.stdin.write(f"<browser_action><type>{kind}</type>{members}</browser_action>\n")
        self.run.stdin.flush()
        answer = json.loads(self.run.stdout.readline())
        if not answer["success"]:
            sys.exit(f"{kind}: {answer['error']}")
        return answer

    def round(self):
        self.ask("navigate", url=self.url)
        return self.ask("evaluate", expression=FETCH)["result"]

    def close(self):
        self.run.communicate("</batch>\n", timeout=30)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--rounds", type=int, default=30)
    given = arguments.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    rules = {"no rules": [], "rules": ["--allow", url, "--chrome-arg", "--no-proxy-server"], "rules and way out": ["--allow", url]}
    sessions = {name: Session(given.program, url, args) for name, args in rules.items()}
    times = {name: [] for name in rules}
    for _ in range(given.rounds):
        for name in random.sample(list(rules), len(rules)):
            time.sleep(random.uniform(0, 0.05))
            times[name].append(sessions[name].round())
    for session in sessions.values():
        session.close()
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, median in medians.items():
        print(f"{name:20} {median:7.1f} ms   {median / medians['no rules']:.2f}")
    print(f"way out / rules alone {medians['rules and way out'] / medians['rules']:.2f}")


if __name__ == "__main__":
    main()
