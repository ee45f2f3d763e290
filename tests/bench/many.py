#!/usr/bin/python3
"""A list of different pages to JPEG files: wall time, and peak memory of everything, browser included.

Each contestant opens the pages one after the other in one tab, takes a picture of each (1280x720, quality 25)
and ends its browser. Memory is the proportional set size of the program and of all processes below it, summed
up every 200 ms. Each round runs all of them, in random order; a ratio is the median of the rounds' ratios.
The pages are those of fixtures/snapshot/corpus/, and made ones up to the number that is asked for.

The peers come from npm, at the versions of package-lock.json; npm is needed once.
"""
import argparse
import functools
import http.server
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

import processes  # noqa: E402

SAMPLE_S = 0.2
LIMIT_S = 600


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def proportional_mb(pids):
    """Returns the memory of the processes; what they share counts once."""
    total = 0
    for pid in pids:
        for line in processes.read(pid, "smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                total += int(line.split()[1])
    return total / 1024


def make_pages(folder, count):
    """Returns the paths of so many pages below the folder."""
    shutil.copytree(ROOT / "fixtures" / "snapshot" / "corpus", folder / "corpus")
    found = sorted(f"corpus/{path.name}" for path in (folder / "corpus").glob("*.html"))
    for number in range(len(found), count):
        cards = "".join(f"<article><h3><a href='#{i}'>Item {i * number % 997}</a></h3><p>{'several words of text ' * (1 + i % 5)}</p>"
                        f"<button>Add {i}</button></article>" for i in range(20 + number))
        page = folder / f"made-{number}.html"
        page.write_text(f"<!DOCTYPE html><title>Page {number}</title><style>main {{ display: grid; grid-template-columns: "
                        f"repeat({2 + number % 5}, 1fr) }} h3 {{ color: hsl({number * 37 % 360} 60% 40%) }}</style><main>{cards}</main>")
        found.append(page.name)
    return found[:count]


def measure(command):
    """Returns seconds and the peak of megabytes."""
    began, peak = time.monotonic(), 0
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = []
    reader = threading.Thread(target=lambda: said.append(process.stderr.read()), daemon=True)
    reader.start()
    while process.poll() is None:
        peak = max(peak, proportional_mb([process.pid, *processes.descendants(process.pid)]))
        if time.monotonic() - began > LIMIT_S:
            process.kill()
        try:
            process.wait(SAMPLE_S)
        except subprocess.TimeoutExpired:
            pass
    seconds = time.monotonic() - began
    reader.join(5)
    if process.returncode != 0:
        sys.exit(f"{command[0]}: exit {process.returncode}: {b''.join(said)[-500:].decode(errors='replace')}")
    return seconds, peak


def check_pictures(folder, count):
    """Exits unless there is a picture of each page, and hardly any two are the same."""
    files = [path.read_bytes() for path in folder.rglob("*.jpg")]
    if len(files) != count or any(data[:2] != b"\xff\xd8" for data in files) or len(set(files)) < count * 0.9:
        sys.exit(f"{folder.name}: {len(files)} pictures of {count} pages, {len(set(files))} different ones")


def contestants(options, folder, addresses):
    """Returns name to a function that makes the command for an output folder."""
    batch, listed = folder / "batch.jsonl", folder / "list.txt"
    listed.write_text("\n".join(addresses) + "\n")
    first, *rest = addresses
    steps = [f'{{"type": "start", "url": "{first}", "screenshots": "none"}}', '{"type": "screenshot"}']
    for address in rest:
        steps += [f'{{"type": "navigate", "url": "{address}"}}', '{"type": "screenshot"}']
    batch.write_text("\n".join(steps) + "\n")
    kind = "shell" if "shell" in options.chrome else "chrome"
    peer = functools.partial(lambda name, out: ["node", HERE / "peers" / "pages.mjs", name, options.chrome, kind, listed, out])
    return {
        "browser-runner": lambda out: [options.program, "run", batch, "--temp-profile", "--screenshots", "explicit", "--save-dir", out,
                                       "--chrome", options.chrome],
        "puppeteer-core": functools.partial(peer, "puppeteer"),
        "playwright-core": functools.partial(peer, "playwright"),
    }


def report(results):
    ours = results["browser-runner"]
    print("| | s | peak MB | ours / this: s, MB |\n|---|---:|---:|---|")
    for name, rows in results.items():
        seconds, memory = (statistics.median(column) for column in zip(*rows))
        ratios = [statistics.median(mine[i] / theirs[i] for mine, theirs in zip(ours, rows)) for i in (0, 1)]
        note = "" if name == "browser-runner" else f"{ratios[0]:.2f}, {ratios[1]:.2f}"
        print(f"| {name} | {seconds:.1f} | {memory:.0f} | {note} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "browser-runner"))
    parser.add_argument("--chrome", default=shutil.which("chromium") or shutil.which("google-chrome"))
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if not (HERE / "node_modules" / "puppeteer-core").exists():
        subprocess.run(["npm", "install", "--no-save", "--prefix", HERE, "--no-audit", "--no-fund"], check=True, stdout=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="bench-many-") as name:
        folder = pathlib.Path(name)
        pages = make_pages(folder, options.pages)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        programs = contestants(options, folder, [f"http://127.0.0.1:{server.server_port}/{page}" for page in pages])
        results = {name: [] for name in programs}
        for number in range(options.rounds):
            for name in random.sample(list(programs), len(programs)):
                out = folder / f"{name}-{number}"
                out.mkdir()
                results[name].append(measure(programs[name](out)))
                check_pictures(out, options.pages)
                shutil.rmtree(out)
        server.shutdown()
    print(f"{options.pages} pages, load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, medians of {options.rounds} rounds\n")
    report(results)


if __name__ == "__main__":
    main()
