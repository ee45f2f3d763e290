/* Each function of scripts/elements.js, as it is embedded, in pages of a real browser. */
#include "tests/e2e/elements_rig.h"

#include "runner/base/json.h"
#include "runner/page/core/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CALL(name, argument, answer)                                                               \
    {                                                                                              \
        script_##name, argument, answer, NULL                                                      \
    }
#define PAGE(script)                                                                               \
    {                                                                                              \
        NULL, script, NULL, NULL                                                                   \
    }
#define QUERY(query)  "'query':{" query ",'nth':-1}"
#define CSS(selector) QUERY("'selector':'" selector "'")
#define AT(selector)  "{" CSS(selector) ",'alignment':'nearest'}"
#define ALL(query)    "{" QUERY(query) "}"

static const struct elements_example finding[] = {
    { "css, through open shadow roots",
      "<p class=a></p><div><template shadowrootmode=open><p class=a>in</p></template></div>",
      { CALL(count, ALL("'selector':'p.a'"),
             "{'count':2,'visible':true,'rank':0,'list':['<p.a>','<p.a> \\u0022in\\u0022']}") } },
    { "css, not in a closed shadow root",
      "<div><template shadowrootmode=closed><p class=a>in</p></template></div>",
      { CALL(count, ALL("'selector':'p.a'"), "{'count':0,'visible':false}") } },
    { "css that is none",
      "<p>x</p>",
      { CALL(count, ALL("'selector':'p:has-text(x)'"),
             "{'code':'INVALID_ACTION','hint':'~give text'}"),
        CALL(frame, ALL("'selector':'p['"), "{'code':'TARGET_NOT_FOUND'}") } },
    { "a test id",
      "<p data-cy=a.b></p><p data-testid=a></p>",
      { CALL(keep, ALL("'testId':'a.b'"), "{}"),
        CALL(checked, "{}", "{'code':'INVALID_ACTION','message':'~test id'}") } },
    { "text that is just it comes first",
      "<p>Save all</p><p>Save</p>",
      { CALL(count, ALL("'text':'save'"), "{'count':1,'rank':0}"),
        CALL(count, ALL("'text':'save*l'"), "{'count':1,'rank':1}") } },
    { "text of the innermost, and of buttons, not of what nobody sees",
      "<div><b>Go</b></div><input type=submit value=Go><script>Go</script><p hidden>Go</p>",
      { CALL(count, ALL("'text':'Go'"),
             "{'count':2,'list':['<b> \\u0022Go\\u0022','<input> \\u0022Go\\u0022']}") } },
    { "text of which one can be seen, and others only show",
      "<p style='opacity:0'>Go</p><div style='overflow:hidden;height:1px'><p>Go</p></div><p>Go</p>",
      { CALL(count, ALL("'text':'Go'"), "{'count':1,'rank':0}") } },
    { "text that is hidden all over",
      "<p hidden>Go</p>",
      { CALL(count, ALL("'text':'Go'"), "{'count':1,'visible':false,'rank':2}") } },
    { "the first target that shows",
      "<p id=a hidden>x</p><p>Second</p>",
      { CALL(aim, "{'query':{'targets':['#a','second'],'nth':-1},'alignment':'nearest'}",
             "{'chosen':'~\\u0022second\\u0022 as text'}") } },
    { "what has a role is given",
      "<button>a</button>",
      { { script_count, ALL("'role':'button'"), "{'count':1,'list':['~<button>']}", "button" } } },
    { "several, and one of them",
      "<p>a</p><p>b</p>",
      { CALL(keep, ALL("'selector':'p'"),
             "{'code':'TARGET_AMBIGUOUS','message':'~2 elements match'}"),
        CALL(keep, "{'query':{'selector':'p','nth':2}}",
             "{'code':'TARGET_NOT_FOUND','message':'~no number 2'}"),
        CALL(keep, "{'query':{'selector':'p','nth':1}}", "{}") } },
    { "a node that has gone",
      "<p id=a>a</p>",
      { CALL(keep, ALL("'selector':'#a'"), "{}"), PAGE("document.querySelector('#a').remove()"),
        CALL(hit, "{'x':1,'y':1}", "{'code':'TARGET_NOT_FOUND','message':'~was removed'}") } },
    { "names",
      "",
      { CALL(namesMeant, "{'names':['Save all','Sa\\u00advey','save '],'wanted':'save'}",
             "{'numbers':[2],'isExact':true}"),
        CALL(namesMeant, "{'names':['Save all','x'],'wanted':'s*a'}",
             "{'numbers':[0],'isExact':false}") } },
    { "what is kept from models",
      "<div data-no-ai><button id=a>secret words</button></div>",
      { CALL(aim, AT("#a"), "{'code':'POLICY_DENIED'}"),
        CALL(count, ALL("'selector':'#a'"), "{'count':1,'list':['<button#a>']}"),
        CALL(box, ALL("'selector':'#a'"), "{'isScrolled':false}") } },
    { "a label that is kept from models, of what is not",
      "<label id=a data-no-ai for=b>l</label><input id=b>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}",
             "{'code':'POLICY_DENIED'}") } },
    { "what is kept from models, for pages of one's own",
      "<div data-no-ai><button id=a style='position:absolute;left:0;top:0;width:20px;height:10px'>"
      "</button></div>",
      { CALL(aim, "{'query':{'selector':'#a','nth':-1,'ignoreNoAi':true},'alignment':'nearest'}",
             "{'x':10,'y':5}") } },
};

