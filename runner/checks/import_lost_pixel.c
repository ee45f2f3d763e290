/*
 * Lost Pixel's configuration: as JSON, or as the script in which it usually is. The script is not
 * run: the object that it assigns or exports is read, as far as it consists of plain values.
 */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/checks/import.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 50,       /* of nested values in a script */
    MAX_SCRIPT = 1 << 20, /* bytes */
    DEFAULT_WIDTH = 1280,
    DEFAULT_HEIGHT = 720,
};

/* Members that have no counterpart, and what to do instead; NULL: they have no effect here. */
static const struct {
    const char *name, *instead;
} left[] = {
    { "beforeScreenshot", "scripts are not run: write \"actions\", or \"setup\" for a login" },
    { "afterScreenshot", "scripts are not run" },
    { "configureBrowser", "scripts are not run: write \"viewports\"" },
    { "filterShot", "scripts are not run: write \"skip\", or choose with --filter" },
    { "filterItemsToCheck", "scripts are not run: choose with --filter" },
    { "shotNameGenerator", "scripts are not run: checks are named after the pages" },
    { "pagesJsonRefiner", "scripts are not run" },
    { "pagesJsonUrl", "add its pages to \"checks\"" },
    { "customShots", "pictures of other programs are compared with `browser-runner diff`" },
    { "ladleShots", "import a list of the addresses of its stories" },
    { "histoireShots", "import a list of the addresses of its stories" },
    { "waitBeforeScreenshot", "a picture waits until nothing moves; if that is not enough, write "
                              "a \"wait\" into \"actions\"" },
    { "browserLaunchOptions", "give --chrome-arg to `check`" },
    { "browser", NULL },
    { "apiKey", NULL },
    { "lostPixelProjectId", NULL },
    { "lostPixelPlatform", NULL },
    { "ciBuildId", NULL },
    { "ciBuildNumber", NULL },
    { "repository", NULL },
    { "commitRefName", NULL },
    { "commitHash", NULL },
};

/* Finds what to do instead; false if the member has no effect here. */
static bool find_instead(const char *name, const char **ret_instead)
{
    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
        if (strcmp(name, left[i].name) == 0) {
            *ret_instead = left[i].instead;
            return left[i].instead;
        }
    }
    return true;
}

/* A script while its object is read. */
struct config_text {
    struct import *import;
    const char *text, *at;
    int depth;
};

static void skip_blank(struct config_text *script)
{
    for (;;) {
        script->at += strspn(script->at, " \t\r\n");
        if (strncmp(script->at, "//", 2) == 0) {
            script->at += strcspn(script->at, "\n");
        } else if (strncmp(script->at, "/*", 2) == 0) {
            const char *end = strstr(script->at + 2, "*/");
            script->at = end ? end + 2 : script->at + strlen(script->at);
        } else {
            return;
        }
    }
}

