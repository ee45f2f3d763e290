#include "runner/checks/suite_surroundings.h"

#include "profiles/preset.h"
#include "runner/base/json.h"
#include "runner/base/names.h"
#include "runner/base/url_parts.h"
#include "runner/checks/suite_settings.h"
#include "runner/checks/url.h"
#include "runner/net/server_url.h"

#include <browser_runner/image.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_SIDE = 10000, MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000, SERVER_TIMEOUT_MS = 30000 };

/* Returns the length of the path up to and including its last slash; 0 if there is none. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

bool suite_find_directory(struct suite_reader *reader)
{
    struct suite *suite = reader->suite;
    size_t length = folder_length(suite->file);
    CLEANUP_FREE char *given = length ? xstrndup(suite->file, length) : xstrdup(".");
    char *directory = realpath(given, NULL);
    if (!directory) {
        suite_problem_of_file(reader->problems, "cannot find the folder %s: %s", given,
                              strerror(errno));
        return false;
    }
    suite->directory = suite_memory_keep(reader->memory, directory);
    return true;
}

/* Makes a path of the file absolute. Caller frees. */
static char *absolute_path(const struct suite *suite, const char *path)
{
    const char *separator = suite->directory[1] ? "/" : "";
    return *path == '/' ? xstrdup(path) : xasprintf("%s%s%s", suite->directory, separator, path);
}

/* Returns the text of a member; NULL if it is absent or invalid, which is reported. */
static char *read_member_text(struct suite_reader *reader, const struct suite_place *place)
{
    static const struct suite_member plain = { 0 };
    char *text = NULL;
    if (place->value) {
        suite_read_text(reader, place, &plain, &text);
    }
    return text;
}

/* Returns the file:// URL of a user's path; for a folder it ends with a slash. */
static const char *url_of_folder(struct suite_reader *reader, const struct suite_place *place,
                                 const char *path)
{
    struct stat info;
    CLEANUP_FREE char *absolute = absolute_path(reader->suite, path);
    if (stat(absolute, &info) != 0) {
        suite_problem(reader->problems, place,
                      "%s does not exist; write an address such as http://localhost:3000/, or a "
                      "path relative to the suite's folder",
                      absolute);
        return NULL;
    }
    CLEANUP_FREE char *real = realpath(absolute, NULL);
    CLEANUP_FREE char *with_slash =
        xasprintf("%s%s", real ? real : absolute, S_ISDIR(info.st_mode) ? "/" : "");
    return suite_memory_keep(reader->memory, url_from_path(with_slash));
}

void suite_read_base_url(struct suite_reader *reader, const struct suite_place *root)
{
    struct br_error err = { 0 };
    const struct suite_place place = suite_member_place(root, "baseUrl");
    char *text = read_member_text(reader, &place);
    reader->has_base_url = place.value != NULL;
    if (!text) {
        return;
    }
    if (url_is_web(text) || (url_is_absolute(text, &err) && strncmp(text, "file://", 7) == 0)) {
        reader->base_url = text;
    } else if (err.code) {
        suite_problem(reader->problems, &place, "%s; %s", err.message, err.hint);
    } else if (url_is_absolute(text, &err)) {
        suite_problem(reader->problems, &place, "\"%.200s\" is no http, https or file URL", text);
    } else {
        reader->base_url = url_of_folder(reader, &place, text);
    }
    reader->suite->base_url = reader->base_url;
}

/* Removes "." and ".." from an absolute path, in place. */
static void collapse(char *path)
{
    char *end = path;
    for (const char *at = path; *at;) {
        size_t length = strcspn(at + 1, "/") + 1;
        if (length == 3 && memcmp(at, "/..", 3) == 0) {
            while (end > path && *--end != '/') {
            }
        } else if (length > 1 && !(length == 2 && at[1] == '.')) {
            memmove(end, at, length);
            end += length;
        }
        at += length;
    }
    if (end == path) {
        *end++ = '/';
    }
    *end = '\0';
}

static bool is_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 &&
           (path[length] == '/' || path[length] == '\0' || length == 1);
}

