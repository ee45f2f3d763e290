"""serve under a service manager: sockets that it has opened, by their names, and readiness; what cannot be is said."""
import asyncio
import os
import signal
import socket

from endpoint import Endpoint, fetch, websockets
from harness import Skip
from processes import SLOWNESS
from serviced import Manager, ended

BROWSER = "any"
SERVERS = ("actions", "brop", "brop-extension", "cdp", "debug-bridge", "console-bridge")


def run(ctx):
    if not websockets:
        raise Skip("python3-websockets is not installed")
    serve_all(ctx)
    need_token(ctx)
    refuse(ctx)
    watch(ctx)


def serve_all(ctx):
    with Manager(ctx) as manager:
        ports = {name: manager.listen(name) for name in SERVERS}
        for name in SERVERS:
            manager.listen(name, "::1", ports[name])
        # Waits in the queue of the socket until the server is there.
        early = socket.create_connection(("127.0.0.1", ports["cdp"]), 30 * SLOWNESS)
        early.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        process = manager.start("--all", "--brop-extension", "--temp-profile", *ctx.browser_args())
        urls = {}
        while len(urls) < len(SERVERS):
            line = process.line(20)
            urls[line["server"]] = line["url"]
        told = manager.hear()
        ctx.expect(told == {"READY": "1", "STATUS": "serving actions, brop, brop-extension, cdp, debug-bridge, console-bridge"},
                   f"{told}")
        ctx.expect(early.recv(4096).startswith(b"HTTP/1.1 200"), "a client that came early")
        early.close()
        for name in SERVERS:
            ctx.expect(f"://127.0.0.1:{ports[name]}" in urls[name], f"{name} is at {urls[name]}, not {ports[name]}")
            for host in ("127.0.0.1", "[::1]"):
                status, _, text = fetch(f"http://{host}:{ports[name]}/health")
                ctx.expect(status == 200 and f'"server":"{name}"' in text, f"{name} at {host}: {status} {text}")
        asyncio.run(look_at_browser(ctx, manager, process, urls))
        process.signal(signal.SIGTERM)
        ctx.expect(manager.hear().get("STOPPING") == "1", "no STOPPING=1")
        ended(ctx, process)
        # The sockets are the service manager's: whoever comes now waits for the next start.
        waiting = socket.create_connection(("127.0.0.1", ports["actions"]), 30 * SLOWNESS)
        waiting.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        process = manager.start("--all", "--brop-extension", "--temp-profile", *ctx.browser_args())
        ctx.expect(manager.hear().get("READY") == "1", "the second start")
        ctx.expect(waiting.recv(4096).startswith(b"HTTP/1.1 200"), "a client that came between")
        waiting.close()
        process.signal(signal.SIGTERM)
        ended(ctx, process)


async def look_at_browser(ctx, manager, process, urls):
    """Chrome has neither the sockets nor the variables."""
    ours = {os.fstat(opened.fileno()).st_ino for _, opened in manager.sockets}
    async with Endpoint(ctx, process, urls).client() as client:
        processes = (await client.call("SystemInfo.getProcessInfo"))["processInfo"]
        browser = next(found["id"] for found in processes if found["type"] == "browser")
        with open(f"/proc/{browser}/environ", "rb") as environment:
            names = {entry.split(b"=")[0] for entry in environment.read().split(b"\0")}
        wrong = {name for name in names if name.startswith((b"LISTEN_", b"NOTIFY_", b"WATCHDOG_"))}
        ctx.expect(b"PATH" in names and not wrong, f"Chrome was given {wrong}")
        for fd in os.listdir(f"/proc/{browser}/fd"):
            try:
                link = os.readlink(f"/proc/{browser}/fd/{fd}")
            except FileNotFoundError:
                continue  # closed meanwhile
            ctx.expect(not any(link == f"socket:[{inode}]" for inode in ours), f"Chrome has {link}")


def need_token(ctx):
    with Manager(ctx, is_abstract=True) as manager:
        port = manager.listen("cdp", "0.0.0.0")
        error = ended(ctx, manager.start("--cdp", "--temp-profile"), 2)
        ctx.expect("cdp: other machines may connect to 0.0.0.0 without a token" in error, f"{error}")
        manager.hear_nothing()
        process = manager.start("--cdp", "--temp-profile", BROWSER_RUNNER_TOKEN="secret")
        ctx.expect(manager.hear().get("READY") == "1", "with a token")
        ctx.expect(process.line()["url"] == f"http://0.0.0.0:{port}", "the address")
        ctx.expect(fetch(f"http://127.0.0.1:{port}/metrics")[0] == 401, "without the token")
        ctx.expect(fetch(f"http://127.0.0.1:{port}/metrics?token=secret")[0] == 200, "with the token")
        process.signal(signal.SIGTERM)
        ended(ctx, process)


def refuse(ctx):
    """Each is refused before anything is served."""
    def add_datagram(manager):
        manager.add("cdp", socket.socket(socket.AF_INET, socket.SOCK_DGRAM))

    def add_deaf(manager):
        manager.add("cdp", socket.socket())

    def add_unix(manager):
        opened = manager.add("cdp", socket.socket(socket.AF_UNIX))
        opened.bind(f"\0browser-runner-{os.getpid()}")
        opened.listen()

    for prepare, environment, words in (
            (lambda manager: manager.listen("web"), {}, ('"web", a socket of the service manager (descriptor 3), is not', "FileDescriptorName=")),
            (lambda manager: manager.listen("actions"), {}, ("socket for actions, which is not served", "add --actions")),
            (lambda manager: manager.listen("cdp"), {"LISTEN_FDNAMES": None}, ('"unknown", a socket', "FileDescriptorName=")),
            (lambda manager: manager.listen("cdp"), {"LISTEN_FDNAMES": "cdp:cdp"}, ("2 names for 1 sockets",)),
            (lambda manager: manager.listen("cdp"), {"LISTEN_FDS": "one"}, ('LISTEN_FDS is "one"',)),
            (lambda manager: manager.listen("cdp"), {"LISTEN_FDS": "2", "LISTEN_FDNAMES": "cdp:cdp"}, ("descriptor 4",)),
            (add_datagram, {}, ("cdp: descriptor 3 is not a listening stream socket", "ListenStream=")),
            (add_deaf, {}, ("cdp: descriptor 3 is not a listening stream socket", "Accept=no")),
            (add_unix, {}, ("cdp: descriptor 3 is not a TCP socket", "an address and a port"))):
        with Manager(ctx) as manager:
            prepare(manager)
            process = manager.start("--cdp", "--temp-profile", **environment)
            error = ended(ctx, process, 2)
            for word in words:
                ctx.expect(word in error, f"{environment}: no {word} in {error}")
            ctx.expect(not process.stdout, f"{process.stdout}")
            manager.hear_nothing()


def watch(ctx):
    with Manager(ctx) as manager:
        manager.listen("debug-bridge")
        process = manager.start("--debug-bridge", WATCHDOG_USEC="400000")
        heard = [manager.hear() for _ in range(4)]
        ctx.expect(heard[0].get("READY") == "1" and all(told == {"WATCHDOG": "1"} for told in heard[1:]), f"{heard}")
        process.signal(signal.SIGTERM)
        ended(ctx, process)