static size_t line_of(const struct config_text *script, const char *at)
{
    size_t line = 1;
    for (const char *text = script->text; text < at; text++) {
        line += *text == '\n';
    }
    return line;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool begins_with_word(const char *at, const char *word)
{
    size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !is_word(at[length]);
}

/* Moves behind the text that begins here, or to the end of the script. */
static void skip_text(struct config_text *script)
{
    char quote = *script->at++;
    while (*script->at && *script->at != quote) {
        script->at += *script->at == '\\' && script->at[1] ? 2 : 1;
    }
    script->at += *script->at == quote;
}

/*
 * Moves to the end of an expression: a comma, or a bracket that it did not open. Returns where the
 * last alternative to it begins, after || or ??; NULL: there is none.
 */
static const char *skip_expression(struct config_text *script)
{
    const char *alternative = NULL;
    int open = 0;
    for (skip_blank(script); *script->at; skip_blank(script)) {
        char c = *script->at;
        if (open == 0 && strchr(",)]};", c)) {
            break;
        }
        if (strchr("'\"`", c)) {
            skip_text(script);
            continue;
        }
        open += strchr("([{", c) ? 1 : strchr(")]}", c) ? -1 : 0;
        bool is_or = strncmp(script->at, "||", 2) == 0 || strncmp(script->at, "\?\?", 2) == 0;
        script->at += is_or ? 2 : 1;
        alternative = is_or && open == 0 ? script->at : alternative;
    }
    return alternative;
}

/* Reads a text without escapes but of quotes and line ends; NULL for any other. */
static json_t *read_text(struct config_text *script)
{
    const char *begin = script->at;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    skip_text(script);
    const char *end = script->at - 1;
    for (const char *at = begin + 1; at < end; at++) {
        if (*begin == '`' && strncmp(at, "${", 2) == 0) {
            return NULL;
        }
        bool is_escaped = *at == '\\';
        if (is_escaped) {
            at++;
            if (isalnum((unsigned char)*at) && *at != 'n') {
                return NULL;
            }
        }
        strbuf_add(&text, is_escaped && *at == 'n' ? "\n" : at, 1);
    }
    return json_text(text.data);
}

static json_t *read_number(struct config_text *script)
{
    char digits[64];
    size_t length = 0;
    while (is_word(*script->at) || strchr("+-.", *script->at)) {
        if (!*script->at || length + 1 == sizeof(digits)) {
            return NULL;
        }
        if (*script->at != '_') {
            digits[length++] = *script->at;
        }
        script->at++;
    }
    digits[length] = '\0';
    char *end = digits;
    double number = strtod(digits, &end);
    return length && !*end ? json_real(number) : NULL;
}

static json_t *read_value(struct config_text *script);

/* Reads the name of a member and the colon behind it; false if something else follows. */
static bool read_name(struct config_text *script, char *ret_name, size_t size)
{
    json_auto_t *quoted = NULL;
    const char *begin = script->at;
    if (strchr("'\"", *script->at) && *script->at) {
        quoted = read_text(script);
        snprintf(ret_name, size, "%s", quoted ? json_string_value(quoted) : "");
    } else {
        while (is_word(*script->at)) {
            script->at++;
        }
        snprintf(ret_name, size, "%.*s", (int)(script->at - begin), begin);
    }
    skip_blank(script);
    bool is_member = *script->at == ':';
    script->at += is_member;
    return is_member;
}

static void leave(struct config_text *script, const char *at, const char *name)
{
    const char *instead = "an expression is not evaluated: write its value into the suite";
    if (find_instead(name, &instead)) {
        import_note(script->import, "line %zu: %s: %s", line_of(script, at), name, instead);
    }
}

/* Skips a TypeScript type assertion before the value. */
static void skip_type(struct config_text *script)
{
    skip_blank(script);
    if (begins_with_word(script->at, "as") || begins_with_word(script->at, "satisfies")) {
        skip_expression(script);
    }
}

/* Returns the fallback of an expression that is one of the last alternatives; NULL: none. */
static json_t *read_fallback(struct config_text *script, const char *alternative)
{
    struct config_text again = *script;
    again.at = alternative;
    if (!alternative) {
        return NULL;
    }
    json_t *value = read_value(&again);
    skip_type(&again);
    if (value && again.at != script->at) {
        json_decref(value);
        return NULL;
    }
    return value;
}

/* Reads a member or an item; NULL if it is no plain value, which was noted. */
static json_t *read_part(struct config_text *script, const char *name)
{
    const char *begin = script->at;
    json_t *value = read_value(script);
    skip_type(script);
    if (value && *script->at && strchr(",]}", *script->at)) {
        return value;
    }
    json_decref(value);
    script->at = begin;
    value = read_fallback(script, skip_expression(script));
    if (value) {
        import_note(script->import, "line %zu: %s: the last alternative of the expression is taken",
                    line_of(script, begin), name);
    } else {
        leave(script, begin, name);
    }
    return value;
}

static void read_members(struct config_text *script, json_t *object)
{
    for (skip_blank(script); *script->at && *script->at != '}'; skip_blank(script)) {
        char name[100];
        const char *begin = script->at;
        if (read_name(script, name, sizeof(name))) {
            skip_blank(script);
            json_t *value = read_part(script, name);
            if (value) {
                json_object_set_new(object, name, value);
            }
        } else {
            script->at = begin;
            bool is_async = begins_with_word(begin, "async");
            sscanf(begin + (is_async ? strlen("async") : 0), " %99[A-Za-z0-9_$.]", name);
            skip_expression(script);
            leave(script, begin, name);
        }
        if (*script->at != ',') {
            break;
        }
        script->at++;
    }
}

static void read_items(struct config_text *script, json_t *array)
{
    for (skip_blank(script); *script->at && *script->at != ']'; skip_blank(script)) {
        json_t *value = read_part(script, "an item of a list");
        if (value) {
            json_array_append_new(array, value);
        }
        if (*script->at != ',') {
            break;
        }
        script->at++;
    }
}

static json_t *read_list(struct config_text *script)
{
    bool is_object = *script->at == '{';
    if (script->depth == MAX_DEPTH) {
        return NULL;
    }
    json_t *value = is_object ? json_object() : json_array();
    script->depth++;
    script->at++;
    (is_object ? read_members : read_items)(script, value);
    script->depth--;
    bool is_closed = *script->at == (is_object ? '}' : ']');
    script->at += is_closed;
    if (!is_closed) {
        json_decref(value);
        return NULL;
    }
    return value;
}

/* Reads a plain value; NULL for anything else, and the position is then undefined. */
static json_t *read_value(struct config_text *script)
{
    static const struct {
        const char *word;
        json_type type;
    } words[] = {
        { "true", JSON_TRUE },
        { "false", JSON_FALSE },
        { "null", JSON_NULL },
        { "undefined", JSON_NULL },
    };
    skip_blank(script);
    char c = *script->at;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (begins_with_word(script->at, words[i].word)) {
            script->at += strlen(words[i].word);
            return words[i].type == JSON_NULL ? json_null()
                                              : json_boolean(words[i].type == JSON_TRUE);
        }
    }
    if (c == '{' || c == '[') {
        return read_list(script);
    }
    if (c == '\'' || c == '"' || c == '`') {
        return read_text(script);
    }
    return isdigit((unsigned char)c) || c == '-' || c == '.' ? read_number(script) : NULL;
}