/* "smoke.json" becomes "smoke.baselines". Caller frees. */
static char *default_baselines(const char *file)
{
    const char *name = file + folder_length(file);
    size_t length = strlen(name);
    bool is_json = length > 5 && strcmp(name + length - 5, ".json") == 0;
    return xasprintf("%.*s.baselines", (int)(is_json ? length - 5 : length), name);
}

void suite_read_baselines(struct suite_reader *reader, const struct suite_place *root)
{
    struct suite *suite = reader->suite;
    const struct suite_place place = suite_member_place(root, "baselines");
    char *given = read_member_text(reader, &place);
    CLEANUP_FREE char *path = given ? xstrdup(given) : default_baselines(suite->file);
    CLEANUP_FREE char *absolute = absolute_path(suite, path);
    collapse(absolute);
    if (is_in(suite->directory, absolute)) {
        suite_problem(reader->problems, &place,
                      "\"%s\" is not a separate folder; baselines that no check uses are removed "
                      "from it, so name one that contains nothing else",
                      path);
        return;
    }
    suite->shown_baselines = suite_memory_keep(
        reader->memory,
        *path == '/' ? xstrdup(path)
                     : xasprintf("%.*s%s", (int)folder_length(suite->file), suite->file, path));
    suite->baselines = suite_memory_keep(reader->memory, TAKE(absolute));
}

static void read_preset(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_member *member, void *field)
{
    char *name = NULL;
    struct br_error err = { 0 };
    suite_read_text(reader, place, member, &name);
    json_auto_t *preset = name ? preset_load(name, &err) : NULL;
    if (preset) {
        *(char **)field = name;
    } else if (name) {
        suite_problem(reader->problems, place, "%s%s%s", err.message, *err.hint ? "; " : "",
                      err.hint);
    }
}

static void read_choice(struct suite_reader *reader, const struct suite_place *place,
                        const char *const *names, size_t count, char **field)
{
    static const struct suite_member plain = { 0 };
    char *name = NULL;
    suite_read_text(reader, place, &plain, &name);
    for (size_t i = 0; name && i < count; i++) {
        if (strcmp(name, names[i]) == 0) {
            *field = name;
            return;
        }
    }
    if (name) {
        suite_problem_unknown(reader->problems, place, name, names, count);
    }
}

static void read_color_scheme(struct suite_reader *reader, const struct suite_place *place,
                              const struct suite_member *member, void *field)
{
    static const char *const names[] = { "light", "dark", "no-preference" };
    (void)member;
    read_choice(reader, place, names, sizeof(names) / sizeof(names[0]), field);
}

static void read_media(struct suite_reader *reader, const struct suite_place *place,
                       const struct suite_member *member, void *field)
{
    static const char *const names[] = { "screen", "print" };
    (void)member;
    read_choice(reader, place, names, sizeof(names) / sizeof(names[0]), field);
}

/*
 * Accepts two to eight letters, then parts of one to eight letters and digits: "de", "zh-Hant-TW".
 */
static bool is_locale(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t length = strspn(text, letters);
    bool is_right = length >= 2 && length <= 8 && strcspn(text, "0123456789") >= length;
    while (is_right && text[length]) {
        text += length + 1;
        length = strspn(text, letters);
        is_right = text[-1] == '-' && length >= 1 && length <= 8;
    }
    return is_right;
}

static void read_locale(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_member *member, void *field)
{
    char *text = NULL;
    suite_read_text(reader, place, member, &text);
    if (text && is_locale(text)) {
        *(char **)field = text;
    } else if (text) {
        suite_problem(reader->problems, place, "\"%.60s\" is not a locale; write it as \"de-DE\"",
                      text);
    }
}

static const struct suite_member viewport_members[] = {
    { "width", suite_read_integer, offsetof(struct suite_viewport, width), 1, MAX_SIDE, NULL },
    { "height", suite_read_integer, offsetof(struct suite_viewport, height), 1, MAX_SIDE, NULL },
    { "scale", suite_read_number, offsetof(struct suite_viewport, scale), 0.1, 10, NULL },
    { "preset", read_preset, offsetof(struct suite_viewport, preset), 0, 0, NULL },
    { "colorScheme", read_color_scheme, offsetof(struct suite_viewport, color_scheme), 0, 0, NULL },
    { "locale", read_locale, offsetof(struct suite_viewport, locale), 0, 0, NULL },
    { "media", read_media, offsetof(struct suite_viewport, media), 0, 0, NULL },
    { 0 },
};

