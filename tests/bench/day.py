#!/usr/bin/python3
"""A day of a warm session in fast motion: 20,000 actions, and what the daemon and its browser hold.

One daemon, one session, 40 rounds of 500 actions (--rounds shortens): clicks, typing, keys, scripts, looks at the
page, each tenth action a picture, and a fresh load of the page at the beginning of each round. After each round the
memory (proportional set size) of the daemon and of all processes of its browser is read. The first 5,000 actions
fill the journal, which has 4 MB, and caches; from then on, from the median of the first quarter of the rounds to
that of the last one, the daemon may grow by 1 MB and the browser by a tenth, and the daemon's open files and
threads not at all, nor the browser's processes by more than one of Chrome's services, which come and go. Exit code 1
when one of them grows by more, or when an action fails. With 12 rounds or fewer nothing is judged. At the end the
journal is read once.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

import processes  # noqa: E402
from many import proportional_mb  # noqa: E402

ACTIONS = 500  # in a round
FILLING = 10  # rounds
FEWEST = 3  # further rounds, to be judged
GROWTH_MB, GROWTH_PART = 1, 0.1
LIMIT_S = 600  # for a round
STEPS = [
    {"type": "click", "selector": "#add"},
    {"type": "type", "selector": "#recipient", "text": "Ada Lovelace", "clear": True},
    {"type": "select", "selector": "#port", "value": "ham"},
    {"type": "evaluate", "expression": "document.querySelector('#count').textContent"},
    {"type": "press", "key": "Tab"},
    {"type": "click", "selector": "#insured"},
    {"type": "snapshot"},
    {"type": "evaluate", "expression": "console.log('step', performance.now()); 1"},
    {"type": "hover", "selector": "#save"},
    {"type": "screenshot"},
]


def instructions():
    page = (HERE / "pages" / "form.html").as_uri()
    steps = [{"type": "navigate", "url": page}] + [STEPS[i % len(STEPS)] for i in range(ACTIONS - 1)]
    return "".join(json.dumps(step) + "\n" for step in steps).encode()


def run_round(act, environment, batch):
    """Runs the actions; exits if one of them failed."""
    done = subprocess.run(act, input=batch, env=environment, capture_output=True, timeout=LIMIT_S, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines() if line]
    failed = [answer.get("error") for answer in answers if answer.get("success") is False]
    count = sum(answer.get("success") is True for answer in answers)
    if done.returncode != 0 or failed or count < ACTIONS:
        sys.exit(f"exit {done.returncode}, {count} of {ACTIONS} succeeded: {failed[:3]} {done.stderr[-300:].decode(errors='replace')}")


def handles(daemon):
    """Returns open files and threads of the daemon, and the number of the browser's processes."""
    return (len(os.listdir(f"/proc/{daemon}/fd")), len(os.listdir(f"/proc/{daemon}/task")), len(processes.descendants(daemon)))


def judge_handles(rows):
    """Prints the least and the most of each; returns whether the last quarter has no more than the first."""
    settled = rows[FILLING:]
    part = max(1, len(settled) // 4)
    is_fine = True
    for (name, more), values in zip({"open files": 0, "threads": 0, "processes of the browser": 1}.items(), zip(*settled)):
        is_flat = max(values[-part:]) <= max(values[:part]) + more
        is_fine &= is_flat
        print(f"{name}: {min(values)} to {max(values)}, at the end {values[-1]}{'' if is_flat else ': it grows'}")
    return is_fine


def read_journal(act, environment):
    """Prints what the journal still has of all events."""
    done = subprocess.run(act, input=json.dumps({"type": "logs", "since": 1}).encode() + b"\n", env=environment, capture_output=True,
                          timeout=LIMIT_S, check=True)
    result = next(answer["result"] for answer in map(json.loads, done.stdout.splitlines()) if "result" in answer)
    print(f"journal: {result.get('lost', 0)} entries are no longer in it, the next one is {result['next']}")


def judge(name, values, limit):
    """Prints how much it grew; returns whether that is allowed."""
    settled = values[FILLING:]
    part = max(1, len(settled) // 4)
    first, last = statistics.median(settled[:part]), statistics.median(settled[-part:])
    is_fine = last - first <= limit(first)
    print(f"{name}: {first:.1f} MB, at the end {last:.1f}, at most {max(values):.1f}; {last - first:+.1f} MB"
          f"{'' if is_fine else f', more than the {limit(first):.1f} that are allowed'}")
    return is_fine


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "browser-runner"))
    parser.add_argument("--chrome")
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    chrome = ["--chrome", options.chrome] if options.chrome else []
    with tempfile.TemporaryDirectory(prefix="bench-day-") as folder:
        environment = {**os.environ, "XDG_RUNTIME_DIR": folder, "TMPDIR": folder, "HOME": folder, "XDG_CONFIG_HOME": folder,
                       "XDG_DATA_HOME": folder, "XDG_CACHE_HOME": folder, "XDG_STATE_HOME": folder}
        daemon = subprocess.Popen([options.program, "session", "daemon", "--idle", "0"], env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
        try:
            daemon.stdout.readline()  # it listens
            subprocess.run([options.program, "session", "start", "day", "--temp-profile", *chrome], env=environment, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
            act = [options.program, "act", "--session", "day", "--batch", "-"]
            ours, browser, held, began = [], [], [], time.monotonic()
            for number in range(options.rounds):
                run_round(act, environment, instructions())
                ours.append(proportional_mb([daemon.pid]))
                browser.append(proportional_mb(processes.descendants(daemon.pid)))
                held.append(handles(daemon.pid))
                print(f"{(number + 1) * ACTIONS} actions: daemon {ours[-1]:.1f} MB, {held[-1][0]} files, {held[-1][1]} threads; "
                      f"browser {browser[-1]:.0f} MB, {held[-1][2]} processes", flush=True)
            seconds = time.monotonic() - began
            read_journal(act, environment)
        finally:
            subprocess.run([options.program, "session", "stop", "--all"], env=environment, check=False, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=60)
            daemon.wait(30)
    print(f"\n{options.rounds * ACTIONS} actions in {seconds:.0f} s, load {os.getloadavg()[0]:.1f}")
    if options.rounds < FILLING + FEWEST:
        return 0
    is_fine = [judge("daemon", ours, lambda first: GROWTH_MB), judge("browser", browser, lambda first: first * GROWTH_PART),
               judge_handles(held)]
    return 0 if all(is_fine) else 1


if __name__ == "__main__":
    sys.exit(main())
