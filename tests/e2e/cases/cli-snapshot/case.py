"""browser-runner snapshot: errors name its options; results, pipes and exit codes."""
import json
import subprocess

from processes import SLOWNESS

BROWSER = "shared"


# Chrome must have started before it is over.
PATIENCE = str(round(8000 * SLOWNESS))


def run(ctx):
    shop = ctx.origin + "/shop/"
    chrome = ctx.mark_chrome()

    # Reported before Chrome is started.
    for args, wanted in (
            ([], r"usage: browser-runner snapshot URL"),
            ([shop, shop], r"too many"),
            ([shop, "--max-tokens", "0"], r"--max-tokens: 0 is not between 1 and 2147483647"),
            ([shop, "--max-tokens", "many"], r'--max-tokens: "many" is not a number'),
            ([shop, "--depth", "1001"], r"--depth: 1001 is not between 1 and 1000"),
            ([shop, "--find", ""], r"--find: is empty"),
            ([shop, "--find-role", "knob"], r'--find-role: "knob" is no role'),
            ([shop, "--ax", "maybe"], r'--ax: "maybe" is none of auto, none, full'),
            ([shop, "--all"], r"--all: is not available for the format text\n.*choose the format json$"),
            ([shop, "--markdown", "--in-viewport"], r"--in-viewport: is not .* markdown\n.*the format text or json$"),
            ([shop, "--wait-for", ""], r"--wait-for: is empty"),
            ([shop, "--wait-for", "text="], r"--wait-for: is empty"),
            ([shop, "--diff"], r"snapshot has no option --diff"),
            (["shop.html"], r'URL: "shop.html" is no absolute http')):
        result = ctx.run(["snapshot", *args, "--temp-profile", "--chrome", chrome])
        ctx.expect((result.exit, result.stdout) == (2, b""), f"{args}: exit {result.exit}")
        ctx.match(result.stderr.strip(), {"$regex": wanted}, f"stderr of {args}")
    ctx.expect(not ctx.marked(), "Chrome was started")

    def begin(*args, url=shop, place=ctx.usual_args()):
        return ctx.start(["snapshot", url, *args, *place], stdin=subprocess.DEVNULL)

    def snapshot(*args, code=0, url=shop, process=None):
        result = (process or begin(*args, url=url)).wait(60)
        ctx.expect(result.exit == code, f"{url} {args}: exit {result.exit}: {result.stderr}")
        return result

    # Their time is over at once, so that each needs a browser.
    alone = ["--temp-profile", *ctx.browser_args()]
    late = [(words, url, begin("--timeout", PATIENCE, *args, url=url, place=alone)) for words, url, *args in (
        ("REFUSED", ctx.closed_origin + "/", "-o", "none.txt"), ("in time", ctx.origin + "/hang", "-o", "none.txt"),
        ("load event", ctx.origin + "/never-load", "-o", "none.txt"), ("#nope", shop, "--selector", "#nope"))]
    for words, url, process in late:
        failed = snapshot(url=url, code=1, process=process)
        ctx.expect(words in failed.stderr and not failed.stdout and not (ctx.work / "none.txt").exists(), f"{url}: {failed.stderr}")
    early = snapshot("--wait-until", "domcontentloaded", url=ctx.origin + "/never-load").stdout.decode()
    ctx.expect('heading 1 "Never loads"' in early, f"before the load event: {early}")

    for option in ("--selector", "--wait-for"):
        wrong = snapshot(option, "[[", code=1)
        ctx.expect("[[" in wrong.stderr and not wrong.stdout, f"{option}: {wrong.stderr}")

    nothing = snapshot("--find", "no such words")
    ctx.expect("no such words" in nothing.stderr and nothing.stdout.count(b"\n") == 1, f"nothing found: {nothing.stderr}")
    found = snapshot("--find", "KETTLE", "--boxes").stdout.decode()
    ctx.expect("Harbour kettle" in found and "lantern" not in found, f"found: {found}")
    whole = len(snapshot().stdout)
    cut = snapshot("--max-tokens", "100").stdout.decode()
    ctx.expect(len(cut) < whole / 2 and cut.rstrip().splitlines()[-1].startswith("(left out for 100 tokens: "), f"cut: {cut}")
    snapshot("--json", "-o", "page.json")
    page = json.loads((ctx.work / "page.json").read_text())["page"]
    ctx.expect(page["context"]["url"] == shop and page["body"]["children"], "JSON in a file")

    # A reader that closes early, and a full disk.
    command = [ctx.options.binary, "snapshot", shop, *ctx.usual_args()]
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ctx.work,
                               env=ctx.environment)
    ctx.known.add(process.pid)
    process.stdout.close()
    said = process.stderr.read().decode()
    ctx.expect(process.wait(30) == 1 and said == "", f"closed pipe: {process.returncode}: {said}")
    full = snapshot("-o", "/dev/full", code=1)
    ctx.expect("cannot write /dev/full" in full.stderr, f"a full disk: {full.stderr}")
