"""There is one daemon, also if the user's runtime directory appears later or the home cannot be written, and a rebuilt program is
noticed as another version is."""
import os
import pathlib
import shutil

import processes
from warm import Warm, alive, warm_sessions

BROWSER = "any"
NOWHERE = "http://127.0.0.1:9"  # starts the daemon, but no Chrome


def run(ctx):
    late = ctx.base / "late"
    with elsewhere(ctx, XDG_RUNTIME_DIR=str(late)), warm_sessions(ctx) as warm:
        warm.fine("open", "about:blank", "--temp-profile", *ctx.browser_args())
        daemon = warm.daemon()
        late.mkdir(mode=0o700, exist_ok=True)
        warm.fine("evaluate", "1")
        ctx.expect(daemon and warm.daemon() == daemon, f"{daemon} was the daemon, now it is {warm.daemon()}")
        # Another daemon that begins now finds that one.
        second = warm.call("session", "daemon", seconds=10)
        ctx.expect(second.exit == 0 and warm.daemon() == daemon, f"a second daemon: {second.exit}: {second.text}")

        other = rebuilt(ctx)
        with built(ctx, other):
            refused = warm.act("evaluate", "1")
        ctx.expect(refused.exit == 1 and "sessions are open" in refused.err, f"a rebuilt program: {refused.exit}: {refused.text}")
        ctx.expect(warm.call("session", "stop", "default").exit == 0, "stop")
        with built(ctx, other):
            answer = warm.act("evaluate", "1", "--connect", NOWHERE)
            ctx.expect(warm.daemon() not in (0, daemon), f"the idle daemon stays: {answer.exit}: {answer.text}")
            warm.call("session", "stop", "--all")
    shutil.rmtree(ctx.tmp / f"browser-runner-{os.geteuid()}")
    for name, more in (("no home", {"HOME": None}), ("a home that cannot be written", {"HOME": "/proc"})):
        with elsewhere(ctx, **more):
            check_log(ctx, Warm(ctx), name)


def check_log(ctx, warm, name):
    """The log is beside the socket, where no other user can have put a link."""
    shared = pathlib.Path("/tmp/.local/state/browser-runner")
    ctx.expect(not shared.exists(), f"{shared} is in the way of this test")
    answer = warm.act("evaluate", "1", "--connect", NOWHERE)
    pid = warm.daemon()
    ctx.expect(pid, f"{name}: {answer.exit}: {answer.text}")
    ctx.expect((warm.socket.parent / "daemon.log").exists() and not shared.exists(), f"{name}: no log beside the socket")
    warm.call("session", "stop", "--all", seconds=40)
    ctx.expect(not pid or not processes.wait_until_gone(lambda: [pid] if alive(pid) else [], 10), "the daemon goes on")


class elsewhere:
    """Changes the environment; None removes a variable."""

    def __init__(self, ctx, **more):
        self.ctx, self.before = ctx, dict(ctx.environment)
        self.after = {name: value for name, value in {**self.before, **more}.items() if value is not None}

    def __enter__(self):
        self.ctx.environment.clear()
        self.ctx.environment.update(self.after)

    def __exit__(self, *_):
        self.ctx.environment.clear()
        self.ctx.environment.update(self.before)


class built:
    def __init__(self, ctx, binary):
        self.ctx, self.binary, self.before = ctx, binary, ctx.options.binary

    def __enter__(self):
        self.ctx.options.binary = str(self.binary)

    def __exit__(self, *_):
        self.ctx.options.binary = self.before


def rebuilt(ctx):
    """Returns a copy of the program with another build id."""
    program = bytearray(pathlib.Path(ctx.options.binary).read_bytes())
    note = program.index(b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0") + 16  # elf(5): Nhdr of NT_GNU_BUILD_ID, name, id
    program[note] ^= 0xff
    copy = ctx.base / "rebuilt"
    copy.write_bytes(program)
    os.chmod(copy, 0o755)
    return copy