/* x and y of a middle are not round. */
static const struct elements_example clicking[] = {
    { "its middle, once it stands still",
      "<button id=a style='position:absolute;left:20px;top:10px;width:40px;height:20px'>x</button>",
      { CALL(aim, AT("#a"), "{'x':40,'y':20}"),
        CALL(steady, "{'alignment':'nearest'}",
             "{'x':40,'y':20,'isHit':false,'area':{'x':20,'y':10,'width':40}}"),
        CALL(hit, "{'x':40,'y':20}", "{}"),
        CALL(arrived, "{}", "{'name':'~#a','isGone':false,'isThere':true,'isFrame':false}"),
        CALL(arrived, "{}", "{}") } },
    { "an offset",
      "<button id=a style='position:absolute;left:20px;top:10px;width:40px;height:20px'>x</button>",
      { CALL(aim, "{" CSS("#a") ",'alignment':'nearest','offset':{'x':3,'y':4}}",
             "{'x':23,'y':14}"),
        CALL(steady, "{'alignment':'nearest','offset':{'x':41,'y':4}}",
             "{'code':'TARGET_NOT_VISIBLE','message':'~cannot be seen at 41,4'}") } },
    { "below the viewport",
      "<div style='height:3000px'></div><button id=a>x</button>",
      { CALL(aim, AT("#a"), NULL), PAGE("if (!scrollY) throw 'not scrolled'") } },
    { "hidden, in each way",
      "<b id=a style='display:none'>x</b><b id=b style='visibility:hidden'>x</b><b id=c></b>",
      { CALL(aim, AT("#a"), "{'code':'TARGET_NOT_VISIBLE','message':'~is not visible'}"),
        CALL(aim, AT("#b"), "{'code':'TARGET_NOT_VISIBLE'}"),
        CALL(aim, AT("#c"), "{'code':'TARGET_NOT_VISIBLE','message':'~is not visible'}") } },
    { "without a box of its own",
      "<div id=a style='display:contents'><div style='width:20px;height:10px'></div></div>",
      { CALL(aim, AT("#a"), "{'x':10,'y':5}") } },
    { "the label that is drawn for it",
      "<input type=checkbox id=a style='opacity:0;width:0;height:0'><label for=a "
      "style='position:absolute;left:100px;top:100px;width:20px;height:20px'>x</label>",
      { CALL(aim, AT("#a"), "{'x':110,'y':110}") } },
    { "covered, and by what",
      "<button id=a style='position:absolute;left:0;top:0'>x</button>"
      "<div id=over style='position:absolute;inset:0'>Cookies</div>",
      { CALL(aim, AT("#a"), NULL),
        CALL(hit, "{'x':5,'y':5}",
             "{'code':'TARGET_OBSCURED','message':'~covered at 5,5 by <div#over>'}") } },
    { "a child of it is it",
      "<button id=a style='position:absolute;left:0;top:0'><b>xxx</b></button>",
      { CALL(aim, AT("#a"), NULL), CALL(hit, "{'x':10,'y':10}", "{}") } },
    { "disabled, in each way",
      "<fieldset disabled><button id=a>x</button></fieldset>"
      "<div aria-disabled=true><button id=b>x</button></div>"
      "<label id=c>l<input disabled></label>",
      { CALL(aim, AT("#a"), "{'code':'TARGET_DISABLED','message':'~is disabled'}"),
        CALL(aim, AT("#b"), "{'code':'TARGET_DISABLED'}"),
        CALL(aim, AT("#c"), "{'code':'TARGET_DISABLED','message':'~is the label of'}") } },
    { "an option of a closed list",
      "<select><option value=1 id=a>one</option></select>",
      { CALL(aim, AT("#a"), "{'code':'INVALID_ACTION','hint':'~select'}") } },
    { "it does not stand still",
      "<style>@keyframes k{to{transform:translateX(500px)}}</style>"
      "<button id=a style='animation:k 1s linear infinite'>x</button>",
      { CALL(aim, AT("#a"), NULL),
        CALL(steady, "{'alignment':'nearest'}",
             "{'code':'TARGET_NOT_VISIBLE','message':'~does not stand still'}") } },
    { "gone when the press came, and what has come in its place",
      "<div id=d><button id=a style='position:absolute;left:0;top:0'>x</button></div>",
      { CALL(aim, AT("#a"), NULL), CALL(hit, "{'x':5,'y':5}", "{}"),
        PAGE("d.innerHTML = d.innerHTML"),
        CALL(arrived, "{}", "{'isGone':true,'isThere':true}") } },
};

