"""What the words of act mean: each with what it was meant to be, what happens, and in which time."""
import shlex

from processes import SLOWNESS
from warm import warm_sessions

BROWSER = "any"

# A wait that proves nothing: all readings are tried in one round, and what cannot match is refused at once.
QUICK = 2.0

# Words, exit code, and a part of the answer.
MEANT = [
    # An element's word: id, exactly this text or label, selector, name, a part of these.
    ("click body", 0, "clicked \"body\" (<"),
    ("click h1", 0, "<h1#head>"),
    ("click nav", 0, "<nav#menu>"),
    ("click ul", 0, "clicked \"ul\" (<li#only>)"),
    ("click li", 0, "<li#only>"),
    ("click section", 0, "<section#part>"),
    ("click Close", 0, "<button#x>"),
    ("click Save", 0, "<button#save>"),
    ("click sav", 1, "TARGET_NOT_FOUND"),
    ("click 'Free del'", 0, "<p#free>"),
    ("click .NET", 0, "<button#net>"),
    ("click [x]", 0, "<button#box>"),
    ("click #save", 0, "<button#save>"),
    ("click css=#save", 0, "<button#save>"),
    ("click text=Save", 0, "<button#save>"),
    ("click 'form > span'", 0, "<span#tip>"),
    ("click 'ul li'", 0, "<li#only>"),
    ("click '\"Save\"'", 0, "<button#save>"),
    ("click Manual", 0, "<a#help>"),
    # Texts that look like selectors, in several pieces.
    ("click '#Pay now'", 0, "clicked #Pay now (<em>)"),
    ("click '#late fee'", 0, "<button#hidden-first>"),
    ("click '> sent'", 0, "<input#sent>"),
    ("click '#softly'", 0, "<button#soft>"),
    ("click '#straße'", 0, "<button#street>"),
    ("click b", 1, "2 elements match \"b\" as a selector"),
    ("click Twin", 1, "2 elements match \"Twin\": <b>"),
    ("click Nowhere", 1, 'no element matches "Nowhere"'),
    ("type input abc", 1, 'elements match "input" as a selector'),
    ("type 'E-mail address' a", 0, "typed into"),
    ("type you@example.org b", 0, "typed into"),
    ("type email c", 0, "typed into"),
    ("type mail d", 0, "typed into"),
    ("select Size Large", 0, "chose from"),
    ("select size s", 0, "chose from"),
    ("check 'I agree'", 0, "checked"),
    ("focus size", 0, "focused"),
    # Notations of other tools that have one plain meaning.
    ("click role=button[name=\"Save\"]", 0, "<button#save>"),
    ("click role=heading", 0, "<h1#head>"),
    ("click button Save", 0, "<button#save>"),
    ("click heading", 0, "<h1#head>"),
    ("type label=E-mail e", 0, "typed into"),
    ("click label=Size", 0, "<select#size>"),
    ("type placeholder=you@example.org f", 0, "typed into"),
    ("click id=save", 0, "<button#save>"),
    ("click name=email", 0, "<input#mail"),
    ("click testid=help-link", 0, "<a#help>"),
    ("click 'alt=Logo of the shop'", 0, "<img#logo>"),
    ("click 'title=Help on sizes'", 0, "<span#tip>"),
    ("click @e999", 1, "STALE_NODE"),
    ("click ref=e999", 1, "STALE_NODE"),
    # Notations that are refused at once, with the spelling that works.
    ("click \"getByRole('button', { name: 'Save' })\"", 2, "role=button[name=\"Save\"]"),
    ("click \"page.getByText('Save')\"", 2, "write it as 'Save'"),
    ("click \"getByLabel('Size')\"", 2, "label=Size"),
    ("click \"getByTestId('help-link')\"", 2, "testid=help-link"),
    ("click \"page.locator('#save')\"", 2, "write it as '#save'"),
    ("click //button[2]", 2, "XPath"),
    ("click xpath=//button", 2, "XPath"),
    ("click 'button >> nth=1'", 2, "'button' with nth 1"),
    ("click '>> nth=1'", 2, "'button' with nth 1"),
    ("click 'button:has-text(\"Save\")'", 2, "the text, Save"),
    ("click '200 300'", 2, "200,300"),
    ("click 200 300", 2, "200,300"),
    # Words of other tools, and short forms.
    ("fill 'E-mail address' zoe", 0, "typed into"),
    ("get value h1", 1, 'h1 has no value'),
    ("get value '#nothing'", 1, "TARGET_NOT_FOUND"),
    ("get text h1", 0, "Garden shop\n"),
    ("get title", 0, "Words\n"),
    ("title", 0, "Words\n"),
    ("url", 0, "shop.html"),
    ("get url", 0, "shop.html"),
    ("find Save", 0, 'button "Save"'),
    ("console", 0, "entries: since"),
    ("errors", 0, "0 entries"),
    ("network requests", 0, "shop.html"),
    ("snapshot -i", 0, 'button "Save"'),
    ("snapshot --diff --depth 3", 0, "no earlier snapshot"),
    ("scroll 300", 0, "scrolled by 0,300"),
    ("scroll down", 0, "now at 0,"),
    ("resize 375 812", 0, "emulated"),
    ("emulate --viewport 1280x720", 0, "emulated"),
    ("press Tab Tab", 2, "press takes one key"),
    ("press Tab", 0, "pressed Tab"),
    ("wait 5ms", 0, "waited"),
    ("wait 0.01s", 0, "waited"),
    ("wait 0.5", 2, "0.5s"),
    ("wait h1", 0, "waited"),
    ("wait 'Free delivery'", 0, "waited"),
    ("shot page.jpg", 0, "picture: page.jpg 1280x720"),
    ("shot -o page.gif", 2, ".gif is no format"),
    ("shot -o -", 2, "--image-block"),
    ("eval \"'a\\\\u0000b'\"", 0, "a\0b\n"),
    ("click --help", 0, "Clicks an element"),
    # What happens to tabs, and navigations that do not.
    ("open leave.html", 0, "HTTP 200"),
    ("click 'In a tab'", 0, "new tab 2: "),
    ("click Edit", 0, "<button#edit>"),
    ("dialog dismiss", 0, "dismissed"),
    ("reload", 1, "NAVIGATION_FAILED the page asked whether to leave it"),
    ("back", 1, "NAVIGATION_FAILED the page asked whether to leave it"),
    ("open shop.html", 1, "NAVIGATION_FAILED the page asked whether to leave it"),
    ("dialog accept", 0, "accepted"),
    ("back", 0, "went back"),
]


