"""docs/service.md and docs/systemd/: systemd accepts the units, what they start serves the sockets that they name, what the page
says of the access file holds, and its links lead somewhere."""
import configparser
import re
import shlex
import shutil
import signal
import subprocess

from documents import check_links
from endpoint import fetch
from harness import ROOT
from serviced import Manager, ended

BROWSER = "any"
DOCS = ROOT / "docs"
TEXT = (DOCS / "service.md").read_text()
UNITS = sorted((DOCS / "systemd").iterdir())


def run(ctx):
    check_links(ctx, TEXT)
    for unit in UNITS:
        ctx.expect(f"(systemd/{unit.name})" in TEXT, f"the page does not name {unit.name}")
    verify(ctx)
    serve(ctx)


def read(name):
    unit = configparser.RawConfigParser(strict=False, delimiters="=")
    unit.optionxform = str
    unit.read(DOCS / "systemd" / name)
    return unit


def verify(ctx):
    """With the program that is tested, and a user that is there."""
    program = shutil.which("systemd-analyze")
    if not program:
        return
    folder = ctx.work / "units"
    folder.mkdir()
    for unit in UNITS:
        text = unit.read_text().replace("/usr/bin/browser-runner", str(ctx.options.binary))
        (folder / unit.name).write_text(text.replace("User=browser-runner", "User=root"))
    done = subprocess.run([program, "verify", "--man=no", *(folder / unit.name for unit in UNITS)], capture_output=True, text=True,
                          timeout=60)
    lines = [line for line in done.stderr.splitlines() if "browser-runner" in line]
    ctx.expect(not lines and done.returncode == 0, f"systemd-analyze verify: {done.returncode} {done.stderr}")


def serve(ctx):
    service = read("browser-runner.service")["Service"]
    command = shlex.split(service["ExecStart"])
    ctx.expect(command[:2] == ["/usr/bin/browser-runner", "serve"], f"{command}")
    file = ctx.work / "access"
    said = re.search(r"`--access-file FILE` says .*?```\n(.*?)```", TEXT, re.S)[1].replace("…", "00")
    file.write_text(said)
    file.chmod(0o640)
    args = [file if arg == "/etc/browser-runner/access" else arg for arg in command[2:]]
    with Manager(ctx) as manager:
        ports = {}
        for name in service["Sockets"].split():
            socket = (DOCS / "systemd" / name).read_text()
            server = re.search(r"^FileDescriptorName=(.*)$", socket, re.M)[1]
            addresses = re.findall(r"^ListenStream=\[?(.*?)\]?:\d+$", socket, re.M)
            ctx.expect(addresses == ["127.0.0.1", "::1"], f"{name}: {addresses}")
            for address in addresses:
                ports[server] = manager.listen(server, address, ports.get(server, 0))
        process = manager.start(*args, "--temp-profile", *ctx.browser_args())
        ctx.expect(manager.hear().get("READY") == "1", "it is not ready")
        tokens = re.findall(r"^token (.*)$", said, re.M)
        ctx.expect(len(tokens) == 2, f"{tokens}")
        for server, port in ports.items():
            for token, status in ((tokens[0], 200), (tokens[1], 200), ("other", 401)):
                found = fetch(f"http://[::1]:{port}/metrics?token={token}")[0]
                ctx.expect(found == status, f"{server} with {token}: {found}")
        process.signal(signal.SIGTERM)
        ended(ctx, process)