static const struct elements_example fields[] = {
    { "a field",
      "<input id=a value=abc>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true,'clear':true}",
             "{'holdsText':true}"),
        PAGE("if (document.activeElement.id !== 'a' || a.selectionEnd !== 3) throw 'no'") } },
    { "a label of it",
      "<label id=a>l<input id=b></label>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}", "{'holdsText':false}"),
        PAGE("if (document.activeElement.id !== 'b') throw 'no'") } },
    { "what takes no text, or not now",
      "<button id=a>x</button><input id=b readonly><p id=c>x</p>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}",
             "{'code':'INVALID_ACTION','message':'~takes no text'}"),
        CALL(focus, "{" CSS("#b") ",'alignment':'nearest','editable':true}",
             "{'code':'TARGET_DISABLED','message':'~is read-only'}"),
        PAGE("b.focus()"),
        CALL(focus, AT("#c"), "{'code':'INVALID_ACTION','message':'~takes no focus'}") } },
    { "what gives the focus away",
      "<input id=a onfocus='this.blur()'><input id=b>",
      { PAGE("b.focus()"),
        CALL(focus, AT("#a"), "{'code':'TARGET_DISABLED','message':'~does not keep it'}") } },
    { "the box around an editor",
      "<div id=a><div contenteditable>x</div></div>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}",
             "{'isToBeClicked':true}") } },
    { "inert, behind a dialog, or covered",
      "<div inert><input id=a></div><input id=b style='pointer-events:none'>"
      "<div style='position:relative;width:9em'><input id=c style='width:100%'><div id=over "
      "style='position:absolute;inset:0'></div></div><dialog id=d>x</dialog>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}",
             "{'code':'TARGET_DISABLED','message':'~is inert'}"),
        CALL(focus, "{" CSS("#b") ",'alignment':'nearest','editable':true}",
             "{'code':'TARGET_DISABLED','message':'~pointer-events is none'}"),
        CALL(focus, "{" CSS("#c") ",'alignment':'nearest','editable':true}",
             "{'code':'TARGET_OBSCURED','message':'~<div#over>'}"),
        PAGE("d.showModal()"),
        CALL(focus, "{" CSS("#b") ",'alignment':'nearest','editable':true}",
             "{'code':'TARGET_OBSCURED','message':'~behind the modal <dialog#d>'}") } },
    { "a line that arrives",
      "<input id=a style='width:300px'>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}", NULL),
        CALL(beforeLine, "{'text':'abc'}", "{'isRoomy':true}"), PAGE("a.value = 'abc'"),
        CALL(afterLine, "{'text':'abc','isLast':true}", "{'hasWaited':true}") } },
    { "a line that does not arrive, or otherwise",
      "<input id=a style='width:300px'>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}", NULL),
        CALL(beforeLine, "{'text':'abc'}", NULL),
        CALL(afterLine, "{'text':'abc','isLast':true}",
             "{'error':'the field did not take the text'}"),
        PAGE("a.value = 'ab'"),
        CALL(afterLine, "{'text':'abc','isLast':true}",
             "{'warning':'~the field made \\u0022ab\\u0022 of the text'}") } },
    { "a date is set as a whole",
      "<input id=a type=date>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}", NULL),
        CALL(beforeLine, "{'text':'tomorrow'}", "{'error':'~is no value for a field'}"),
        CALL(beforeLine, "{'text':'2026-01-31'}", "{'isDone':true}"),
        PAGE("if (a.value !== '2026-01-31') throw 'no'"),
        CALL(afterLine, "{'text':'2026-01-31','isLast':true}", "{'hasWaited':true}") } },
    { "a time in another form",
      "<input id=a type=time>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}", NULL),
        CALL(beforeLine, "{'text':'7:08'}", "{'hint':'write it as 07:08'}"),
        CALL(beforeLine, "{'text':'7:08 pm'}", "{'hint':'write it as 19:08'}"),
        CALL(beforeLine, "{'text':'12:00 am'}", "{'hint':'write it as 00:00'}"),
        CALL(beforeLine, "{'text':'25:00'}", "{'hint':'~in the form'}") } },
    { "a date in another form",
      "<input id=a type=date>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}", NULL),
        CALL(beforeLine, "{'text':'March 11, 2026'}", "{'hint':'write it as 2026-03-11'}"),
        CALL(beforeLine, "{'text':'11/03/2026'}", "{'hint':'~in the form'}") } },
    { "a month in another form",
      "<input id=a type=month>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}", NULL),
        CALL(beforeLine, "{'text':'March 2026'}", "{'hint':'write it as 2026-03'}") } },
    { "a colour in another form",
      "<input id=a type=color>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}", NULL),
        CALL(beforeLine, "{'text':'red'}", "{'hint':'write it as #ff0000'}"),
        CALL(beforeLine, "{'text':'reddish'}", "{'hint':'~in the form'}") } },
    { "a secret",
      "<input id=a type=password value=pass>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}", NULL),
        CALL(beforeLine, "{'text':'x'}", "{'isPrivate':true,'secret':'pass'}") } },
    { "empty, or not",
      "<input id=a>",
      { CALL(focus, "{" CSS("#a") ",'alignment':'nearest','editable':true}", NULL),
        CALL(checkEmpty, "{}", "{}"), CALL(enterEditor, "{}", "{}"), PAGE("a.value = 'x'"),
        CALL(checkEmpty, "{}", "{'error':'~cannot be emptied'}") } },
};

