/* The words after `act`. */
#include "runner/cli/act_words.h"

#include "runner/actions/actions.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/cli/act_element.h"
#include "runner/cli/act_param.h"
#include "runner/cli/act_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { MAX_WORDS = 32 };

/* Splits a shell line into words at blanks, with quotes of both kinds. */
struct line {
    char *text;
    char *words[MAX_WORDS];
    int count;
};

static struct line line_split(const char *text)
{
    struct line line = { .text = xstrdup(text) };
    char *to = line.text;
    char *from = line.text;
    while (*from) {
        from += strspn(from, " ");
        line.words[line.count++] = to;
        char quote = '\0';
        while (*from && (quote || *from != ' ')) {
            if (quote ? *from == quote : (*from == '"' || *from == '\'')) {
                quote = quote ? '\0' : *from;
                from++;
            } else {
                *to++ = *from++;
            }
        }
        from += *from == ' ';
        *to++ = '\0';
    }
    return line;
}

static json_t *read_words(int count, const char *const *words, struct br_error *err)
{
    char *copies[MAX_WORDS];
    memcpy(copies, words, (size_t)count * sizeof(*words));
    return act_words_read(count, copies, "/", err);
}

static json_t *read_line(const char *text, struct br_error *err)
{
    struct line line = line_split(text);
    json_t *instruction = act_words_read(line.count, line.words, "/home/zoe", err);
    free(line.text);
    return instruction;
}

static void assert_valid(const json_t *instruction, const char *what)
{
    struct br_error err = { 0 };
    CLEANUP_FREE char *text = json_dumps(instruction, JSON_COMPACT);
    struct br_action *action = br_action_from_json(text, strlen(text), &err);
    if (!action) {
        fail_msg("%s: %s: %s", what, text, err.message);
    }
    br_action_destroy(action);
}