static void complete_viewport(struct suite_reader *reader, const struct suite_place *place,
                              struct suite_viewport *viewport)
{
    struct br_error ignored;
    json_auto_t *preset = viewport->preset ? preset_load(viewport->preset, &ignored) : NULL;
    const json_t *size = json_object_get(preset, "viewport");
    viewport->is_mobile = json_member_bool(size, "mobile", false);
    if (!viewport->width) {
        viewport->width = (int)json_member_number(size, "width", 1280);
    }
    if (!viewport->height) {
        viewport->height = (int)json_member_number(size, "height", 720);
    }
    if (viewport->scale == 0) {
        viewport->scale = json_member_number(size, "deviceScaleFactor", 1);
    }
    double pixels = (double)viewport->width * viewport->height * viewport->scale * viewport->scale;
    if (pixels > BR_IMAGE_MAX_PIXELS) {
        suite_problem(reader->problems, place, "a picture of it has %.0f pixels, over %.0f", pixels,
                      (double)BR_IMAGE_MAX_PIXELS);
    }
}

static void read_viewport(struct suite_reader *reader, const struct suite_place *place,
                          struct suite_viewport *viewport)
{
    static const struct suite_member plain = { 0 };
    if (json_is_string(place->value)) {
        read_preset(reader, place, &plain, &viewport->preset);
    } else if (json_is_object(place->value)) {
        suite_read_members(reader, place, viewport_members, viewport);
    } else {
        suite_wrong_kind(reader, place, "an object, or a preset's name");
    }
    complete_viewport(reader, place, viewport);
}

static void refuse_viewport_twice(struct suite_reader *reader, const struct suite_place *place)
{
    const struct suite *suite = reader->suite;
    for (size_t i = 0; i < suite->viewport_count; i++) {
        if (strcasecmp(suite->viewports[i].name, place->key) == 0) {
            suite_problem(
                reader->problems, place,
                "\"%s\" and \"%s\" are the same file on file systems that ignore case; rename one",
                place->key, suite->viewports[i].name);
        }
    }
}

static void read_all_viewports(struct suite_reader *reader, const struct suite_place *viewports)
{
    const char *key;
    json_t *value;
    struct suite *suite = reader->suite;
    suite->viewports = suite_memory_alloc(reader->memory, json_object_size(viewports->value),
                                          sizeof(*suite->viewports));
    json_object_foreach (viewports->value, key, value) {
        const struct suite_place place = { .parent = viewports, .key = key, .value = value };
        suite_check_name(reader, &place, key);
        refuse_viewport_twice(reader, &place);
        struct suite_viewport *viewport = &suite->viewports[suite->viewport_count++];
        viewport->name = suite_keep_text(reader, key);
        read_viewport(reader, &place, viewport);
    }
}

void suite_read_viewports(struct suite_reader *reader, const struct suite_place *root)
{
    static const struct suite_viewport fallback = { .width = 1280, .height = 720, .scale = 1 };
    struct suite *suite = reader->suite;
    const struct suite_place place = suite_member_place(root, "viewports");
    size_t count = json_object_size(place.value);
    if (!place.value) {
        suite->viewports = suite_memory_alloc(reader->memory, 1, sizeof(*suite->viewports));
        suite->viewports[0] = fallback;
        suite->viewports[0].name = suite_keep_text(reader, "desktop");
        suite->viewport_count = 1;
    } else if (!json_is_object(place.value)) {
        suite_wrong_kind(reader, &place, "an object of names and sizes");
    } else if (count == 0 || count > SUITE_MAX_VIEWPORTS) {
        suite_problem(reader->problems, &place, "has %zu viewports, and takes 1 to %d", count,
                      SUITE_MAX_VIEWPORTS);
    } else {
        read_all_viewports(reader, &place);
    }
}

