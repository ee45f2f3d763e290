#!/usr/bin/env python3
"""Pictures that differ, and time, of 60 pages that never rest: `check` with a real and with a virtual clock, in turn.

    tests/bench/clock.py --binary build/release/browser-runner [--rounds N] [--busy N] [--pages N]
"""
import argparse
import http.server
import json
import pathlib
import subprocess
import tempfile
import threading
import time

# Each kind of page, and the value that varies from page to page.
KINDS = {
    "turning": ("<style>@keyframes t{to{transform:rotate(1turn)}}div{width:80px;height:80px;background:teal;"
                "animation:t VALUEms linear infinite}</style><div></div>", lambda i: 500 + 300 * i),
    "chart": ("<canvas id=c width=500 height=300></canvas><script>const g=c.getContext('2d');let s=null;function f(t){s??=t;"
              "const p=Math.min((t-s)/VALUE,1);g.clearRect(0,0,500,300);for(let i=0;i<10;i++){g.fillStyle=`hsl(${i*36} 70% 50%)`;"
              "g.fillRect(i*50,300-p*(i*25+20),40,p*(i*25+20))}if(p<1)requestAnimationFrame(f)}requestAnimationFrame(f)</script>",
              lambda i: 400 + 200 * i),
    "skeleton": ("<style>@keyframes p{50%{opacity:.3}}.k{height:50px;margin:9px;background:#bbb;animation:p .7s infinite}</style>"
                 "<div id=b><div class=k></div><div class=k></div></div><script>setTimeout(async()=>{const d=await(await "
                 "fetch('/data')).text();b.innerHTML='<h1>'+d+'</h1>'},VALUE)</script>", lambda i: 300 + 200 * i),
    "counter": ("<h1 id=o>0</h1><script>let n=0;setInterval(()=>{o.textContent=++n},VALUE)</script>", lambda i: 31 + 40 * i),
    "frames": ("<h1 id=o>0</h1><script>let n=VALUE;function f(){o.textContent=++n;requestAnimationFrame(f)}f()</script>",
               lambda i: 1000 * i),
}


def make_pages(count):
    pages = {}
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        text, value = KINDS[kind]
        index = number // len(KINDS)
        pages[f"/{kind}-{index}"] = "<!doctype html><title>Page</title>" + text.replace("VALUE", str(value(index)))
    return pages


def serve(pages):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = pages.get(self.path, "some data").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def check(binary, folder, clock, *args):
    began = time.monotonic()
    subprocess.run([binary, "check", f"{clock}.json", "--retries", "0", "--chrome", "headless-shell", "--no-sandbox", *args],
                   cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=1200, check=False)
    took = time.monotonic() - began
    entries = json.loads((folder / f"{clock}.report" / "results.json").read_text())["checks"]
    return took, sum(entry["status"] not in ("passed", "new") for entry in entries)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/browser-runner")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--busy", type=int, default=0, help="processes that do nothing but compute, beside it")
    parser.add_argument("--pages", type=int, default=60)
    options = parser.parse_args()
    binary = str(pathlib.Path(options.binary).resolve())
    pages = make_pages(options.pages)
    address = serve(pages)
    busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(options.busy)]
    try:
        with tempfile.TemporaryDirectory(prefix="browser-runner-clock-") as name:
            folder = pathlib.Path(name)
            for clock in ("real", "virtual"):
                checks = [{"name": path[1:], "url": path} for path in pages]
                (folder / f"{clock}.json").write_text(json.dumps(
                    {"clock": clock, "baseUrl": address, "viewports": {"desktop": {"width": 800, "height": 600}}, "checks": checks}))
                check(binary, folder, clock)
            for number in range(options.rounds):
                found = {clock: check(binary, folder, clock, "--ci") for clock in ("real", "virtual")}
                print(f"round {number + 1}: differ of {len(pages)}: real {found['real'][1]}, virtual {found['virtual'][1]}; "
                      f"real {found['real'][0]:.1f} s, virtual {found['virtual'][0]:.1f} s, "
                      f"ratio {found['virtual'][0] / found['real'][0]:.2f}", flush=True)
    finally:
        for process in busy:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
