#!/usr/bin/python3
"""`browser-runner diff` against odiff and blazediff: whole processes, files in, result out.

Three pairs of pictures are taken of a page before and after small changes: 1280x800, a telephone's
1320x2868, and 37 megapixels; two more, full of small text that in part has moved, are files as Chrome
itself writes them, with filters, by default and with optimizeForSpeed. Each round runs every program once, so that what else the machine does
falls on all alike; a ratio is the median of the rounds' own ratios. Where that is a lot, the time of
the processors tells more than that of the clock. Ours always looks for smoothed
edges; the peers' rows with the same rule are what it is held against, those without it are for
information. Exit code 1 when an aim is missed.

The peers come from npm, at the versions of package-lock.json; npm is needed once.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MODULES = HERE / "node_modules"
PAGE = ROOT / "fixtures" / "pages" / "long" / "index.html"
# The changes: the colour of some texts, the width of some others.
CHANGE = """(() => { [...document.querySelectorAll('h1,h2,h3,button,a')].forEach((e, i) => {
    if (i % 7 === 3) e.style.color = '#c0392b';
    if (i % 11 === 5) e.style.letterSpacing = '0.3px'; }); })()"""
PAIRS = {"1280x800": ("1280x800", False), "1320x2868": ("440x956@3", False), "2320x16000": ("1160x800@2", True)}
# For text: whether the files are made with optimizeForSpeed.
TEXT_PAIRS = {"1320x2868, text": "false", "1320x2868, text, fast": "true"}
AIMS = {"odiff": 0.5, "blazediff": 1.0}
TEXT_AIMS = {"odiff": 0.8, "blazediff": 1.0}


def take_pair(program, chrome, folder, viewport, is_full):
    """Returns the paths of two PNG files: before the changes and after."""
    shot = (f"<browser_action><type>screenshot</type><fullPage>{str(is_full).lower()}</fullPage>"
            "<format>png</format><maxEdge>0</maxEdge><maxPixels>0</maxPixels></browser_action>")
    batch = folder / "batch.xml"
    batch.write_text(f"<batch><browser_action><type>start</type><url>{PAGE.as_uri()}</url></browser_action>{shot}"
                     "<browser_action><type>evaluate</type>"
                     f"<expression><![CDATA[{CHANGE}]]></expression></browser_action>{shot}</batch>")
    command = [program, "run", batch, "--temp-profile", "--screenshots", "explicit", "--viewport", viewport, "--timeout", "60000",
               "--save-dir", folder / "pictures"] + (["--chrome", chrome] if chrome else [])
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return sorted((folder / "pictures").glob("*.png"))


def take_text_pair(chrome, folder, is_fast):
    """The same, for text."""
    paths = [folder / "before.png", folder / "after.png"]
    chrome = chrome or shutil.which("chromium") or shutil.which("google-chrome")
    subprocess.run(["node", HERE / "lib" / "text_pair.mjs", chrome, is_fast, *paths], check=True)
    return paths


def measure(command):
    """Returns milliseconds, processor milliseconds, peak megabytes, exit code."""
    began = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    elapsed = (time.perf_counter() - began) * 1000
    work = (usage.ru_utime + usage.ru_stime) * 1000
    return elapsed, work, usage.ru_maxrss / 1024, process.returncode


def contestants(program, a, b, output):
    """Returns name, command line, and the exit code for "different"."""
    odiff = MODULES / "@odiff" / "linux-x64" / "odiff"
    blazediff = MODULES / "@blazediff" / "bin-linux-x64" / "blazediff"
    drawn = [output] if output else []
    return {
        "browser-runner": ([program, "diff", a, b, "--json", *(["-o", output] if output else [])], 1),
        "odiff": ([odiff, a, b, *drawn, "--antialiasing"], 22),
        "odiff, edges counted": ([odiff, a, b, *drawn], 22),
        "blazediff": ([blazediff, a, b, *drawn, "--antialiasing"], 1),
        "blazediff, edges counted": ([blazediff, a, b, *drawn], 1),
    }


def bench(program, pair, output, rounds, before):
    """Returns for each name a list of (milliseconds, processor milliseconds, megabytes)."""
    programs = contestants(program, *pair, output)
    results = {name: [] for name in programs}
    for number in range(rounds + 1):
        for name, (command, different) in programs.items():
            *result, code = measure([*before, *command])
            if code != different:
                sys.exit(f"{name}: exit code {code} instead of {different}")
            if number > 0:  # the first round warms up
                results[name].append(result)
    return results


def report(title, results, aims):
    """Prints the rows of a table; returns whether the aims are met."""
    ours = results["browser-runner"]
    is_met = True
    for name, rows in results.items():
        elapsed, work, memory = (statistics.median(column) for column in zip(*rows))
        ratio, work_ratio = (statistics.median(mine[i] / theirs[i] for mine, theirs in zip(ours, rows)) for i in (0, 1))
        aim = aims.get(name)
        note = f"{ratio:.2f}, {work_ratio:.2f}" if name != "browser-runner" else ""
        if aim:
            is_met = is_met and ratio <= aim
            note += f" (aim: {'at most' if aim < 1 else 'below'} {aim}{'' if ratio <= aim else ', missed'})"
        print(f"| {title} | {name} | {elapsed:.1f} | {work:.1f} | {memory:.0f} | {note} |")
    return is_met


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "browser-runner"))
    parser.add_argument("--chrome")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--ahead", action="store_true", help="with real-time priority, ahead of all else that the machine does; as root")
    parser.add_argument("--only", choices=[*PAIRS, *TEXT_PAIRS], action="append", help="this pair; may be given more than once")
    options = parser.parse_args()
    if not (MODULES / "odiff-bin").exists():
        subprocess.run(["npm", "install", "--no-save", "--prefix", HERE, "--no-audit", "--no-fund"], check=True, stdout=sys.stderr)
    is_met = True
    before = ["chrt", "--fifo", "1"] if options.ahead else []
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, medians of {options.rounds} rounds\n")
    print("| pair | program | ms | processor ms | peak MB | ours / this: ms, processor ms |")
    print("|---|---|---:|---:|---:|---|")
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None  # the speed of the disk must not count
    with tempfile.TemporaryDirectory(prefix="bench-diff-", dir=memory) as folder:
        for title in options.only or [*PAIRS, *TEXT_PAIRS]:
            place = pathlib.Path(folder) / title
            place.mkdir()
            if title in PAIRS:
                pair = take_pair(options.program, options.chrome, place, *PAIRS[title])
            else:
                pair = take_text_pair(options.chrome, place, TEXT_PAIRS[title])
            aims = AIMS if title in PAIRS else TEXT_AIMS
            is_met &= report(title, bench(options.program, pair, None, options.rounds, before), aims)
            is_met &= report(f"{title}, drawn", bench(options.program, pair, place / "diff.png", options.rounds, before), aims)
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
