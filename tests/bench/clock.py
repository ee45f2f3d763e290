#!/usr/bin/env python3
"""Pictures that differ, and wall time, of 60 pages that never rest: `check` with a real and with a virtual clock, and
Playwright's toHaveScreenshot, in turn, each against baselines that it made itself before.

    tests/bench/clock.py --binary build/release/browser-runner [--times N] [--busy N] [--jobs N] [--without playwright]

All drive the same headless shell, as many pages at a time, at the same size and threshold. Playwright comes from npm, at the
version of checks/package-lock.json; npm is needed once.
"""
import argparse
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
PEERS = HERE / "checks"
PLAYWRIGHT = PEERS / "node_modules" / ".bin" / "playwright"
CORPUS = HERE.parents[1] / "fixtures" / "snapshot" / "corpus"
LIMIT_S = 900  # for one run of 60 pages
CARDS = "".join(f"<div class=c style='transition-delay:{i * 90}ms'>Card {i}</div>" for i in range(8))

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
    "dashboard": ("<style>svg{width:400px;height:90px;display:block;border:1px solid}</style><h1 id=sum>0</h1><div id=b></div><script>"
                  "for(let k=0;k<3;k++){b.insertAdjacentHTML('beforeend','<svg viewBox=\"0 0 400 90\"><polyline fill=none stroke=navy /></svg>')}"
                  "let n=0;setInterval(()=>{n++;sum.textContent=new Intl.NumberFormat('en').format(n*VALUE);document.querySelectorAll("
                  "'polyline').forEach((p,k)=>p.setAttribute('points',Array.from({length:40},(_,i)=>`${i*10},${45+40*Math.sin((i+n)*(k+2)/9)}`"
                  ").join(' ')))},100)</script>", lambda i: 137 * (i + 1)),
    "clock": ("<h1 id=o></h1><script>setInterval(()=>{o.textContent=new Date(Date.now()+VALUE).toLocaleTimeString('en',"
              "{fractionalSecondDigits:1,hour12:false})},50)</script>", lambda i: 3600000 * i),
    "cards": ("<style>.c{opacity:0;transform:translateY(40px);transition:all VALUEms;padding:20px;margin:6px;background:gold}"
              ".in .c{opacity:1;transform:none}</style><div id=b>" + CARDS + "</div><script>setTimeout(()=>b.classList.add('in'),200)</script>",
              lambda i: 300 + 250 * i),
    "typed": ("<pre id=o></pre><script>const t='The quick brown fox jumps over the lazy dog. '.repeat(9);let n=0;setInterval(()=>{"
              "n=(n+1)%t.length;o.textContent=t.slice(0,n)+'|'},VALUE)</script>", lambda i: 17 + 9 * i),
    "pictures": ("<style>img{display:block;opacity:0;transition:opacity .4s}img.in{opacity:1}</style>" +
                 "".join(f"<img loading=lazy width=300 height=240 src='/picture-{i}' onload=this.classList.add('in')>" for i in range(6)) +
                 "<script>document.title=VALUE</script>", lambda i: i),
    "fonts": ("<style>@font-face{font-family:own;src:url(/font-VALUE);font-display:swap}h1{font:40px own,monospace}</style>"
              "<h1>Late letters VALUE</h1><p id=o></p><script>document.fonts.ready.then(()=>{o.textContent='fonts are ready'})</script>",
              lambda i: i),
    "application": ("", lambda i: ("app-dashboard", "app-kanban", "svg-chart", "shop-list", "style-material")[i % 5]),
}


def find_font():
    found = sorted(pathlib.Path("/usr/share/fonts").glob("**/*Serif*.ttf")) or sorted(pathlib.Path("/usr/share/fonts").glob("**/*.ttf"))
    return found[0].read_bytes() if found else sys.exit("no font in /usr/share/fonts: install fonts-liberation")


