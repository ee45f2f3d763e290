"""Elements that aria-owns assigns are inside their owner: in its order, once, and never away from where they are visible."""
import json

BROWSER = "shared"
TEXT = """page "Owned" ORIGIN/case/owned.html 1280x720
listbox "Fruit" e1
  option "Apple" e2
  option e3: "Pear" button "Buy pear" e4
  option "Plum" e5
"Between and after."
tree "Tree"
  treeitem e6: "Branch" treeitem "Twig" e7
  treeitem "Leaf" e8
main "Beside it" e9
region "Second" e10: "moved words"
region "Circle one" e11
  "In one"
  region "Circle two" e12: "In two"
region "Outer" e13
  group "Inner": "In inner"
region "Self" e14: "In itself"
combobox "City" e15 expanded
listbox "Cities" e16: option "Rome" e17
button "Owned by what is hidden" e18
region "Open" e19
(a part of the page is left out: data-no-ai)
button "Public" e20
region "Shadow" e21
  "In the shadow"
  button "Within" e22
button "Outside" e23
contentinfo "Foot" e24
  dialog "Offer" e25: "Buy it"
"""


def names(node):
    """Returns the names in a tree, with their content."""
    inner = [names(child) for child in node.get("children", [])]
    said = node.get("name") or node.get("text")
    return (said, inner) if inner else said


def run(ctx):
    result = ctx.run_batch([
        ("start", {"url": ctx.origin + "/case/owned.html"}),
        ("snapshot", {}),
        ("snapshot", {"format": "json"}),
        ("snapshot", {"selector": "[aria-label=Fruit]"}),
        ("snapshot", {"selector": "#plum"}),
        ("snapshot", {"find": "Twig"}),
        ("snapshot", {"selector": "main"}),
        ("click", {"role": "button", "name": "Buy pear"}),
    ])
    for number, response in enumerate(result.responses, 1):
        ctx.expect(response["success"], f"{number}: {response.get('errorCode')}: {response.get('error')}")
    text = result.response(2)["result"]["text"]
    ctx.expect(text == TEXT.replace("ORIGIN", ctx.origin), text)
    tree = json.dumps([names(child) for child in result.response(3)["result"]["page"]["body"]["children"]])
    for wanted in ('["Fruit", ["Apple", ["Pear Buy pear", ["Pear", "Buy pear"]], "Plum"]]', '["Tree", [["Branch", ["Branch", "Twig"]], "Leaf"]]'):
        ctx.expect(wanted in tree, f"{wanted}: {tree}")
    for number, lines in ((4, 5), (5, 2), (6, 3), (7, 4)):
        text = result.response(number)["result"]["text"]
        ctx.expect(text.count("\n") == lines, f"{number}: {text}")
