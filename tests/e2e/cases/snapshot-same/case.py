"""An id is valid for the element that was seen, whatever else has changed, and for no other: whether the whole page or
only the element is checked again."""

import json

from snapshots import nodes_of

BROWSER = "any"


SAME, STALE = None, "STALE_NODE"

# A row, of which `.it` is operated; the name that finds it; the change; the result.
ROWS = [
    ('<button class="it">Untouched</button>', "Untouched", "", SAME),
    # Identity
    ('<button class="it">Put back</button>', "Put back", "it.remove(); place.append(it)", SAME),
    ('<button class="it">Moved</button>', "Moved", "document.body.append(place)", SAME),
    ('<button class="it">Removed</button>', "Removed", "it.remove()", STALE),
    ('<button class="it">Copied</button>', "Copied", "it.replaceWith(it.cloneNode(true))", STALE),
    ('<button class="it">Drawn again</button>', "Drawn again", "place.innerHTML = place.innerHTML", STALE),
    ('<ul><li class="it" tabindex="0" role="menuitem">Recycled one</li><li role="menuitem">Recycled two</li></ul>', "Recycled one",
     "const [a, b] = place.querySelectorAll('li'); [a.textContent, b.textContent] = [b.textContent, a.textContent]", STALE),
    ('<ul><li class="it" tabindex="0" role="menuitem"><span>Sorted one</span></li><li role="menuitem"><span>Sorted two</span></li></ul>',
     "Sorted one", "const [a, b] = place.querySelectorAll('span'); a.parentNode.append(b); b.previousSibling?.remove()", STALE),
    # Text
    ('<button class="it">Text</button>', "Text", "it.firstChild.data = 'Other text'", STALE),
    ('<button class="it">Count 7</button>', "Count 7", "it.firstChild.data = 'Count 12'", SAME),
    ('<button class="it">Wide space</button>', "Wide space", "it.firstChild.data = '\\n  Wide \\n space  '", SAME),
    ('<button class="it">Split text</button>', "Split text", "it.firstChild.splitText(3)", SAME),
    ('<button class="it"><span>Nested</span> <b>words</b></button>', "Nested words", "it.querySelector('b').textContent = 'others'", STALE),
    ('<button class="it"><span>Nested</span> <b>space</b></button>', "Nested space", "it.childNodes[1].remove()", STALE),
    ('<button class="it"><span>Two</span><span>blocks</span></button>', "Twoblocks", "it.className += ' block'", STALE),
    ('<button class="it"><span>Part</span> <i>shown</i></button>', "Part shown", "it.querySelector('i').className = 'gone'", STALE),
    ('<button class="it"><span>Part</span> <i>seen</i></button>', "Part seen", "it.querySelector('i').className = 'unseen'", STALE),
    ('<button class="it"><span>Part</span> <i>heard</i></button>', "Part heard",
     "it.querySelector('i').setAttribute('aria-hidden', true)", STALE),
    ('<button class="it"><i aria-hidden="true">x</i> Icon</button>', "Icon", "it.querySelector('i').textContent = 'y'", SAME),
    ('<button class="it"><svg width="9" height="9"><path d="M0 0h9v9z"/></svg>Drawing</button>', "Drawing",
     "it.querySelector('path').setAttribute('d', 'M0 0')", SAME),
    ('<button class="it"><svg width="9" height="9"><path d="M0 0h9v9z"/></svg>Titled</button>', "Titled",
     "it.firstChild.innerHTML = '<title>Not</title>'", STALE),
    ('<button class="it"><img alt="Kept" width="9" height="9"> picture</button>', "Kept picture", "it.firstChild.alt = 'Lost'", STALE),
    ('<button class="it">Styled before</button>', "Styled before", "it.className += ' before'", STALE),
    ('<button class="it">Styled case</button>', "Styled case", "it.className += ' upper'", STALE),
    ('<div class="it" role="button" tabindex="0">Styled first</div>', "Styled first", "it.className += ' first'", SAME),
    ('<div class="it" role="button" tabindex="0">styled letter</div>', "styled letter", "it.className += ' letter'", STALE),
    ('<button class="it">Not for models <span></span></button>', "Not for models",
     "it.querySelector('span').textContent = 'yet'; it.querySelector('span').dataset.noAi = ''", SAME),
    ('<button class="it">Left <span>out</span></button>', "Left out", "it.querySelector('span').dataset.noAi = ''", STALE),
    ('<button class="it">Held <span>inert</span></button>', "Held inert", "it.querySelector('span').inert = true", STALE),
    ('<button class="it">Lent <span id="lent">part</span></button><div class="other"></div>', "Lent part",
     "place.querySelector('.other').setAttribute('aria-owns', 'lent')", STALE),
    # Shadow trees
    ('<button class="it"><span>Open</span></button>', "Open",
     "it.firstChild.attachShadow({ mode: 'open' }).innerHTML = '<slot></slot> shadow'", STALE),
    ('<button class="it"><span>Closed</span></button>', "Closed",
     "it.firstChild.attachShadow({ mode: 'closed' }).innerHTML = '<slot></slot> shadow'", STALE),
    ('<div class="it" role="button" tabindex="0">Closed itself</div>', "Closed itself",
     "it.attachShadow({ mode: 'closed' }).innerHTML = '<slot></slot> shadow'", STALE),
    # Roles
    ('<button class="it">Role given</button>', "Role given", "it.setAttribute('role', 'tab')", STALE),
    ('<div class="it" role="button" tabindex="0">Role taken</div>', "Role taken", "it.removeAttribute('role')", STALE),
    ('<div class="it" role="checkbox" tabindex="0">Role changed</div>', "Role changed", "it.setAttribute('role', 'switch')", STALE),
    ('<div class="it" role="button" tabindex="0">Role at random</div>', "Role at random", "it.setAttribute('role', 'random')", STALE),
    ('<a class="it" href="#here">Address lost</a>', "Address lost", "it.removeAttribute('href')", STALE),
    ('<a class="it" href="#here">Address changed</a>', "Address changed", "it.href = '#there'", SAME),
    ('<input class="it" type="button" value="Type changed">', "Type changed", "it.type = 'checkbox'", STALE),
    ('<div role="listbox" class="box"><div><div class="it" role="option" tabindex="0">In a list</div></div></div>', "In a list",
     "it.setAttribute('aria-selected', true)", SAME),
    ('<div role="listbox" class="box"><div class="it" role="option" tabindex="0">List lost</div></div>', "List lost",
     "place.querySelector('.box').removeAttribute('role')", STALE),
    ('<label>List <input class="it"></label><datalist id="list"><option>1</datalist>', "List", "it.setAttribute('list', 'list')", STALE),
    # Names by others
    ('<button class="it" aria-label="Said so">x</button>', "Said so", "it.textContent = 'y'", SAME),
    ('<button class="it" aria-label="Said">x</button>', "Said", "it.setAttribute('aria-label', 'Not said')", STALE),
    ('<button class="it" title="Title">x</button>', "x", "it.title = 'Other title'", SAME),
    ('<input class="it" title="Only title">', "Only title", "it.title = 'Other title'", STALE),
    ('<input class="it" placeholder="Placeholder">', "Placeholder", "it.placeholder = 'Other'", STALE),
    ('<input class="it" type="submit" value="Value">', "Value", "it.setAttribute('value', 'Other')", STALE),
    ('<h4 id="named">Referenced</h4><input class="it" aria-labelledby="named">', "Referenced", "it.value = 'x'", SAME),
    ('<h4 id="renamed">Renamed</h4><input class="it" aria-labelledby="renamed">', "Renamed",
     "place.querySelector('h4').textContent = 'Other'", STALE),
    ('<h4 id="one">Once</h4><h4 id="two">Twice</h4><input class="it" aria-labelledby="one">', "Once",
     "it.setAttribute('aria-labelledby', 'two')", STALE),
    ('<h4 id="taken">Taken</h4><h4 id="over">Over</h4><input class="it" aria-labelledby="taken">', "Taken",
     "const [a, b] = place.querySelectorAll('h4'); a.id = 'x'; b.id = 'taken'", STALE),
    ('<label>Label <input class="it"></label>', "Label", "it.value = 'typed'", SAME),
    ('<label>Label text <input class="it"></label>', "Label text", "it.previousSibling.data = 'Other '", STALE),
    ('<label for="apart">Label apart</label><input id="apart" class="it">', "Label apart", "place.append(place.firstChild)", SAME),
    ('<label for="lost">Label lost</label><input id="lost" class="it">', "Label lost", "place.firstChild.htmlFor = 'x'", STALE),
    ('<label for="more">Label added</label><input id="more" class="it">', "Label added",
     "place.insertAdjacentHTML('afterbegin', '<label for=more>One</label>')", STALE),
    ('<label for="hidden">Label hidden</label><input id="hidden" class="it">', "Label hidden", "place.firstChild.className = 'gone'", STALE),
    ('<label><input type="checkbox" class="it"> Around <select><option>one<option>two</select></label>', "Around one",
     "place.querySelector('select').selectedIndex = 1", STALE),
    ('<label class="it"><input type="checkbox" class="gone">Stands in</label>', "Stands in", "it.lastChild.data = 'Other'", STALE),
    ('<label class="it"><input type="checkbox" class="gone">Stands for it</label>', "Stands for it", "it.control.checked = true", SAME),
    # Sight
    ('<details open><summary>More</summary><button class="it">Folded</button></details>', "Folded",
     "place.querySelector('details').open = false", STALE),
    ('<details open><summary>Frame</summary><iframe srcdoc="<button>In a frame</button>"></iframe></details>', "In a frame",
     "place.querySelector('details').open = false", STALE),
    ('<details><summary class="it">Details</summary>x</details>', "Details", "it.parentNode.open = true", SAME),
    ('<table><tr><th>Head</th><td class="it" tabindex="0">Cell</td></tr></table>', "Cell", "it.textContent = 'Other cell'", STALE),
]
MANY = 300_001  # elements: no snapshot is taken of this many