/* Moves behind these words, outside of comments and texts; false if they are nowhere. */
static bool find_words(struct config_text *script, const char *words)
{
    script->at = script->text;
    for (skip_blank(script); *script->at; skip_blank(script)) {
        if (begins_with_word(script->at, words)) {
            script->at += strlen(words);
            return true;
        }
        if (strchr("'\"`", *script->at)) {
            skip_text(script);
        } else {
            script->at++;
        }
    }
    return false;
}

/* Finds the object that the script assigns or exports; a type may precede the equals sign. */
static bool find_object(struct config_text *script)
{
    static const char *const places[] = { "const config", "exports.config", "module.exports",
                                          "export default" };
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        if (!find_words(script, places[i])) {
            continue;
        }
        skip_blank(script);
        if (strncmp(places[i], "export ", strlen("export ")) != 0) {
            script->at += strcspn(script->at, "=");
            script->at += *script->at == '=';
            skip_blank(script);
        }
        if (*script->at == '{') {
            return true;
        }
    }
    return false;
}

bool import_lost_pixel_has_name(const char *source)
{
    const char *slash = strrchr(source, '/');
    const char *name = slash ? slash + 1 : source;
    return strncmp(name, "lostpixel", strlen("lostpixel")) == 0;
}

bool import_lost_pixel_script(struct import *import, const char *text, struct br_error *err)
{
    struct config_text script = { .import = import, .text = text };
    if (strlen(text) > MAX_SCRIPT) {
        return error_set(err, BR_LIMIT_EXCEEDED, "%s has more than %d bytes", import->source,
                         MAX_SCRIPT);
    }
    json_auto_t *config = find_object(&script) ? read_value(&script) : NULL;
    if (!config) {
        error_set(err, BR_INVALID_ACTION, "%s assigns no object to \"config\", and exports none",
                  import->source);
        return error_hint(err, "write the configuration as JSON: lostpixel.config.json");
    }
    return import_lost_pixel(import, config, err);
}