static void test_instructions(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *json;
    } cases[] = {
        /* Naming elements. */
        { "click e12", "{'type':'click','element':'e12'}" },
        { "click '#go'", "{'type':'click','element':'#go'}" },
        { "click 'ul > li.item:nth-child(2)'",
          "{'type':'click','element':'ul > li.item:nth-child(2)'}" },
        { "click 'a[href=\"/x y\"]'", "{'type':'click','element':'a[href=\\\"/x y\\\"]'}" },
        { "click css=button", "{'type':'click','element':'css=button'}" },
        { "click 'text=#1 fan'", "{'type':'click','element':'text=#1 fan'}" },
        { "click 10,20.5", "{'type':'click','element':'10,20.5'}" },
        { "click -- --go", "{'type':'click','element':'--go'}" },
        { "click 'Log out: now'", "{'type':'click','element':'Log out: now'}" },
        { "click button 'Sign in'", "{'type':'click','role':'button','name':'Sign in'}" },
        { "click button", "{'type':'click','element':'button'}" },
        { "click h1", "{'type':'click','element':'h1'}" },
        { "click main.js", "{'type':'click','element':'main.js'}" },
        { "click --selector '#go'", "{'type':'click','selector':'#go'}" },
        { "click --role button --name Go", "{'type':'click','role':'button','name':'Go'}" },
        { "click 'text=Go' --nth 1 --frame checkout",
          "{'type':'click','nth':1,'frame':'checkout','element':'text=Go'}" },
        { "focus '#email'", "{'type':'focus','element':'#email'}" },
        /* Filling fields. */
        { "type '#email' a@b.c", "{'type':'type','text':'a@b.c','element':'#email'}" },
        { "type hello", "{'type':'type','text':'hello'}" },
        { "type '#email' '' --clear", "{'type':'type','clear':true,'text':'','element':'#email'}" },
        { "type --selector '#email' 12", "{'type':'type','selector':'#email','text':'12'}" },
        { "type '#email' --text 007 --clear",
          "{'type':'type','text':'007','clear':true,'element':'#email'}" },
        { "type '#a' --clear true x", "{'type':'type','clear':true,'text':'x','element':'#a'}" },
        { "type searchbox Search cats --pressEnter",
          "{'type':'type','pressEnter':true,'text':'cats','role':'searchbox','name':'Search'}" },
        { "type Email a@b.c", "{'type':'type','text':'a@b.c','element':'Email'}" },
        { "press Enter", "{'type':'press','key':'Enter'}" },
        { "press '#email' Control+A", "{'type':'press','key':'Control+A','element':'#email'}" },
        { "select '#size' L", "{'type':'select','element':'#size','option':'L'}" },
        { "select Size Large", "{'type':'select','element':'Size','option':'Large'}" },
        { "select listbox Size L",
          "{'type':'select','role':'listbox','name':'Size','option':'L'}" },
        { "check 'I agree'", "{'type':'check','element':'I agree'}" },
        { "press Email Enter", "{'type':'press','key':'Enter','element':'Email'}" },
        { "select '#size' --index 2", "{'type':'select','index':2,'element':'#size'}" },
        { "select '#size' --value a --value b",
          "{'type':'select','value':['a','b'],'element':'#size'}" },
        { "check '#terms' --no-checked", "{'type':'check','checked':false,'element':'#terms'}" },
        { "uncheck '#terms'", "{'type':'check','checked':false,'element':'#terms'}" },
        { "upload '#file' a.png /b.png ../c.png",
          "{'type':'upload','files':['/home/zoe/a.png','/b.png','/home/zoe/../c.png'],"
          "'element':'#file'}" },
        { "upload a.png", "{'type':'upload','files':['/home/zoe/a.png']}" },
        { "upload --files '[\"a\",\"[b]\"]'",
          "{'type':'upload','files':['/home/zoe/a','/home/zoe/[b]']}" },
        { "upload --files '[1].png'", "{'type':'upload','files':['/home/zoe/[1].png']}" },
        { "drag '#a' '#b'", "{'type':'drag','to':{'element':'#b'},'element':'#a'}" },
        { "drag 1,2 listitem Done",
          "{'type':'drag','to':{'role':'listitem','name':'Done'},'element':'1,2'}" },
        { "drag '#a' --to.text Basket --to.position 5,6",
          "{'type':'drag','to':{'text':'Basket','position':{'x':5,'y':6}},'element':'#a'}" },
        { "drag '#a' --to Basket", "{'type':'drag','to':{'element':'Basket'},'element':'#a'}" },
        /* Navigation. */
        { "navigate example.org", "{'type':'navigate','url':'https://example.org'}" },
        { "open localhost:3000/x?y", "{'type':'navigate','url':'http://localhost:3000/x?y'}" },
        { "open app.localhost", "{'type':'navigate','url':'http://app.localhost'}" },
        { "open 127.0.0.1:8080", "{'type':'navigate','url':'http://127.0.0.1:8080'}" },
        { "open [::1]:8080/", "{'type':'navigate','url':'http://[::1]:8080/'}" },
        { "open example.org:8443", "{'type':'navigate','url':'https://example.org:8443'}" },
        { "open about:blank", "{'type':'navigate','url':'about:blank'}" },
        { "open data:text/html,1", "{'type':'navigate','url':'data:text/html,1'}" },
        { "open http://a/ --waitUntil networkidle0",
          "{'type':'navigate','waitUntil':'networkidle0','url':'http://a/'}" },
        { "open --url a.org", "{'type':'navigate','url':'https://a.org'}" },
        { "back", "{'type':'back'}" },
        /* Waiting and scrolling. */
        { "wait 500", "{'type':'wait','ms':500}" },
        { "wait 500ms", "{'type':'wait','ms':500}" },
        { "wait 5s", "{'type':'wait','ms':5000}" },
        { "wait 0.5s", "{'type':'wait','ms':500}" },
        { "scroll 300", "{'type':'scroll','x':0,'y':300}" },
        /* Words of other tools. */
        { "fill Email a@b.c", "{'type':'type','clear':true,'element':'Email','text':'a@b.c'}" },
        { "console", "{'type':'logs'}" },
        { "errors --since 3", "{'type':'logs','minLevel':4,'since':3}" },
        { "network requests --failed", "{'type':'network','failed':true}" },
        { "title", "{'type':'evaluate','expression':'document.title'}" },
        { "get url", "{'type':'evaluate','expression':'location.href'}" },
        { "get text h1", "{'type':'content','element':'h1'}" },
        { "get value '#email'", "{'type':'inspect','element':'#email'}" },
        { "find Save", "{'type':'snapshot','find':'Save'}" },
        { "resize 375 812", "{'type':'emulate','viewport':{'width':375,'height':812}}" },
        { "emulate --viewport 375x800",
          "{'type':'emulate','viewport':{'width':375,'height':800}}" },
        { "wait '#done'", "{'type':'wait','element':'#done'}" },
        { "wait h1", "{'type':'wait','selector':'h1'}" },
        { "wait 'text=Thank you'", "{'type':'wait','text':'Thank you'}" },
        { "wait 'Thank you'", "{'type':'wait','text':'Thank you'}" },
        { "wait https://a/b", "{'type':'wait','url':'https://a/b'}" },
        { "wait heading Done", "{'type':'wait','role':'heading','name':'Done'}" },
        { "wait --network-idle", "{'type':'wait','networkIdle':true}" },
        { "wait '#a' --state hidden", "{'type':'wait','state':'hidden','element':'#a'}" },
        { "scroll", "{'type':'scroll'}" },
        { "scroll up", "{'type':'scroll','direction':'up'}" },
        { "scroll '#list' down", "{'type':'scroll','direction':'down','element':'#list'}" },
        { "scroll main down", "{'type':'scroll','direction':'down','element':'main'}" },
        { "scroll 0,-500", "{'type':'scroll','x':0,'y':-500}" },
        { "wheel '#map' -100", "{'type':'wheel','deltaY':-100,'element':'#map'}" },
        /* Other actions. */
        { "tab", "{'type':'tab','op':'list'}" },
        { "tab 2", "{'type':'tab','op':'activate','id':2}" },
        { "tab new a.org", "{'type':'tab','op':'new','url':'https://a.org'}" },
        { "tab close 3", "{'type':'tab','op':'close','id':3}" },
        { "tab adopt */x", "{'type':'tab','op':'adopt','tab':'*/x'}" },
        { "dialog accept 5", "{'type':'dialog','accept':true,'promptText':'5'}" },
        { "dialog dismiss", "{'type':'dialog','accept':false}" },
        { "dialog --no-accept", "{'type':'dialog','accept':false}" },
        { "emulate iphone", "{'type':'emulate','preset':'iphone'}" },
        { "emulate 390x844", "{'type':'emulate','viewport':{'width':390,'height':844}}" },
        { "emulate --viewport.width 300 --viewport.height=200 --viewport.mobile",
          "{'type':'emulate','viewport':{'width':300,'height':200,'mobile':true}}" },
        { "emulate --viewport '{\"width\":3,\"height\":2}'",
          "{'type':'emulate','viewport':{'width':3,'height':2}}" },
        { "emulate --headers.X-A 1 --headers.x.y=z",
          "{'type':'emulate','headers':{'X-A':'1','x.y':'z'}}" },
        { "emulate --clock true", "{'type':'emulate','clock':true}" },
        { "emulate --clock.time 2026-01-01T00:00:00Z --clock.seed 2",
          "{'type':'emulate','clock':{'time':'2026-01-01T00:00:00Z','seed':2}}" },
        { "emulate --route '{\"url\":\"*\",\"action\":\"fulfill\",\"bodyFile\":\"b\"}'",
          "{'type':'emulate','route':[{'url':'*','action':'fulfill','bodyFile':'/home/zoe/b'}]}" },
        { "cookies", "{'type':'cookies','op':'get'}" },
        { "cookies set a 1", "{'type':'cookies','op':'set','name':'a','value':'1'}" },
        { "cookies save s.json", "{'type':'cookies','op':'save','file':'/home/zoe/s.json'}" },
        { "storage get a --area session",
          "{'type':'storage','area':'session','op':'get','name':'a'}" },
        { "shot", "{'type':'screenshot'}" },
        { "shot --full-page --max-edge 0 --hide .a --hide '[b]'",
          "{'type':'screenshot','fullPage':true,'maxEdge':0,'hide':['.a','[b]']}" },
        { "shot --clip 0,0,10,20",
          "{'type':'screenshot','clip':{'x':0,'y':0,'width':10,'height':20}}" },
        { "snapshot", "{'type':'snapshot'}" },
        { "snapshot '#main' --max-tokens 500",
          "{'type':'snapshot','maxTokens':500,'element':'#main'}" },
        { "snapshot 'Sign in'", "{'type':'snapshot','find':'Sign in'}" },
        { "snapshot form Login", "{'type':'snapshot','role':'form','name':'Login'}" },
        { "snapshot e3 Save", NULL },
        { "snapshot --node e3 Save", "{'type':'snapshot','node':'e3','find':'Save'}" },
        { "eval document.title", "{'type':'evaluate','expression':'document.title'}" },
        { "eval '({a: 1})'", "{'type':'evaluate','expression':'({a: 1})'}" },
        { "eval 12", "{'type':'evaluate','expression':'12'}" },
        { "logs error", "{'type':'logs','minLevel':4}" },
        { "logs timeout", "{'type':'logs','contains':'timeout'}" },
        { "logs --types error --types warning", "{'type':'logs','types':['error','warning']}" },
        { "network --failed", "{'type':'network','failed':true}" },
        { "network --failed=false --status 4 --status 5",
          "{'type':'network','failed':false,'status':[4,5]}" },
        { "network 12", "{'type':'network','id':12}" },
        { "network /api/", "{'type':'network','url':'/api/'}" },
        { "back --timeout 100 --retry-options.max-retries 0 --log-filter.min-level=3",
          "{'type':'back','timeout':100,'retryOptions':{'maxRetries':0},"
          "'logFilter':{'minLevel':3}}" },
        { "diagnose --steps '[{\"action\":{\"type\":\"upload\",\"files\":[\"a\"]}}]'",
          "{'type':'diagnose','steps':[{'action':{'type':'upload','files':['/home/zoe/a']}}]}" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct br_error err = { 0 };
        json_auto_t *instruction = read_line(cases[i].line, &err);
        if (!cases[i].json) {
            assert_null(instruction);
            continue;
        }
        if (!instruction) {
            fail_msg("%s: %s; %s", cases[i].line, err.message, err.hint);
        }
        CLEANUP_FREE char *wanted = xstrdup(cases[i].json);
        for (char *c = wanted; *c; c++) {
            *c = *c == '\'' ? '"' : *c;
        }
        json_auto_t *expected = json_loads(wanted, 0, NULL);
        assert_non_null(expected);
        if (!json_equal(instruction, expected)) {
            CLEANUP_FREE char *text = json_dumps(instruction, JSON_COMPACT);
            fail_msg("%s: %s, not %s", cases[i].line, text, wanted);
        }
        assert_valid(instruction, cases[i].line);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *message, *hint; /* parts of the error */
    } cases[] = {
        { "''", "unknown action type \"\"", "" },
        { "clik '#a'", "unknown action type \"clik\"", "\"click\"" },
        { "input '#a' b", "unknown action type \"input\"", "\"type\"" },
        { "press Tab Tab", "press takes one key", "once for each key" },
        { "wait 0.5", "unclear", "0.5s" },
        { "click '\xC3'", "word 2 after act is not UTF-8", "" },
        { "--json", "unknown action type \"--json\"", "" },
        { "click", "needs a node", "usage: browser-runner act click ELEMENT" },
        { "click ''", "element: is empty", "" },
        { "click //button[2]", "XPath", "role=button" },
        { "click 'a >> nth=1'", ">>", "'a' with nth 1" },
        { "click '200 300'", "no element", "200,300" },
        { "click 200 300", "unexpected word", "200,300" },
        { "click 'button:has-text(\"Go\")'", "asks CSS for a text", "only the text, Go" },
        { "click a b c", "unexpected word \"b\"", "usage: browser-runner act click ELEMENT" },
        { "click '#a' '#b'", "unexpected word \"#b\"", "usage" },
        { "click '#a' --ful", "click has no parameter --ful", "help actions click" },
        { "shot --ful-page", "screenshot has no parameter --ful-page",
          "did you mean --full-page?" },
        { "click --xpath //a", "click has no parameter --xpath", "did you mean --text?" },
        { "click --css a", "click has no parameter --css", "did you mean --selector?" },
        { "click --", "needs a node", "usage" },
        { "click '#a' --nth", "--nth needs a value after it", "--nth" },
        { "click '#a' --nth one", "click.nth: takes a number", "" },
        { "click '#a' --nth 1.5", "click.nth", "" },
        { "click '#a' --nth 0x10", "click.nth: takes a number", "" },
        { "click '#a' --nth nan", "click.nth: takes a number", "" },
        { "click '#a' --nth 1 --nth 2", "--nth is given twice", "" },
        { "click '#a' --button lft", "\"lft\" is none of left", "\"left\"" },
        { "click '#a' --no-button", "click has no parameter --no-button", "" },
        { "click '#a' --no-debug=true", "--no-debug takes no value", "" },
        { "click '#a' --debug=maybe", "click.debug: takes true or false", "" },
        { "click '#a' --modifiers '[\"Shift\"'", "--modifiers:", "write it as" },
        { "click '#a' --position 5", "click.position", "" },
        { "click '#a' --position.z 5", "click has no parameter --position.z", "" },
        { "click '#a' --position {}", "click.position", "" },
        { "click '#a' --nth.x 5", "click has no parameter --nth.x", "" },
        { "click '#a' --. 5", "click has no parameter --.", "" },
        { "click '#a' --=5", "click has no parameter --", "" },
        { "click '#a' --to.text x", "click has no parameter --to.text", "" },
        { "click 'not.a.tag b' --selector x --text y", "unexpected word \"not.a.tag b\"", "" },
        { "navigate", "needs a \"url\"", "" },
        { "navigate /index.html", "is no absolute", "" },
        { "navigate javascript:alert(1)", "is no absolute", "" },
        { "type", "needs a \"text\"", "" },
        { "type '#a'  --text x y", "unexpected word \"y\"", "usage" },
        { "press Entr", "\"Entr\" is no key", "" },
        { "wait", "takes one of", "usage: browser-runner act wait MILLISECONDS" },
        { "wait 5 6", "unexpected word \"6\"", "usage" },
        { "wait 99999999999", "wait.ms", "" },
        { "click 1e300,-1e300 x", "unexpected word \"x\"", "" },
        { "scroll '#a' '#b'", "unexpected word \"#b\"", "usage" },
        { "scroll up down", "given twice", "" },
        { "tab foo", "\"foo\" is none of", "" },
        { "tab close x", "tab.id: takes a number", "" },
        { "dialog maybe", "accept or dismiss, not \"maybe\"", "usage" },
        { "dialog dismiss x", "promptText", "" },
        { "emulate nokia", "\"nokia\" is none of", "" },
        { "emulate 0x0", "emulate.viewport", "" },
        { "emulate --viewport.width 3", "emulate.viewport: needs a \"height\"", "" },
        { "emulate --viewport.width 3 --viewport 4", "given twice", "" },
        { "emulate --network 3", "emulate.network", "" },
        { "emulate --network 3 --network.latency 4", "network is given twice", "" },
        { "cookies get a b", "is for op \"set\"", "" },
        { "eval a b", "unexpected word \"b\"", "usage" },
        { "back x", "unexpected word \"x\"", "usage: browser-runner act back [" },
        { "diagnose x", "unexpected word \"x\"", "usage: browser-runner act diagnose [" },
        { "diagnose --steps '[1'", "--steps:", "" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct br_error err = { 0 };
        json_auto_t *instruction = read_line(cases[i].line, &err);
        if (instruction || !strstr(err.message, cases[i].message) ||
            !strstr(err.hint, cases[i].hint)) {
            CLEANUP_FREE char *text = json_dumps(instruction, JSON_COMPACT);
            fail_msg("%s: %s %s; %s", cases[i].line, text ? text : "", err.message, err.hint);
        }
        assert_int_equal(err.code, BR_INVALID_ACTION);
    }
    struct br_error err = { 0 };
    assert_null(act_words_read(0, NULL, "/", &err));
    assert_int_equal(err.code, BR_INVALID_ACTION);
}

static void test_selectors(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        enum act_selector selector;
    } cases[] = {
        { "#go", ACT_SELECTOR },
        { ".item", ACT_SELECTOR },
        { ".md\\:flex", ACT_SELECTOR },
        { "[data-x=\"a ] b\"]", ACT_SELECTOR },
        { "[disabled]", ACT_SELECTOR },
        { "* > .a", ACT_SELECTOR },
        { "input[name=q]", ACT_SELECTOR },
        { "form #a, form #b", ACT_SELECTOR },
        { "a:not(.x)", ACT_SELECTOR },
        { "my-app::part(x)", ACT_SELECTOR },
        { "button:hover", ACT_LIKE_SELECTOR },
        { "main.js", ACT_LIKE_SELECTOR },
        { "ul > li", ACT_LIKE_SELECTOR },
        { "button", ACT_NO_SELECTOR },
        { "ul li", ACT_NO_SELECTOR },
        { "Sign in", ACT_NO_SELECTOR },
        { "Log out: now", ACT_NO_SELECTOR },
        { "Home > Products", ACT_NO_SELECTOR },
        { "Next >", ACT_NO_SELECTOR },
        { "> x", ACT_NO_SELECTOR },
        { "a + b = c", ACT_NO_SELECTOR },
        { "#1", ACT_NO_SELECTOR },
        { "#", ACT_NO_SELECTOR },
        { ".5", ACT_NO_SELECTOR },
        { "...", ACT_NO_SELECTOR },
        { "Save.", ACT_NO_SELECTOR },
        { "[x", ACT_NO_SELECTOR },
        { "[ ]", ACT_NO_SELECTOR },
        { "[Draft] Report", ACT_NO_SELECTOR },
        { "Total: 5", ACT_NO_SELECTOR },
        { "label:Email", ACT_NO_SELECTOR },
        { "a:not(", ACT_NO_SELECTOR },
        { "a.", ACT_NO_SELECTOR },
        { "a\\", ACT_NO_SELECTOR },
        { "#a\\", ACT_NO_SELECTOR },
        { "#a ", ACT_SELECTOR },
        { "#a >", ACT_NO_SELECTOR },
        { "", ACT_NO_SELECTOR },
        { "\xFF\xFE", ACT_NO_SELECTOR },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (act_element_selector(cases[i].word) != cases[i].selector) {
            fail_msg("\"%s\" is %d", cases[i].word, act_element_selector(cases[i].word));
        }
    }
}