def split(ctx, line):
    return [ctx.origin + "/case/" + word if word.endswith(".html") else word for word in shlex.split(line)]


def get_values(ctx, warm):
    """get value prints the value and nothing else."""
    warm.fine("type", "#mail", "zoe@example.org")
    for words, out in ((["#mail"], "zoe@example.org\n"), (["Size"], "s\n"), (["#mail, #size", "--multiple"], '["zoe@example.org", "s"]\n'),
                       (["#mail, h1", "--multiple"], '[null, "zoe@example.org"]\n')):
        answer = warm.act("get", "value", *words)
        ctx.expect((answer.exit, answer.out) == (0, out), f"get value {words}: exit {answer.exit}: {answer.text[:400]}")
    answer = warm.act("get", "value", "#mail", "--json").json
    ctx.expect(answer["result"]["element"]["value"] == "zoe@example.org", f"get value --json: {answer}")
    warm.fine("type", "#mail", "", "--clear")


def run(ctx):
    with warm_sessions(ctx) as warm:
        warm.fine("open", ctx.origin + "/case/shop.html", *ctx.browser_args())
        get_values(ctx, warm)
        for line, exit_code, said in MEANT:
            answer = warm.act(*split(ctx, line))
            ctx.expect(answer.exit == exit_code and said in answer.text,
                       f"act {line}: exit {answer.exit}, not {exit_code} with {said}: {answer.text[:400]}")
            if answer.seconds >= QUICK * SLOWNESS:
                ctx.problem(f"act {line} took {answer.seconds:.1f} s: {answer.text[:200]}")
