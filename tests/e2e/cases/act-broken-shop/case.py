"""A new user looks for what is wrong with a shop, by the words of act alone: each planted bug shows itself in the answer of
the command that meets it. What the whole session costs is bounded: commands, bytes, and the time of each command."""
import shlex

from processes import SLOWNESS
from warm import warm_sessions

BROWSER = "any"

# Words; what the answer has to contain; what that tells about a bug.
SESSION = [
    ("open", ["HTTP 200"], None),
    ("snapshot -i", ['button "Add Anchor"', 'combobox "Sort by"', "Place the order"], None),
    ("select 'Sort by' Price", ["chose from"], None),
    ("snapshot €", ["Anchor", "€ 120.00", "Bell"], "1: 120 comes before 9.50"),
    ("click 'Add Rope, 20 m'", ["appeared: status: Rope, 20 m was added"], None),
    ("click 'Add Rope, 20 m'", ["clicked"], None),
    ("snapshot Total", ["Total:", "€ 24.00"], "3: two of them cost as much as one"),
    ("click 'Remove Rope, 20 m'", ["cart.remove is not a function", "shop.js:26"], "2: the exception and its place"),
    ("type Voucher SUMMER", ["typed into"], None),
    ("click Redeem", ["appeared: alert: The voucher SUMMER is not known"], "4: the announcement"),
    ("click 'Empty the cart'", ['appeared: dialog "Empty the cart?": All goods in it are removed.'], None),
    ("click 'No, keep them'", ["clicked"], None),
    ("click Redeem", ["TARGET_OBSCURED", "<div#veil>"], "5: what covers it"),
    ("eval \"veil.style.display = 'none'\"", ["none"], None),
    ("type 'E-mail address' zoe@example.org", ["typed into"], None),
    ("click 'Place the order'", ["clicked"], None),
    ("wait --network-idle", [], None),
    ("network --failed", ["api/ordr"], "6: the request that failed"),
]
MOST_COMMANDS, MOST_BYTES = 20, 5000
# A command that waits proves something, such as that what covers an element stays.
QUICK, COVERED = 0.6, 1.2


def run(ctx):
    sent = 0
    with warm_sessions(ctx) as warm:
        for line, parts, bug in SESSION:
            words = [*shlex.split(line), *([ctx.origin + "/case/index.html", *ctx.browser_args()] if line == "open" else [])]
            answer = warm.act(*words)
            sent += len(answer.text)
            for part in parts:
                ctx.expect(part in answer.text, f"act {line} ({bug or 'no bug'}): {part!r} is not in {answer.text}")
            limit = COVERED if "TARGET_OBSCURED" in parts else QUICK
            ctx.expect(line == "open" or answer.seconds < (limit + 1) * SLOWNESS, f"act {line}: {answer.seconds:.2f} s")
            if bug and bug[0] == "1":
                ctx.expect(answer.text.index("120.00") < answer.text.index("€ 9.50"), f"the wrong order: {answer.text}")
    ctx.expect(len(SESSION) <= MOST_COMMANDS and sent <= MOST_BYTES, f"{len(SESSION)} commands, {sent} bytes")