def make_pages(count):
    pages = {}
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        text, value = KINDS[kind]
        value = str(value(number // len(KINDS)))
        pages[f"/page/{number + 1}"] = ((CORPUS / f"{value}.html").read_text() if kind == "application" else
                                        "<!doctype html><title>Page</title>" + text.replace("VALUE", value))
    return pages


def serve(pages):
    """What pages load comes late: data after 150 ms, fonts and pictures after 80 ms."""
    font = find_font()
    picture = b"<svg xmlns='http://www.w3.org/2000/svg' width='300' height='240'><circle cx='150' cy='120' r='90' fill='crimson'/></svg>"

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body, kind, late = (pages.get(self.path, "some data").encode(), "text/html", 0 if self.path in pages else 0.15)
            if self.path.startswith("/font"):
                body, kind, late = font, "font/ttf", 0.08
            elif self.path.startswith("/picture"):
                body, kind, late = picture, "image/svg+xml", 0.08
            time.sleep(late)
            try:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except ConnectionError:
                pass  # the page has ended before

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def timed(command, folder, environment=None):
    began = time.monotonic()
    done = subprocess.run(command, cwd=folder, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=LIMIT_S, check=False, text=True)
    return time.monotonic() - began, done.stdout


class Ours:
    def __init__(self, clock, options, folder, address, count):
        self.name, self.folder, self.suite = f"{clock} clock", folder, f"{clock}.json"
        self.command = [str(pathlib.Path(options.binary).resolve()), "check", self.suite, "--retries", "0", "--jobs", str(options.jobs),
                        "--chrome", options.chrome, "--no-sandbox"]
        checks = [{"name": f"page-{number}", "url": f"/page/{number}"} for number in range(1, count + 1)]
        (folder / self.suite).write_text(json.dumps({"clock": clock, "baseUrl": address, "checks": checks,
                                                     "viewports": {"desktop": {"width": 1280, "height": 720}}}))

    def make(self):
        return self.run("--allow-errors")

    def run(self, *args):
        """Returns the seconds and the pages that differ."""
        took, text = timed([*self.command, *(args or ["--ci"])], self.folder)
        results = self.folder / self.suite.replace(".json", ".report") / "results.json"
        if not results.exists():
            sys.exit(text)
        entries = json.loads(results.read_text())["checks"]
        return took, [entry["name"] for entry in entries if entry["status"] not in ("passed", "new")]


class Playwright:
    name = "Playwright"

    def __init__(self, options, folder, address, count):
        self.folder, self.count = folder, count
        self.command = [str(PLAYWRIGHT), "test", "--config", str(PEERS / "playwright.config.cjs")]
        self.environment = {"BENCH_CHROME": options.chrome, "BENCH_COUNT": str(count), "BENCH_JOBS": str(options.jobs),
                            "BENCH_URL": address, "BENCH_FOLDER": str(folder), "CI": ""}

    def make(self):
        """toHaveScreenshot writes no baseline of a page that has no two equal pictures."""
        return self.run("--update-snapshots")

    def run(self, *args):
        took, text = timed([*self.command, *args], self.folder, self.environment)
        passed = re.search(r"(\d+) passed", text)
        failed = re.search(r"(\d+) failed", text)
        if sum(int(found.group(1)) for found in (passed, failed) if found) != self.count:
            sys.exit(text[-3000:])
        return took, sorted(set(re.findall(r"\) .*› (page \d+) ─", text)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/browser-runner")
    parser.add_argument("--chrome", default=shutil.which("chromium-headless-shell"))
    parser.add_argument("--times", type=int, default=5, help="runs of each program, at rest and busy")
    parser.add_argument("--busy", type=int, default=0, help="measures again beside so many processes that do nothing but compute")
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2, help="pages at a time")
    parser.add_argument("--without", choices=["playwright", "real"], action="append", default=[])
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    address = serve(make_pages(options.pages))
    if "playwright" not in options.without and not PLAYWRIGHT.exists():
        subprocess.run(["npm", "ci", "--prefix", PEERS, "--no-audit", "--no-fund", "--ignore-scripts"], check=True, stdout=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="browser-runner-clock-") as name:
        folder = pathlib.Path(name)
        programs = [Ours("virtual", options, folder, address, options.pages)]
        programs += [] if "real" in options.without else [Ours("real", options, folder, address, options.pages)]
        programs += [] if "playwright" in options.without else [Playwright(options, folder, address, options.pages)]
        for program in programs:
            took, missing = program.make()
            print(f"baselines of {program.name}: {took:.1f} s{', none of ' + str(len(missing)) + ' pages' if missing else ''}", flush=True)
        measure(programs, options, 0)
        if options.busy:
            busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(options.busy)]
            try:
                measure(programs, options, options.busy)
            finally:
                for process in busy:
                    process.kill()
                    process.wait()


def measure(programs, options, busy):
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, {busy} busy processes, {options.jobs} pages at a time", flush=True)
    seconds = {program.name: [] for program in programs}
    differing = {program.name: [] for program in programs}
    for number in range(options.times):
        for place in range(len(programs)):
            program = programs[(number + place) % len(programs)]
            took, pages = program.run()
            seconds[program.name].append(took)
            differing[program.name].extend(pages)
            print(f"run {number + 1}: {program.name}: {len(pages)} differ, {took:.1f} s", flush=True)
    total = options.times * options.pages
    print("| | pictures that differ | s, median | virtual clock / this |\n|---|---:|---:|---:|")
    for program in programs:
        ratio = statistics.median(ours / this for ours, this in zip(seconds["virtual clock"], seconds[program.name]))
        print(f"| {program.name} | {len(differing[program.name])} of {total} | {statistics.median(seconds[program.name]):.1f} | {ratio:.2f} |")
    if differing["virtual clock"]:
        print("virtual clock:", ", ".join(differing["virtual clock"]))


if __name__ == "__main__":
    main()
