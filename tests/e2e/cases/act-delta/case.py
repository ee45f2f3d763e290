"""act --delta tells what changed; skill prints and installs what an agent needs."""
from warm import warm_sessions

BROWSER = "any"


def run(ctx):
    with warm_sessions(ctx) as warm:
        opened = warm.fine("open", ctx.origin + "/shop/", "--delta", *ctx.browser_args())
        ctx.expect("the page (" in opened and 'heading 2 "Storm lantern"' in opened, f"the page: {opened}")
        added = warm.act("click", "#add-kettle", BROWSER_RUNNER_DELTA="1").out
        ctx.expect("changed on the page" in added and "Added to your cart" in added and "Wool blanket" not in added,
                   f"what changed: {added}")
        ctx.expect("nothing changed" in warm.fine("press", "Shift", "--delta"), "nothing")
        ctx.expect("page" not in warm.fine("evaluate", "1 + 1", "--delta"), "a question has its value alone")
        ctx.expect("changed" not in warm.fine("press", "Escape"), "without --delta")

    core = warm.call("skill")
    ctx.expect(core.exit == 0 and "act open" in core.out and "click(element" in core.out and len(core.out) < 7000, core.text)
    topics = core.out.rsplit("skill ", 1)[1].split("|")
    for topic in topics:
        answer = warm.call("skill", topic.strip())
        ctx.expect(answer.exit == 0 and answer.out.startswith("# ") and len(answer.out) < 4000, f"{topic}: {answer.text}")
    unknown = warm.call("skill", "form")
    ctx.expect(unknown.exit == 2 and "forms" in unknown.err, unknown.text)
    installed = warm.call("skill", "--install", "skills")
    path = ctx.work / "skills/browser-runner/SKILL.md"
    ctx.expect(installed.exit == 0 and path.read_text().startswith("---\nname: browser-runner\n"), installed.text)
    again = warm.call("skill", "--install", "skills")
    ctx.expect(again.exit == 0, f"again: {again.text}")