def run(ctx):
    stream = ctx.start(["run", "-", "--temp-profile", "--screenshots", "none", *ctx.browser_args()])
    stream.send("<batch>\n")

    def ask(kind, params):
        answer = stream.ask(kind, params)
        ctx.expect(answer["success"], f"{kind} {params}: {answer.get('error')}")
        return answer.get("result")

    def call(function, *values):
        return ask("evaluate", {"expression": f"{function}(...{json.dumps(values)})"})

    def snapshot():
        body = ask("snapshot", {"format": "json"})["page"]["body"]
        return {node["name"]: node["id"] for node in nodes_of(body) if node.get("name") and "id" in node}

    ask("start", {"url": ctx.origin + "/case/index.html", "maxConsecutiveErrors": 100, "totalErrorThreshold": 100})
    call("fill", [html for html, *_ in ROWS])
    ask("wait", {"networkIdle": True})
    ids = snapshot()
    for row, (_, name, code, expected) in enumerate(ROWS):
        if name not in ids:
            ctx.expect(False, f"{name} is not in the snapshot")
            continue
        call("change", row, code)
        answer = stream.ask("click", {"node": ids[name]})
        ctx.expect(answer.get("errorCode") == expected, f"{name}: {answer.get('errorCode')}: {answer.get('error')}")
        clicks = ask("evaluate", {"expression": "clicks.splice(0)"})
        ctx.expect(clicks[:1] == ([] if expected else [str(row)]), f"{name}: the clicks went to the rows {clicks}")

    # The whole page is not examined, which would be too large.
    call("fill", ['<button class="it">Alone</button>'])
    alone = snapshot()["Alone"]
    ask("evaluate", {"expression": f"document.body.insertAdjacentHTML('beforeend', '<div hidden>' + '<i></i>'.repeat({MANY}) + '</div>')"})
    answer = stream.ask("snapshot", {})
    ctx.expect(answer.get("errorCode") == "LIMIT_EXCEEDED", f"a snapshot of {MANY} elements: {answer.get('errorCode')}")
    ask("click", {"node": alone})
    ctx.expect(ask("evaluate", {"expression": "clicks"}) == ["0"], "the only button of a large page was not clicked")
    stream.send("</batch>\n")
    stream.close_stdin()
    ctx.expect(stream.wait().exit == 1, "exit 1 is what failed actions make")
