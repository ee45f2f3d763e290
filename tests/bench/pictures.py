#!/usr/bin/python3
"""What `pre` costs: a batch with `pre` and `post` against the same with `post` alone.

One `browser-runner run -` runs the same actions again and again, all instructions of a batch
written at once; the ways alternate, and which is first, too. Prints the medians and their ratio, and
how many of the `pre` pictures were the `post` of the action before. Exit code 1 when the ratio is
over the aim.
"""
import argparse
import pathlib
import statistics
import sys
import time

import soak

AIM = 1.1
BATCH = [
    ("hover", {"selector": "h1"}),
    ("evaluate", {"expression": "document.title"}),
    ("scroll", {"direction": "down"}),
    ("press", {"key": "Tab"}),
    ("scroll", {"x": 0, "y": 0, "mode": "absolute"}),
    ("wait", {"selector": "h1"}),
    ("evaluate", {"expression": "document.body.style.outline = '1px solid red'"}),
    ("click", {"selector": "#add-kettle"}),
]


def run_batch(runner, url, which):
    """Returns seconds from the first instruction to the last answer, and the number of reused pictures."""
    _, _ = runner.do("navigate", url=url, screenshots="post")
    steps = [(kind, {**parameters, "screenshots": which}) for kind, parameters in BATCH]
    runner.write("".join(soak.instruction(kind, parameters) for kind, parameters in steps))
    runner.limit = soak.TIMEOUT_MS / 1000
    began, shared, before = time.monotonic(), 0, None
    for kind, _ in steps:
        response = runner.answer()
        if not response["success"]:
            raise soak.Broken(f"{kind}: {response.get('errorCode')}: {response.get('error')}")
        captures = response["captures"]
        shared += "pre" in captures and captures["pre"]["capturedAt"] == before
        before = captures["post"]["capturedAt"]
    runner.chunks.clear()
    return runner.came - began, shared


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(soak.ROOT / "build" / "release" / "browser-runner"))
    parser.add_argument("--chrome")
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    server, origin = soak.start_server()
    runner = soak.Runner(options.program, options.chrome, ("--temp-profile", "--screenshots", "both"))
    times, shared = {"both": [], "post": []}, 0
    try:
        runner.do("start", url=origin + "/shop/")
        for number in range(options.rounds + 1):
            for which in ("both", "post") if number % 2 else ("post", "both"):
                seconds, count = run_batch(runner, origin + "/shop/", which)
                if number > 0:  # the first round warms up
                    times[which].append(seconds)
                    shared += count
        runner.end()
    finally:
        runner.close()
        server.shutdown()
    both, post = (statistics.median(times[which]) * 1000 for which in ("both", "post"))
    ratio = both / post
    print(f"{len(BATCH)} actions, {options.rounds} rounds, medians of a batch:")
    print(f"  pre and post  {both:7.1f} ms")
    print(f"  post alone    {post:7.1f} ms")
    print(f"  ratio         {ratio:7.3f}    aim: at most {AIM}")
    print(f"  shared        {shared} of {options.rounds * (len(BATCH) - 1)} pre pictures were the last post")
    return 0 if ratio <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
