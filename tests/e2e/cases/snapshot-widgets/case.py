"""Widgets and unusual controls in a snapshot; each id works, and each control is there once."""
import re

BROWSER = "any"
LINES = {
    "lists.html": ['"Country"', 'combobox eN = "Portugal"', 'combobox eN = "Red Green"', 'combobox eN = "Pear"',
                   'combobox eN = "Cyan, Magenta"', 'combobox "Town" eN', 'combobox "Towns" eN'],
    "controls.html": ['checkbox eN checked', 'checkbox "Bluetooth" eN', 'checkbox "Location" eN',
                      'radio "Basic" eN checked', 'radio "Pro" eN', 'button "Attach" eN', 'button "Photo" eN',
                      'iframe "billing" eN', 'iframe "analytics" eN', 'video eN', 'audio eN', 'canvas eN', 'image eN',
                      'clickable "Pick me" eN', 'link "Outside" eN', 'button "Leave" eN',
                      'textbox "Native editor" eN = "text of native"'],
    "editors.html": ['textbox "Editor content" eN', 'textbox eN = "Hello from Quill"',
                     'textbox "Rich Text Area" eN = "Hello from TinyMCE"'],
    "grid.html": ['checkbox "Column with Header Selection" eN', 'button "Zoom in" eN', 'canvas eN', '"Toyota"'],
    "mail.html": ['checkbox "Select" eN | link "Star" eN | Ann Hall | The invoice of March | 14 Mar'],
    "frameset.html": ['frame "left" eN'],
}
# What a person does not see, or what is there already.
NEVER = {
    "lists.html": [r"listbox .*Red", r"of Portugal \|", r"Remove item.*=", r"= .*Remove item", r"textbox \"Portugal\""],
    "controls.html": [r'"Not me" e\d', r"clickable \"Location\"", r"[\ue000-\uf8ff]", r'name " '],
    "editors.html": [r"readonly"],
    "grid.html": [r"clickable e\d+: checkbox", r"clickable e\d+\n(grid|scrollable)"],
    "mail.html": [],
    "frameset.html": [],
}
STATE = ("JSON.stringify(['wifi', 'blue', 'dark', 'gps', 'basic', 'pro'].map((id) => document.getElementById(id).checked))")


def id_of(text, line):
    found = re.search("^" + re.escape(line).replace("eN", r"(e\d+)"), text, re.M)
    return found and found.group(1)


def done(ctx, talk, kind, parameters=None):
    """Returns the answer to an action that must succeed."""
    answer = talk.ask(kind, parameters)
    ctx.expect(answer["success"], f"{kind} {parameters}: {answer.get('error')}")
    return answer


def run(ctx):
    ctx.requires_widgets("select2", "jquery", "choices.js", "tom-select", "flatpickr", "monaco-editor", "tinymce",
                         "codemirror", "quill", "ag-grid-community", "leaflet")
    talk = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *ctx.browser_args()])
    talk.send("<batch>\n")
    done(ctx, talk, "start", {"url": "about:blank", "maxConsecutiveErrors": 0, "totalErrorThreshold": 0})
    texts = {}
    for name in LINES:
        done(ctx, talk, "navigate", {"url": f"{ctx.origin}/e2e/widgets/{name}"})
        if name == "editors.html":
            done(ctx, talk, "wait", {"selector": ".native-edit-context", "state": "attached", "timeout": 15000})
        text = texts[name] = done(ctx, talk, "snapshot")["result"]["text"]
        lines = re.sub(r"\be\d+\b", "eN", text)
        for line in LINES[name]:
            ctx.expect(line in lines, f"{name}: {line} is missing in {text}")
        for pattern in NEVER[name]:
            ctx.expect(not re.search(pattern, text), f"{name}: {pattern} is in {text}")
    open_lists(ctx, talk)
    use_labels(ctx, talk)
    talk.send("</batch>\n")
    talk.close_stdin()
    talk.wait()


def open_lists(ctx, talk):
    """The open list of a combobox is not its value."""
    done(ctx, talk, "navigate", {"url": f"{ctx.origin}/e2e/widgets/lists.html"})
    text = done(ctx, talk, "snapshot")["result"]["text"]
    done(ctx, talk, "click", {"node": id_of(text, 'combobox eN = "Portugal"')})
    text = done(ctx, talk, "snapshot")["result"]["text"]
    opened = 'expanded = "Portugal": listbox eN expanded: option "Portugal" eN selected option "Spain" eN'
    ctx.expect(opened in re.sub(r"\be\d+\b", "eN", text), f"open: {text}")


def use_labels(ctx, talk):
    """Clicks on labels of hidden controls reach the controls."""
    done(ctx, talk, "navigate", {"url": f"{ctx.origin}/e2e/widgets/controls.html"})
    text = done(ctx, talk, "snapshot")["result"]["text"]
    for line in ['checkbox eN checked', 'checkbox "Bluetooth" eN', 'checkbox "Location" eN', 'radio "Pro" eN']:
        done(ctx, talk, "click", {"node": id_of(text, line)})
    done(ctx, talk, "click", {"testId": "save"})
    tree = done(ctx, talk, "snapshot", {"format": "json", "find": "x1"})["result"]
    ctx.expect("'data-cy': 'save'" in str(tree), f"data-cy: {tree}")
    states = talk.ask("evaluate", {"expression": STATE})["result"]
    ctx.expect(states == "[false,true,false,true,false,true]", f"after the clicks: {states}")
    text = done(ctx, talk, "snapshot")["result"]["text"]
    ctx.expect('checkbox "Location" e' in text and re.search(r'radio "Pro" e\d+ checked', text), f"states: {text}")