#define LIST                                                                                       \
    "<select id=a><option value=1>One</option><option value=2>Two  two</option>"                   \
    "<option value=3 disabled>Three</option></select>"
#define CHOOSE(by, wanted)                                                                         \
    "{" CSS("#a") ",'alignment':'nearest','choice':{'by':'" by "','wanted':[" wanted "]}}"

static const struct elements_example choices[] = {
    { "by value, label and index",
      LIST,
      { CALL(select, CHOOSE("value", "'2'"), "{'isChanged':true}"),
        CALL(chosen, "{'isHeard':true}",
             "{'said':'\\u0022Two two\\u0022','selected':[{'index':1,'value':'2'}]}") } },
    { "by label", LIST, { CALL(select, CHOOSE("label", "'Two two'"), "{'isChanged':true}") } },
    { "by index, which it is already",
      LIST,
      { CALL(select, CHOOSE("index", "0"), "{'isChanged':false}") } },
    { "what is not there, not to be chosen, too many, or no list",
      LIST "<b id=b>x</b>",
      { CALL(select, CHOOSE("value", "'9'"),
             "{'code':'TARGET_NOT_FOUND','message':'~it has \\u0022One\\u0022'}"),
        CALL(select, CHOOSE("index", "2"), "{'code':'TARGET_DISABLED'}"),
        CALL(select, CHOOSE("index", "0,1"),
             "{'code':'INVALID_ACTION','message':'~takes one option, not 2'}"),
        CALL(select, AT("#a"), "{'code':'INVALID_ACTION','message':'~is no option'}"),
        CALL(select, AT("#b"), "{'code':'INVALID_ACTION','message':'~is no <select>'}") } },
    { "several of a multiple one",
      "<select id=a multiple><option>1</option><option "
      "selected>2</option><option>3</option></select>",
      { CALL(select, CHOOSE("index", "0,2"), "{'isChanged':true}"),
        CALL(chosen, "{}", "{'selected':[{'index':0},{'index':2}]}") } },
    { "the option itself, and what the page undoes",
      "<select id=a><option>1</option><option id=b>2</option></select>",
      { CALL(select, AT("#b"), "{'isChanged':true}"), PAGE("a.selectedIndex = 0"),
        CALL(chosen, "{}",
             "{'code':'UNKNOWN_ERROR','message':'~undid the choice of \\u00222\\u0022'}") } },
    { "checkboxes and what is like them",
      "<input type=checkbox id=a checked><div role=switch id=b aria-checked=false>x</div>"
      "<input type=radio id=c disabled><input id=d>",
      { CALL(checked, ALL("'selector':'#d'"), "{'code':'INVALID_ACTION'}"),
        CALL(checked, "{" CSS("#c") ",'wanted':true}", "{'code':'TARGET_DISABLED'}"),
        CALL(checked, "{" CSS("#a") ",'wanted':true}", "{'checked':true,'isRadio':false}"),
        PAGE("a.checked = false"),
        CALL(checked, "{'wanted':false,'isClicked':true,'isHeard':true}", "{'checked':false}") } },
    { "a switch",
      "<div role=switch id=b aria-checked=true>x</div>",
      { CALL(checked, "{" CSS("#b") ",'wanted':true}", "{'checked':true}") } },
    { "fields for files, and areas",
      "<label id=a>l<input type=file id=b multiple hidden></label><p id=c>x</p><input id=d>"
      "<input type=file disabled id=e>",
      { CALL(files, ALL("'selector':'#d'"), "{'code':'INVALID_ACTION'}"),
        CALL(files, ALL("'selector':'#e'"), "{'code':'TARGET_DISABLED'}"),
        CALL(files, ALL("'selector':'#a'"), "{'isMultiple':true,'isDirectory':false}"),
        PAGE("setTimeout(() => b.dispatchEvent(new Event('change')), 50)"),
        CALL(filesTaken, "{}", "{'count':0,'isTaken':true}") } },
    { "an area", "<p id=c>x</p>", { CALL(files, ALL("'selector':'#c'"), "{'isArea':true}") } },
};

