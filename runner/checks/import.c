/* What the imports of all kinds of files use, and Storybook's index. */
#include "runner/checks/import.h"

#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"
#include "runner/checks/init.h"
#include "runner/checks/url.h"
#include "runner/net/http.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SOURCE = 64 * 1024 * 1024, FETCH_MS = 30000, MAX_NOTES = 1000 };

void import_note(struct import *import, const char *format, ...)
{
    char text[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (json_array_size(import->notes) < MAX_NOTES) {
        json_array_append_new(import->notes, json_text(text));
    }
}

/* Returns the folder of the source, without its name and query; "." for none. Caller frees. */
static char *source_folder(const struct import *import)
{
    size_t folder = 0;
    for (size_t i = 0; import->source[i] && !strchr("?#", import->source[i]); i++) {
        folder = import->source[i] == '/' ? i + 1 : folder;
    }
    return folder ? xstrndup(import->source, folder) : xstrdup(".");
}

/* Returns the whole address of a file in a folder, or of a path in a web address. Caller frees. */
static char *address_in(const char *folder, const char *path)
{
    if (url_is_web(folder)) {
        return url_of_suite(folder, path);
    }
    CLEANUP_FREE char *real = realpath(folder, NULL);
    CLEANUP_FREE char *with_slash = xasprintf("%s/", real ? real : folder);
    CLEANUP_FREE char *base = url_from_path(with_slash);
    return url_of_suite(base, path);
}

static void set_base(struct import *import, const char *base)
{
    import->base = xstrdup(base);
    json_object_set_new(import->suite, "baseUrl", json_text(base));
}

char *import_address(struct import *import, const char *url)
{
    size_t origin = url_origin_length(url);
    if (url_is_web(url)) {
        if (!import->base) {
            CLEANUP_FREE char *base = xasprintf("%.*s/", (int)origin, url);
            set_base(import, base);
        }
        bool is_same = strncmp(url, import->base, origin) == 0 && import->base[origin] == '/';
        return is_same ? xasprintf("%s%s", url[origin] == '/' ? "" : "/", url + origin)
                       : xstrdup(url);
    }
    if (url_scheme_length(url)) {
        return xstrdup(url);
    }
    CLEANUP_FREE char *folder = source_folder(import);
    if (!import->base) {
        set_base(import, folder);
    }
    return strcmp(import->base, folder) == 0 ? xstrdup(url) : address_in(folder, url);
}

const char *import_check(struct import *import, const json_t *check, const char *name)
{
    json_t *copy = json_object();
    CLEANUP_FREE char *own = init_name(import->used, name);
    json_object_set_new(copy, "name", json_text(own));
    json_object_update(copy, (json_t *)check);
    json_array_append_new(import->checks, copy);
    return json_member_string(copy, "name");
}

void import_selectors(json_t *check, const json_t *value, const char *name)
{
    json_t *list = json_array();
    size_t index;
    const json_t *one;
    if (json_string_length(value)) {
        json_array_append(list, (json_t *)value);
    }
    json_array_foreach (value, index, one) {
        if (json_string_length(one)) {
            json_array_append(list, (json_t *)one);
        }
    }
    if (json_array_size(list)) {
        json_object_set(check, name, list);
    }
    json_decref(list);
}

/* BackstopJS. */

void import_action(json_t *check, json_t *action)
{
    json_t *actions = json_object_get(check, "actions");
    if (!actions) {
        actions = json_array();
        json_object_set_new(check, "actions", actions);
    }
    json_array_append_new(actions, action);
}

int import_whole(double number)
{
    return number > 1e9 ? 1000000000 : number < -1e9 ? -1000000000 : (int)number;
}

void import_wait(json_t *check, const json_t *value)
{
    if (json_string_length(value)) {
        import_action(check, json_pack("{s:s, s:O}", "type", "wait", "selector", value));
    } else if (json_number_value(value) > 0) {
        import_action(check, json_pack("{s:s, s:i}", "type", "wait", "ms",
                                       import_whole(json_number_value(value))));
    }
}

char *import_key(const char *text)
{
    struct strbuf key = STRBUF_INIT(STRBUF_UNCAPPED);
    for (; *text; text++) {
        char c = (char)tolower((unsigned char)*text);
        if (isalnum((unsigned char)c)) {
            strbuf_add(&key, &c, 1);
        }
    }
    return strbuf_take(&key);
}

char *import_read(const char *source, size_t *ret_length, struct br_error *err)
{
    static const struct server_kind kind = { "the server", "", false };
    struct server_url server;
    if (!url_is_web(source)) {
        return file_read(source, MAX_SOURCE, ret_length, err);
    }
    if (!server_url_parse(source, &server, err)) {
        return NULL;
    }
    struct loop *loop = loop_create(server.is_tls, err);
    char *text =
        loop ? http_get(loop, &server, &kind, MAX_SOURCE, deadline_in_ms(FETCH_MS), err) : NULL;
    loop_destroy(loop);
    *ret_length = text ? strlen(text) : 0;
    return text;
}

bool import_is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++) {
        if (strcmp(name, *names) == 0) {
            return true;
        }
    }
    return false;
}

/* Storybook. */

static bool has_tag(const json_t *story, const char *wanted)
{
    size_t index;
    const json_t *tag;
    json_array_foreach (json_object_get(story, "tags"), index, tag) {
        if (json_is_string(tag) && strcmp(json_string_value(tag), wanted) == 0) {
            return true;
        }
    }
    return false;
}

static void add_story(struct import *import, const json_t *story)
{
    static const char *const usual[] = { "dev", "test", "autodocs", "story", "manifest", NULL };
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:@/-";
    const char *id = json_member_string(story, "id");
    const char *type = json_member_string(story, "type");
    size_t index;
    json_t *tag;
    if (!id || (type && strcmp(type, "story") != 0)) {
        return; /* a page of documentation */
    }
    CLEANUP_FREE char *url = xasprintf("iframe.html?id=%s&viewMode=story", id);
    json_auto_t *check = json_pack("{s:o}", "url", json_text(url));
    json_t *tags = json_array();
    json_array_foreach (json_object_get(story, "tags"), index, tag) {
        const char *text = json_string_value(tag);
        if (text && *text && !import_is_one_of(text, usual) && !text[strspn(text, plain)]) {
            json_array_append(tags, tag);
        }
    }
    if (json_array_size(tags)) {
        json_object_set(check, "tags", tags);
    }
    json_decref(tags);
    if (has_tag(story, "skip") || has_tag(story, "!test")) {
        json_object_set_new(check, "skip", json_string("its story has the tag skip or !test"));
    }
    import_check(import, check, id);
}

void import_storybook(struct import *import, const json_t *entries)
{
    const char *id;
    json_t *story;
    CLEANUP_FREE char *base = source_folder(import);
    json_object_set_new(import->suite, "baseUrl", json_text(base));
    json_object_set_new(
        import->defaults, "ready",
        json_pack(
            "{s:s}", "expression",
            "document.body.matches('.sb-show-main, .sb-show-nopreview, .sb-show-errordisplay')"));
    json_object_foreach ((json_t *)entries, id, story) {
        add_story(import, story);
    }
}
