"""What a page announces (alerts, status messages, live regions) and dialogs that appear are in the answer of the action."""

from warm import warm_sessions

BROWSER = "shared"

# the button, what its answer has as `appeared`
CLICKS = [
    ("nothing", None),
    ("fail", [{"role": "alert", "text": "Card declined"}]),
    ("fail", None),  # the same text again is no news
    ("toast", [{"role": "alert", "text": "Saved"}]),  # the alert, and not the live region around it
    ("ask", [{"role": "dialog", "name": "Delete order", "text": "Delete order 1001? Delete Cancel"}]),
    ("no", None),
    ("ask", [{"role": "dialog", "name": "Delete order", "text": {"$contains": "Delete order 1001?"}}]),
    ("no", None),
    ("show", [{"role": "dialog", "name": "Picture", "text": "A picture of a hill"}]),
    ("shadow", [{"role": "status", "text": "In a shadow"}]),
    ("frame", [{"role": "alert", "text": "In a frame"}]),
    ("secret", None),
]


def run(ctx):
    steps = [("start", {"url": ctx.origin + "/case/index.html"})]
    steps += [("click", {"selector": "#" + name}) for name, _ in CLICKS]
    steps += [("click", {"selector": "#later"}), ("wait", {"expression": "document.title === 'late'"}),
              ("evaluate", {"expression": "1"}), ("click", {"selector": "#many"}), ("reload", {})]
    result = ctx.run_batch(steps, "--screenshots", "none")
    # Of a new document, live regions without a role are content.
    ctx.match(result.response(1), {"appeared": [{"role": "status", "text": "Draft saved"}]}, "a new page")
    for number, (name, expected) in enumerate(CLICKS, 2):
        ctx.match(result.response(number), {"success": True, "appeared": expected or {"$absent": True}}, name)
    late = len(CLICKS) + 3
    ctx.match(result.response(late), {"appeared": [{"role": "status", "text": "3 items"}]}, "news between two actions")
    ctx.match(result.response(late + 1), {"appeared": {"$absent": True}}, "each of them once")
    many = result.response(late + 2)["appeared"]
    ctx.expect(len(many) == 10 and all(len(item["text"]) <= 201 for item in many), f"limits: {many}")
    ctx.match(result.response(late + 3), {"appeared": [{"role": "status", "text": "Draft saved"}]}, "reloaded")

    with warm_sessions(ctx) as warm:
        warm.start("default", "/case/index.html")
        said = warm.fine("click", "Pay")
        ctx.expect("\nappeared: alert: Card declined\n" in said, f"act click: {said}")
        said = warm.fine("click", "Delete order 1001")
        ctx.expect('\nappeared: dialog "Delete order": Delete order 1001?' in said, f"act click: {said}")
        warm.fine("click", "Cancel")
        seen = warm.fine("snapshot", "-i")
        ctx.expect("Card declined" in seen and "Draft saved" in seen, f"snapshot -i has what is announced: {seen}")