/* Bytes that are not UTF-8 do no harm. */
static void test_hostile_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "a\"] , [b",
        "a\\",
        "\\\"",
        "\n\t\x01",
        "\xC3",
        "\xF0\x9F",
        "\x9B[2J",
        "e",
        "e99999999999999999999999999",
        "1e999,1",
        "1,",
        ",",
        "text=",
        "css=",
        "((((((((((((((((((((((",
        "[[[[[[[[[[[[[[[[[[[[[[",
        "-",
        "--",
        "..............",
        "%s%n%d",
    };
    for (size_t i = 0; i < COUNT(names); i++) {
        for (size_t row = 0; act_row_at(row); row++) {
            struct br_error err = { 0 };
            const char *const words[] = { act_row_at(row)->type, names[i], names[i] };
            for (int count = 2; count <= 3; count++) {
                json_auto_t *instruction = read_words(count, words, &err);
                assert_true(instruction || err.code == BR_INVALID_ACTION);
                if (instruction) {
                    assert_valid(instruction, names[i]);
                }
            }
        }
    }
}

/*
 * Each option of each type is either rejected or accepted: names of all lengths, nested, unclosed.
 */
static void test_hostile_options(void **state)
{
    (void)state;
    char long_name[300] = "--";
    memset(long_name + 2, 'a', sizeof(long_name) - 3);
    const char *const options[] = {
        long_name,        "--....", "--to....x",     "--headers.", "--headers.=", "--steps[0].x",
        "--viewport.x.y", "--no-",  "--no-no-debug", "---",        "--\xFF",      "--clock.time.x"
    };
    for (size_t i = 0; i < COUNT(options); i++) {
        for (size_t type = 0; action_types[type]; type++) {
            struct br_error err = { 0 };
            const char *const words[] = { action_types[type]->name, options[i], "x" };
            json_auto_t *instruction = read_words(3, words, &err);
            assert_null(instruction);
            assert_int_equal(err.code, BR_INVALID_ACTION);
        }
    }
}