static const struct elements_example places[] = {
    { "a box, of what is cut off, and the scroll undone",
      "<div id=s style='height:50px;overflow:hidden;width:100px'><div style='height:500px'></div>"
      "<p id=a style='margin:0;height:20px'>x</p></div>",
      { CALL(box, ALL("'selector':'#a'"), "{'isScrolled':true,'y':30,'height':20}"),
        PAGE("if (!s.scrollTop) throw 'no'"), CALL(restore, "{}", NULL),
        PAGE("if (s.scrollTop) throw 'no'") } },
    { "a box that is not seen",
      "<p id=a hidden>x</p>",
      { CALL(box, ALL("'selector':'#a'"), "{'code':'TARGET_NOT_VISIBLE'}") } },
    { "the page, and its end",
      "<div style='height:1000px'></div>",
      { CALL(scroll, "{'query':{'nth':-1},'delta':true,'x':0,'y':100}",
             "{'moved':100,'y':100,'atEnd':false,'isStuck':false,'name':'the page'}"),
        CALL(scroll, "{'delta':false,'x':0,'y':9999}", "{'y':400,'atEnd':true}") } },
    { "an element",
      "<div id=a style='height:50px;width:50px;overflow:auto'><div "
      "style='height:500px'></div></div>",
      { CALL(scroll, "{" CSS("#a") ",'delta':true,'x':0,'y':20}",
             "{'moved':20,'y':20,'isStuck':false,'name':'~#a'}"),
        CALL(scroll, "{'delta':true,'x':20,'y':0}", "{'moved':0,'isStuck':true}") } },
    { "into view",
      "<div style='height:3000px'></div><p id=a>x</p>",
      { CALL(scroll, "{" CSS("#a") ",'intoView':true,'x':0,'y':0}", NULL),
        PAGE("if (a.getBoundingClientRect().top > 600) throw 'no'") } },
    { "a frame in its document",
      "<div style='position:absolute;left:100px;top:50px'><iframe id=a style='border:5px solid;"
      "padding:3px;width:200px;height:100px'></iframe></div>",
      { { script_framePoint, "{'x':10,'y':20}", "{'x':118,'y':78,'scale':1}", "#a" },
        { script_frameSize, "{}", "{'width':200,'height':100}", "#a" },
        { script_frameInput, "{'x':10,'y':20}", "{'x':118,'y':78}", "#a" },
        { script_framePolicy, "{}", "{'isLeftOut':false}", "#a" },
        CALL(frame, ALL("'selector':'#a'"), "{}") } },
    { "a frame that is scaled, covered, and kept from models",
      "<div data-no-ai style='position:absolute;left:0;top:0;transform:scale(2);transform-origin:0 "
      "0'><iframe id=a style='border:0;width:100px;height:100px'></iframe></div>"
      "<div id=over style='position:absolute;left:0;top:0;width:50px;height:50px'></div><p id=b>",
      { { script_framePoint, "{'x':10,'y':20}", "{'x':20,'y':40,'scale':2}", "#a" },
        { script_frameInput, "{'x':10,'y':20}",
          "{'code':'TARGET_OBSCURED','message':'~covered at 20,40 by <div#over>'}", "#a" },
        { script_framePolicy, "{}", "{'isLeftOut':true}", "#a" },
        CALL(frame, ALL("'selector':'#b'"),
             "{'code':'TARGET_NOT_FOUND','message':'~is no frame'}") } },
};