/*
 * Adds a viewport to the suite, once, and its name to the list. The names of pictures end with the
 * label, which is the breakpoint's if there is one.
 */
static void add_viewport(struct import *import, int width, int height, bool is_breakpoint,
                         const char *label, json_t *names)
{
    CLEANUP_FREE char *key = import_key(label);
    CLEANUP_FREE char *name =
        is_breakpoint ? xasprintf("w%d", width) : xasprintf("%dx%d", width, height);
    if (width == DEFAULT_WIDTH && height == DEFAULT_HEIGHT && !is_breakpoint) {
        free(name);
        name = xstrdup("desktop");
    }
    json_array_append_new(names, json_text(name));
    if (!json_object_get(import->viewports, name)) {
        json_object_set_new(import->viewports, name,
                            json_pack("{s:i, s:i}", "width", width, "height", height));
        json_array_append_new(
            import->sizes, json_pack("{s:s, s:s, s:i}", "name", name, "key", key, "width", width));
    }
}

/* Returns the names of the viewports: of the breakpoints nearest to the page. Caller decrefs. */
static json_t *viewports_of(struct import *import, const json_t *config, const json_t *shots,
                            const json_t *page)
{
    const json_t *places[] = { page, shots, config };
    /* Pictures by one browser are not named after it (generateLabel() of Lost Pixel 3.22). */
    bool is_named = json_array_size(json_object_get(config, "browser")) > 1;
    const char *browser = is_named ? "chromium" : "";
    json_t *names = json_array();
    for (size_t i = 0; i < 3 && !json_array_size(names); i++) {
        size_t index;
        const json_t *width;
        json_array_foreach (json_object_get(places[i], "breakpoints"), index, width) {
            int pixels = import_whole(json_number_value(width));
            CLEANUP_FREE char *label = xasprintf("w%dpx|%s", pixels, browser);
            add_viewport(import, pixels, DEFAULT_HEIGHT, true, label, names);
        }
    }
    if (!json_array_size(names)) {
        const json_t *own = json_object_get(page, "viewport");
        add_viewport(import, import_whole(json_member_number(own, "width", DEFAULT_WIDTH)),
                     import_whole(json_member_number(own, "height", DEFAULT_HEIGHT)), false,
                     browser, names);
    }
    return names;
}

/* Below 1 it is a share of the pixels. */
static void take_threshold(json_t *check, const json_t *value)
{
    double number = json_number_value(value);
    if (number >= 1) {
        json_object_set_new(check, "maxDiffPixels", json_integer(import_whole(number)));
    } else if (number > 0) {
        json_object_set_new(check, "maxDiffRatio", json_real(number));
    }
}

static void take_masks(json_t *check, const json_t *first, const json_t *second)
{
    const json_t *lists[] = { first, second };
    json_auto_t *selectors = json_array();
    for (size_t i = 0; i < 2; i++) {
        size_t index;
        const json_t *mask;
        json_array_foreach (lists[i], index, mask) {
            json_array_append(selectors, json_object_get(mask, "selector"));
        }
    }
    import_selectors(check, selectors, "mask");
}

/* Joins a path to the base, which may or may not end with a slash. Caller frees. */
static char *join_path(const char *base, const char *path)
{
    size_t length = strlen(base);
    while (length > 0 && base[length - 1] == '/') {
        length--;
    }
    return xasprintf("%.*s/%s", (int)length, base, path + strspn(path, "/"));
}