static void read_command(struct suite_reader *reader, const struct suite_place *place,
                         const struct suite_member *member, void *field)
{
    if (json_is_array(place->value)) {
        suite_read_texts(reader, place, member, field);
        return;
    }
    char *text = NULL;
    if (json_is_string(place->value)) {
        suite_read_text(reader, place, member, &text);
    } else {
        suite_wrong_kind(reader, place,
                         "text for a shell, or an array of a program and its "
                         "arguments");
    }
    if (text) {
        char **command = suite_memory_alloc(reader->memory, 4, sizeof(*command));
        command[0] = suite_keep_text(reader, "/bin/sh");
        command[1] = suite_keep_text(reader, "-c");
        command[2] = text;
        *(char ***)field = command;
    }
}

/* Whether it can be requested over HTTP; otherwise reports a problem. */
static bool check_server_url(struct suite_reader *reader, const struct suite_place *place,
                             const char *url)
{
    struct br_error err = { 0 };
    struct server_url server;
    if (url_is_web(url) && server_url_parse(url, &server, &err)) {
        return true;
    }
    suite_problem(
        reader->problems, place,
        "\"%.200s\" is not a plain http or https URL; write it as http://localhost:3000/health",
        url);
    return false;
}

static void read_server_url(struct suite_reader *reader, const struct suite_place *place,
                            const struct suite_member *member, void *field)
{
    char *text = NULL;
    suite_read_text(reader, place, member, &text);
    char *url = text ? suite_absolute_url(reader, place, text) : NULL;
    if (url && check_server_url(reader, place, url)) {
        *(char **)field = url;
    }
}

static void read_directory(struct suite_reader *reader, const struct suite_place *place,
                           const struct suite_member *member, void *field)
{
    struct stat info;
    char *text = NULL;
    suite_read_text(reader, place, member, &text);
    if (!text) {
        return;
    }
    char *absolute = suite_memory_keep(reader->memory, absolute_path(reader->suite, text));
    if (stat(absolute, &info) != 0 || !S_ISDIR(info.st_mode)) {
        suite_problem(reader->problems, place,
                      "the folder %s does not exist; paths are relative to the suite's folder",
                      absolute);
        return;
    }
    *(char **)field = absolute;
}

static const struct suite_member server_members[] = {
    { "command", read_command, offsetof(struct suite_server, command), 1, 1000, NULL },
    { "url", read_server_url, offsetof(struct suite_server, url), 0, 0, NULL },
    { "timeout", suite_read_integer, offsetof(struct suite_server, timeout_ms), 1, MAX_TIMEOUT_MS,
      NULL },
    { "directory", read_directory, offsetof(struct suite_server, directory), 0, 0, NULL },
    { "reuse", suite_read_boolean, offsetof(struct suite_server, is_reused), 0, 0, NULL },
    { 0 },
};

/* Without its own "url", the server is ready when the site answers. */
static void default_server_url(struct suite_reader *reader, const struct suite_place *place)
{
    if (reader->base_url && url_is_web(reader->base_url)) {
        check_server_url(reader, place, reader->base_url);
        reader->suite->server.url = suite_keep_text(reader, reader->base_url);
    } else if (!reader->has_base_url || reader->base_url) {
        suite_problem(reader->problems, place,
                      "needs a \"url\" that answers when the server is ready, because there is no "
                      "http \"baseUrl\"");
    }
}

void suite_read_server(struct suite_reader *reader, const struct suite_place *root)
{
    const struct suite_place place = suite_member_place(root, "server");
    struct suite_server *server = &reader->suite->server;
    if (!place.value) {
        return;
    }
    if (!json_is_object(place.value)) {
        suite_wrong_kind(reader, &place, "an object with a \"command\"");
        return;
    }
    server->timeout_ms = SERVER_TIMEOUT_MS;
    server->directory = reader->suite->directory;
    suite_read_members(reader, &place, server_members, server);
    if (!json_object_get(place.value, "command")) {
        suite_problem(reader->problems, &place,
                      "needs a \"command\"; remove the whole \"server\" if it is already running");
    }
    if (!json_object_get(place.value, "url")) {
        default_server_url(reader, &place);
    }
}