#define PLAY(examples)                                                                             \
    for (size_t i = 0; i < sizeof(examples) / sizeof((examples)[0]); i++) {                        \
        elements_play(*state, &(examples)[i]);                                                     \
    }

static void test_elements_are_found(void **state)
{
    PLAY(finding)
}

static void test_elements_are_clicked_where_they_can_be(void **state)
{
    PLAY(clicking)
}

static void test_fields_take_the_focus_and_text(void **state)
{
    PLAY(fields)
}

static void test_controls_are_chosen_and_checked(void **state)
{
    PLAY(choices)
}

static void test_places_are_known(void **state)
{
    PLAY(places)
}

/* A new document of the same page has a world of its own, and the library with it. */
static void test_element_of_a_document_that_has_gone_is_not_found(void **state)
{
    struct elements_rig *rig = *state;
    struct br_error err = { 0 };
    json_auto_t *answer = NULL;
    CLEANUP_ELEMENT struct element element = { 0 };
    const struct elements_step keep = { script_keep, ALL("'selector':'#a'"), NULL, NULL };
    page_set_deadline(rig->page, deadline_in_ms(ELEMENTS_ANSWER_MS));
    elements_show(rig->page, "<p id=a>x</p>");
    json_decref(elements_call(rig->page, &keep, &element));
    assert_non_null(element.object_id);
    assert_int_not_equal(element.backend_id, 0);
    elements_evaluate(rig->page,
                      "location = 'about:blank?second'; new Promise(() => setTimeout(() => {}))"
                      ".constructor.resolve()");
    for (int i = 0; i < 100 && element_call(rig->page, &element, script_hit,
                                            elements_parse("{'x':1,'y':1}"), &answer, &err);
         i++) {
        json_decref(TAKE(answer));
    }
    assert_int_equal(err.code, BR_TARGET_NOT_FOUND);
    element_finish(&element);
    elements_show(rig->page, "<p id=a>x</p>");
    json_decref(elements_call(rig->page, &keep, &element));
    assert_non_null(element.object_id);
}

/* The mouse is sent to the element while that is waited for: no further call has to look for it. */
static void test_mouse_that_comes_meanwhile_is_seen(void **state)
{
    struct elements_rig *rig = *state;
    struct page *page = rig->page;
    struct br_error err = { 0 };
    json_auto_t *answer = NULL;
    CLEANUP_ELEMENT struct element element = { 0 };
    const struct elements_step aim = CALL(aim, AT("#a"), NULL);
    page_set_deadline(page, deadline_in_ms(ELEMENTS_ANSWER_MS));
    elements_show(page, "<button id=a style='position:absolute;left:200px;top:200px;width:40px;"
                        "height:20px'>x</button>");
    json_decref(elements_call(page, &aim, &element));
    /* A frame may be drawn before the mouse has come. */
    for (int i = 0; i < 10 && !json_member_bool(answer, "isHit", false); i++) {
        json_decref(TAKE(answer));
        json_t *there = elements_parse("{'alignment':'nearest','x':220,'y':210}");
        json_t *move = elements_parse("{'type':'mouseMoved','x':220,'y':210}");
        int64_t id = element_send(page, &element, script_steady, there, &err);
        assert_true(page_command(page, "Input.dispatchMouseEvent", move, NULL, &err));
        assert_true(element_receive(page, id, &answer, &err));
    }
    assert_true(json_member_bool(answer, "isHit", false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements_are_found),
        cmocka_unit_test(test_elements_are_clicked_where_they_can_be),
        cmocka_unit_test(test_fields_take_the_focus_and_text),
        cmocka_unit_test(test_controls_are_chosen_and_checked),
        cmocka_unit_test(test_places_are_known),
        cmocka_unit_test(test_mouse_that_comes_meanwhile_is_seen),
        cmocka_unit_test(test_element_of_a_document_that_has_gone_is_not_found),
    };
    return cmocka_run_group_tests(tests, elements_rig_open, elements_rig_close);
}
