#include "runner/cli/act_table.h"

#include <string.h>

#define EXAMPLES(...)                                                                              \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static const struct act_row rows[] = {
    { .type = "start",
      .usage = "URL",
      .slots = { { ACT_PLAIN, false, "url" } },
      .examples = EXAMPLES("start localhost:3000") },
    { .type = "navigate",
      .usage = "URL",
      .slots = { { ACT_PLAIN, false, "url" } },
      .examples = EXAMPLES("navigate example.org", "open localhost:3000/login") },
    { .type = "back", .usage = "", .examples = EXAMPLES("back") },
    { .type = "forward", .usage = "", .examples = EXAMPLES("forward") },
    { .type = "reload", .usage = "", .examples = EXAMPLES("reload --wait-until networkidle0") },
    { .type = "click",
      .usage = "ELEMENT",
      .slots = { { .kind = ACT_ELEMENT } },
      .examples = EXAMPLES("click \"Sign in\"", "click button \"Sign in\"", "click e12",
                           "click \"#go\" --click-count 2", "click 100,200") },
    { .type = "hover",
      .usage = "ELEMENT",
      .slots = { { .kind = ACT_ELEMENT } },
      .examples = EXAMPLES("hover \"Products\"") },
    { .type = "focus",
      .usage = "ELEMENT",
      .slots = { { .kind = ACT_ELEMENT } },
      .examples = EXAMPLES("focus \"#email\"") },
    { .type = "drag",
      .usage = "ELEMENT ELEMENT",
      .slots = { { .kind = ACT_ELEMENT }, { ACT_TO, false, "to" } },
      .examples =
          EXAMPLES("drag \"#card\" \"#done\"", "drag e3 --to.text Basket", "drag 50,40 80,40") },
    { .type = "type",
      .usage = "[ELEMENT] TEXT",
      .slots = { { .kind = ACT_ELEMENT, .is_optional = true }, { ACT_PLAIN, false, "text" } },
      .examples = EXAMPLES("type \"#email\" a@b.c", "type \"Email\" a@b.c --clear",
                           "type e7 hello --press-enter", "type hello") },
    { .type = "press",
      .usage = "[ELEMENT] KEY",
      .slots = { { .kind = ACT_ELEMENT, .is_optional = true }, { ACT_PLAIN, false, "key" } },
      .examples = EXAMPLES("press Enter", "press \"#email\" Control+A") },
    { .type = "select",
      .usage = "ELEMENT OPTION",
      .slots = { { .kind = ACT_ELEMENT }, { ACT_PLAIN, false, "option label value index" } },
      .examples =
          EXAMPLES("select \"#size\" L", "select \"Size\" Large", "select \"#size\" --index 2") },
    { .type = "check",
      .usage = "ELEMENT",
      .slots = { { .kind = ACT_ELEMENT } },
      .examples = EXAMPLES("check \"I agree\"", "uncheck \"#news\"") },
    { .type = "fill",
      .usage = "[JSON]",
      .slots = { { ACT_PLAIN, true, "fields" } },
      .examples = EXAMPLES("fill --fields.email a@b.c --fields.newsletter true --submit",
                           "fill '{\"email\": \"a@b.c\", \"size\": \"L\"}'") },
    { .type = "upload",
      .usage = "[ELEMENT] FILE...",
      .slots = { { .kind = ACT_ELEMENT, .is_optional = true }, { ACT_REST, false, "files" } },
      .examples = EXAMPLES("upload \"#file\" a.png", "upload a.png") },
    { .type = "scroll",
      .usage = "[ELEMENT] [down|up|left|right|X,Y]",
      .slots = { { .kind = ACT_SCROLL, .is_optional = true },
                 { .kind = ACT_SCROLL, .is_optional = true } },
      .examples = EXAMPLES("scroll down", "scroll \"#end\"", "scroll \"#list\" down",
                           "scroll 0,0 --mode absolute") },
    { .type = "wheel",
      .usage = "ELEMENT DELTA",
      .slots = { { .kind = ACT_ELEMENT }, { ACT_PLAIN, false, "deltaY deltaX" } },
      .examples = EXAMPLES("wheel \"#map\" -100", "wheel 500,300 --delta-x 200") },
    { .type = "highlight",
      .usage = "[ELEMENT]",
      .slots = { { ACT_ELEMENT, true, "box" } },
      .examples = EXAMPLES("highlight \"Save\"", "highlight \"#go\" --ms 5000 --color blue",
                           "highlight --box 10,20,300,100") },
    { .type = "wait",
      .usage = "MILLISECONDS|SELECTOR|URL|text=WORDS",
      .slots = { { ACT_WAIT, false, "text url expression networkIdle ms" } },
      .examples = EXAMPLES("wait 500", "wait \"#done\"", "wait \"text=Thank you\"",
                           "wait \"#busy\" --state hidden", "wait --network-idle") },
    { .type = "tab",
      .usage = "[list|NUMBER|new URL|close [NUMBER]|adopt URL]",
      .slots = { { ACT_TAB, true, "op" }, { ACT_TAB_NAME, true, "id url tab" } },
      .usual_name = "op",
      .usual_value = "list",
      .examples = EXAMPLES("tab", "tab 2", "tab new localhost:3000", "tab close") },
    { .type = "dialog",
      .usage = "accept|dismiss [ANSWER]",
      .slots = { { ACT_DIALOG, false, "accept" }, { ACT_PLAIN, true, "promptText" } },
      .examples = EXAMPLES("dialog accept", "dialog accept Zoe", "dialog dismiss") },
    { .type = "emulate",
      .usage = "[DEVICE|WIDTHxHEIGHT]",
      .slots = { { ACT_DEVICE, true, "preset" } },
      .examples = EXAMPLES("emulate iphone", "emulate 390x844 --color-scheme dark",
                           "emulate --headers.X-Test 1") },
    { .type = "cookies",
      .usage = "[get [NAME]|set NAME VALUE|clear [NAME]|save FILE|load FILE]",
      .slots = { { ACT_PLAIN, true, "op" },
                 { ACT_NAME_OR_FILE, true, "name file" },
                 { ACT_PLAIN, true, "value" } },
      .usual_name = "op",
      .usual_value = "get",
      .examples = EXAMPLES("cookies", "cookies set theme dark", "cookies save state.json") },
    { .type = "storage",
      .usage = "[get [NAME]|set NAME VALUE|clear [NAME]|save FILE|load FILE]",
      .slots = { { ACT_PLAIN, true, "op" },
                 { ACT_NAME_OR_FILE, true, "name file" },
                 { ACT_PLAIN, true, "value" } },
      .usual_name = "op",
      .usual_value = "get",
      .examples = EXAMPLES("storage", "storage get basket --area session") },
    { .type = "screenshot",
      .usage = "[ELEMENT]",
      .slots = { { ACT_ELEMENT, true, "fullPage clip" } },
      .examples = EXAMPLES("shot", "screenshot \"#chart\"", "shot --full-page --format png") },
    { .type = "pdf",
      .usage = "FILE",
      .slots = { { ACT_PLAIN, false, "file" } },
      .examples = EXAMPLES("pdf page.pdf", "pdf page.pdf --format a4 --landscape") },
    { .type = "snapshot",
      .usage = "[ELEMENT|WORDS]",
      .slots = { { ACT_SNAPSHOT, true, "find" } },
      .examples = EXAMPLES("snapshot", "snapshot --interactive", "snapshot \"#main\"",
                           "snapshot \"Sign in\"") },
    { .type = "inspect",
      .usage = "ELEMENT",
      .slots = { { .kind = ACT_ELEMENT } },
      .examples = EXAMPLES("inspect \"#go\"", "inspect \".item\" --multiple",
                           "inspect e12 --properties background-color") },
    { .type = "content",
      .usage = "[ELEMENT]",
      .slots = { { ACT_ELEMENT, true, NULL } },
      .examples = EXAMPLES("content", "content --format main", "content \"#main\" --format html") },
    { .type = "detect", .usage = "", .examples = EXAMPLES("detect --min-confidence HIGH") },
    { .type = "evaluate",
      .usage = "EXPRESSION",
      .slots = { { ACT_PLAIN, false, "expression" } },
      .examples = EXAMPLES("evaluate document.title", "eval 'location.href'") },
    { .type = "logs",
      .usage = "[LEVEL|WORDS]",
      .slots = { { ACT_LEVEL, true, "minLevel contains" } },
      .examples = EXAMPLES("logs", "logs error", "logs --since 41") },
    { .type = "network",
      .usage = "[ID|URL]",
      .slots = { { ACT_REQUEST, true, "id url" } },
      .examples = EXAMPLES("network --failed", "network 12", "network /api/ --status 5") },
    { .type = "stop", .usage = "", .examples = EXAMPLES("stop") },
};

static const struct act_alias aliases[] = {
    { "open", "navigate", NULL, NULL },         { "goto", "navigate", NULL, NULL },
    { "shot", "screenshot", NULL, NULL },       { "eval", "evaluate", NULL, NULL },
    { "uncheck", "check", "checked", "false" },
};

const struct act_row *act_row_at(size_t index)
{
    return index < sizeof(rows) / sizeof(rows[0]) ? &rows[index] : NULL;
}

struct act_row act_row_find(const char *type)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].type, type) == 0) {
            return rows[i];
        }
    }
    return (struct act_row){ .type = type, .usage = "" };
}

const struct act_alias *act_alias_find(const char *name)
{
    for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
        if (strcmp(aliases[i].name, name) == 0) {
            return &aliases[i];
        }
    }
    return NULL;
}