static void test_examples_are_valid(void **state)
{
    (void)state;
    bool has_type[64] = { false };
    size_t count = 0;
    for (; act_words_example(count); count++) {
        struct br_error err = { 0 };
        const char *example = act_words_example(count);
        json_auto_t *instruction = read_line(example, &err);
        if (!instruction) {
            fail_msg("%s: %s", example, err.message);
        }
        assert_valid(instruction, example);
        const char *name = json_member_string(instruction, "type");
        for (size_t type = 0; action_types[type]; type++) {
            has_type[type] |= strcmp(action_types[type]->name, name) == 0;
        }
    }
    assert_in_range(count, 30, 200);
    for (size_t type = 0; action_types[type]; type++) {
        bool has_words = strcmp(action_types[type]->name, "diagnose") != 0;
        assert_int_equal(has_type[type], has_words);
    }
}

/* The parameters named in the table exist, and each is set by a word where possible. */
static void test_table_names_parameters(void **state)
{
    (void)state;
    for (size_t i = 0; act_row_at(i); i++) {
        const struct act_row *row = act_row_at(i);
        const struct action_type *type = action_type_find(row->type);
        assert_non_null(type);
        if (row->usual_name) {
            assert_non_null(action_type_param(type, row->usual_name));
        }
        for (const struct act_slot *slot = row->slots; slot->kind; slot++) {
            CLEANUP_FREE char *names = xstrdup(slot->params ? slot->params : "");
            for (char *name = names; *name;) {
                size_t length = strcspn(name, " ");
                char *next = name + length + strspn(name + length, " ");
                name[length] = '\0';
                assert_non_null(action_type_param(type, name));
                name = next;
            }
        }
    }
}

static void test_usage_has_all(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    act_words_usage(file);
    fclose(file);
    for (size_t i = 0; act_words_example(i); i++) {
        assert_non_null(strstr(text, act_words_example(i)));
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_selectors),
        cmocka_unit_test(test_hostile_names),
        cmocka_unit_test(test_hostile_options),
        cmocka_unit_test(test_examples_are_valid),
        cmocka_unit_test(test_table_names_parameters),
        cmocka_unit_test(test_usage_has_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
