"""16 clients on 3 sessions: every answer belongs to its request, also while a client and a browser are killed."""
import random
import threading
import time

from faults import until
from processes import SLOWNESS
from warm import kill, warm_sessions

BROWSER = "any"


CLIENTS, SESSIONS, ANSWERS = 16, 3, 10  # for each client


def run(ctx):
    with warm_sessions(ctx) as warm:
        for i in range(SESSIONS):
            warm.start(f"s{i}", "/", "--project", f"p{i % 2}")
        wrong, counts = [], [0] * CLIENTS
        end = time.monotonic() + 40 * SLOWNESS

        def client(number):
            chance = random.Random(number)
            while counts[number] < ANSWERS and time.monotonic() < end:
                value = f"{number}-{counts[number]}"
                session = f"s{chance.randrange(SESSIONS)}"
                answer = warm.act("evaluate", f"'{value}'", session=session)
                # While its browser is restarted an action may fail; it never gets another's answer.
                if answer.exit == 0 and answer.out != value + "\n" or answer.exit not in (0, 1):
                    wrong.append((value, session, answer.exit, answer.text[:300]))
                counts[number] += answer.exit == 0

        threads = [threading.Thread(target=client, args=(i,)) for i in range(CLIENTS)]
        for thread in threads:
            thread.start()
        until(lambda: sum(counts) > 3 * CLIENTS, "the clients are at work", 40)
        victim = warm.begin("act", "--session", "s0", "wait", "--ms", "30000", "--timeout", "40000")
        until(lambda: warm.list()["s0"].get("action") == "wait", "a client's long action runs", 30)
        victim.kill()
        warm.end(victim)
        kill(warm.list()["s1"]["browserPid"])
        for thread in threads:
            thread.join()
        ctx.expect(not wrong, f"{len(wrong)} wrong answers: {wrong[:3]}")
        ctx.expect(min(counts) == ANSWERS, f"not every client had its answers: {counts}")
        for i in range(SESSIONS):
            ctx.expect(warm.fine("evaluate", f"{i}", session=f"s{i}") == f"{i}\n", "a session is lost")