static void add_page(struct import *import, const json_t *config, const json_t *shots,
                     const char *base, const json_t *page)
{
    const char *path = json_member_string(page, "path");
    const char *given = json_member_string(page, "name");
    const char *name = given ? given : path;
    json_auto_t *check = json_object();
    if (!path) {
        import_note(import, "pageShots: %s: has no path", given ? given : "a page");
        return;
    }
    CLEANUP_FREE char *url = join_path(base, path);
    CLEANUP_FREE char *address = import_address(import, url);
    json_object_set_new(check, "url", json_text(address));
    json_object_set_new(check, "viewports", viewports_of(import, config, shots, page));
    take_masks(check, json_object_get(shots, "mask"), json_object_get(page, "mask"));
    const json_t *own = json_object_get(page, "threshold");
    take_threshold(check, own ? own : json_object_get(config, "threshold"));
    import_wait(check, json_object_get(page, "waitBeforeScreenshot"));
    CLEANUP_FREE char *key = import_key(name);
    json_t *part = json_pack("{s:s, s:b, s:O}", "key", key, "isWhole", 1, "viewports",
                             json_object_get(check, "viewports"));
    json_object_set_new(part, "name", json_text(import_check(import, check, name)));
    json_array_append_new(import->parts, part);
}

static bool add_pages(struct import *import, const json_t *config, struct br_error *err)
{
    const json_t *shots = json_object_get(config, "pageShots");
    const char *base = json_member_string(shots, "baseUrl");
    const json_t *selector = json_object_get(shots, "waitForSelector");
    size_t index;
    const json_t *page;
    if (!base) {
        error_set(err, BR_INVALID_ACTION, "%s: pageShots has no baseUrl that can be read",
                  import->source);
        return error_hint(err, "write the address itself, such as 'http://localhost:3000'");
    }
    if (json_string_length(selector)) {
        json_object_set_new(import->defaults, "ready",
                            json_pack("{s:O}", "selector", (json_t *)selector));
    }
    json_array_foreach (json_object_get(shots, "pages"), index, page) {
        add_page(import, config, shots, base, page);
    }
    return true;
}

/* Reads the index of the Storybook, which has to be built or running. */
static bool add_stories(struct import *import, const json_t *config, struct br_error *err)
{
    const json_t *shots = json_object_get(config, "storybookShots");
    const char *url = json_member_string(shots, "storybookUrl");
    CLEANUP_FREE char *source = join_path(url ? url : "storybook-static", "index.json");
    struct br_error why;
    size_t length = 0;
    CLEANUP_FREE char *text = import_read(source, &length, &why);
    json_auto_t *index = text ? json_parse(text, length, source, &why) : NULL;
    const json_t *entries = json_object_get(index, "entries");
    if (!json_is_object(entries)) {
        error_set(err, BR_INVALID_ACTION, "storybookShots: %s",
                  index ? "the Storybook's index has no entries" : why.message);
        return error_hint(err, "build or start the Storybook first: %s has to be readable", source);
    }
    const char *before = import->source;
    import->source = source;
    import_storybook(import, entries);
    import->source = before;
    take_masks(import->defaults, json_object_get(shots, "mask"), NULL);
    take_threshold(import->defaults, json_object_get(config, "threshold"));
    json_object_set_new(import->defaults, "viewports", viewports_of(import, config, shots, NULL));
    const json_t *element = json_object_get(shots, "elementLocator");
    if (json_string_length(element)) {
        json_object_set(import->defaults, "selector", (json_t *)element);
        json_object_del(import->defaults, "fullPage");
    }
    return true;
}

static void note_members(struct import *import, const json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)object, name, value) {
        const char *instead = NULL;
        if (find_instead(name, &instead) && instead) {
            import_note(import, "%s: %s", name, instead);
        }
    }
}

bool import_lost_pixel(struct import *import, const json_t *config, struct br_error *err)
{
    const json_t *pages = json_object_get(config, "pageShots");
    const json_t *stories = json_object_get(config, "storybookShots");
    import->has_whole_keys = true;
    note_members(import, config);
    note_members(import, pages);
    if (pages && stories) {
        import_note(import, "storybookShots: import the Storybook's index.json into another suite");
    }
    if (!pages && !stories) {
        return error_set(err, BR_INVALID_ACTION,
                         "%s has neither pageShots nor storybookShots that can be read",
                         import->source);
    }
    int retries = import_whole(json_member_number(config, "flakynessRetries", 0));
    if (retries > 0) {
        json_object_set_new(import->defaults, "retries", json_integer(retries));
    }
    return pages ? add_pages(import, config, err) : add_stories(import, config, err);
}
