#include "runner/checks/suite_settings.h"

#include "imaging/diff_rule.h"
#include "runner/base/rfc3339.h"
#include "runner/checks/suite_actions.h"
#include "runner/checks/url.h"

#include <browser_runner/image.h>
#include <stddef.h>
#include <string.h>

enum {
    MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000,
    MAX_RETRIES = 100,
    MAX_SIZE_CHANGE = 10000,
    MAX_ITEMS = 1000, /* selectors or tags */
    MAX_AREAS = 100,  /* of `ignore` and `regions` */
    MAX_SIDE = 100000,
    MAX_AT_MS = 600000,
};

/* Characters of file names. */
static const char name_characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789._-";

static const char frozen_at[] = "2026-01-01T00:00:00Z";

/* Replaces characters that are not allowed in a name by "-". */
static char *better_name(const char *name)
{
    CLEANUP_STRBUF struct strbuf better = STRBUF_INIT(SUITE_MAX_NAME);
    for (; *name; name++) {
        bool is_fine = strchr(name_characters, *name) != NULL;
        bool is_first = better.length == 0;
        if (is_fine && !(is_first && strchr(".-", *name))) {
            strbuf_add(&better, name, 1);
        } else if (!is_fine && !is_first && better.data[better.length - 1] != '-') {
            strbuf_add_string(&better, "-");
        }
    }
    while (better.length > 0 && better.data[better.length - 1] == '-') {
        better.data[--better.length] = '\0';
    }
    return strbuf_take(&better);
}

bool suite_check_name(struct suite_reader *reader, const struct suite_place *place,
                      const char *name)
{
    if (strlen(name) > SUITE_MAX_NAME) {
        suite_problem(reader->problems, place, "is over %d characters long", SUITE_MAX_NAME);
        return false;
    }
    if (!*name || name[strspn(name, name_characters)] || strchr(".-", *name)) {
        CLEANUP_FREE char *better = better_name(name);
        suite_problem(reader->problems, place,
                      "\"%s\" cannot be part of a file name: only letters, digits and ._-, and no "
                      ". or - at the beginning%s%s%s",
                      name, *better ? "; write \"" : "", better, *better ? "\"" : "");
        return false;
    }
    return true;
}

char *suite_absolute_url(struct suite_reader *reader, const struct suite_place *place,
                         const char *url)
{
    struct br_error err = { 0 };
    if (url_is_absolute(url, &err)) {
        return suite_keep_text(reader, url);
    }
    if (err.code) {
        suite_problem(reader->problems, place, "%s; %s", err.message, err.hint);
        return NULL;
    }
    if (reader->base_url) {
        return suite_memory_keep(reader->memory, url_of_suite(reader->base_url, url));
    }
    /* An invalid one has already been reported. */
    if (!reader->has_base_url) {
        suite_problem(reader->problems, place,
                      "\"%.200s\" is relative and there is no \"baseUrl\"; give one, such as "
                      "\"http://localhost:3000/\", or write the whole address",
                      url);
    }
    return NULL;
}

static void read_name(struct suite_reader *reader, const struct suite_place *place,
                      const struct suite_member *member, void *field)
{
    (void)member;
    if (!json_is_string(place->value)) {
        suite_wrong_kind(reader, place, "text");
    } else if (suite_check_name(reader, place, json_string_value(place->value))) {
        *(char **)field = suite_keep_text(reader, json_string_value(place->value));
    }
}

static void read_url(struct suite_reader *reader, const struct suite_place *place,
                     const struct suite_member *member, void *field)
{
    char *url = NULL;
    suite_read_text(reader, place, member, &url);
    if (url) {
        *(char **)field = suite_absolute_url(reader, place, url);
    }
}

static const struct suite_viewport *find_viewport(const struct suite *suite, const char *name)
{
    for (size_t i = 0; i < suite->viewport_count; i++) {
        if (strcmp(suite->viewports[i].name, name) == 0) {
            return &suite->viewports[i];
        }
    }
    return NULL;
}

static void unknown_viewport(struct suite_reader *reader, const struct suite_place *place,
                             const char *name)
{
    const char *known[SUITE_MAX_VIEWPORTS];
    for (size_t i = 0; i < reader->suite->viewport_count; i++) {
        known[i] = reader->suite->viewports[i].name;
    }
    suite_problem_unknown(reader->problems, place, name, known, reader->suite->viewport_count);
}

static void add_viewport(struct suite_reader *reader, const struct suite_place *place,
                         const char *name, struct suite_settings *settings)
{
    const struct suite_viewport *viewport = find_viewport(reader->suite, name);
    if (!viewport) {
        unknown_viewport(reader, place, name);
        return;
    }
    for (size_t i = 0; i < settings->viewport_count; i++) {
        if (settings->viewports[i] == viewport) {
            suite_problem(reader->problems, place, "\"%s\" is given twice", name);
            return;
        }
    }
    settings->viewports[settings->viewport_count++] = viewport;
}

static void read_viewports(struct suite_reader *reader, const struct suite_place *place,
                           const struct suite_member *member, void *field)
{
    struct suite_settings *settings = field;
    char **names = NULL;
    suite_read_texts(reader, place, member, &names);
    if (!names) {
        return;
    }
    settings->viewports = suite_memory_alloc(reader->memory, reader->suite->viewport_count + 1,
                                             sizeof(*settings->viewports));
    settings->viewport_count = 0;
    for (size_t i = 0; i < json_array_size(place->value); i++) {
        const struct suite_place item = suite_item_place(place, i);
        const char *name = json_string_value(item.value);
        if (name && *name) {
            add_viewport(reader, &item, name, settings);
        }
    }
}

static const struct suite_member ready_members[] = {
    { "selector", suite_read_text, offsetof(struct suite_ready, selector), 0, 0, NULL },
    { "text", suite_read_text, offsetof(struct suite_ready, text), 0, 0, NULL },
    { "expression", suite_read_text, offsetof(struct suite_ready, expression), 0, 0, NULL },
    { "networkIdle", suite_read_boolean, offsetof(struct suite_ready, network_idle), 0, 0, NULL },
    { 0 },
};

static void read_time(struct suite_reader *reader, const struct suite_place *place,
                      const struct suite_member *member, void *field)
{
    char *text = NULL;
    suite_read_text(reader, place, member, &text);
    if (text && !rfc3339_parse(text, field)) {
        suite_problem(reader->problems, place, "\"%.60s\" is not a time; write it as \"%s\"", text,
                      frozen_at);
    }
}

static void read_seed(struct suite_reader *reader, const struct suite_place *place,
                      const struct suite_member *member, void *field)
{
    int64_t seed = *(uint32_t *)field;
    suite_read_large_integer(reader, place, member, &seed);
    *(uint32_t *)field = (uint32_t)seed;
}

static const struct suite_member freeze_members[] = {
    { "time", read_time, offsetof(struct suite_check, frozen_at_ms), 0, 0, NULL },
    { "seed", read_seed, offsetof(struct suite_check, random_seed), 0, UINT32_MAX, NULL },
    { 0 },
};

static void read_freeze(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_member *member, void *field)
{
    struct suite_check *check = field;
    (void)member;
    if (json_is_boolean(place->value)) {
        check->is_frozen = json_is_true(place->value);
    } else if (json_is_object(place->value)) {
        check->is_frozen = true;
        suite_read_members(reader, place, freeze_members, check);
    } else {
        suite_wrong_kind(reader, place, "true, false, or an object with \"time\" and \"seed\"");
    }
}

static void read_skip(struct suite_reader *reader, const struct suite_place *place,
                      const struct suite_member *member, void *field)
{
    struct suite_check *check = field;
    if (json_is_boolean(place->value)) {
        check->is_skipped = json_is_true(place->value);
        check->skip_reason = NULL;
    } else if (json_is_string(place->value)) {
        check->is_skipped = true;
        suite_read_text(reader, place, member, &check->skip_reason);
    } else {
        suite_wrong_kind(reader, place, "true, false, or text that says why");
    }
}

static void read_metric(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_member *member, void *field)
{
    const char *name = json_string_value(place->value);
    (void)member;
    if (!name || !diff_rule_read_metric(name, field)) {
        suite_wrong_kind(reader, place, "\"pixelmatch7\" or \"pixelmatch8\"");
    }
}

/* Tags are listed on command lines, separated by commas. */
static void read_tags(struct suite_reader *reader, const struct suite_place *place,
                      const struct suite_member *member, void *field)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789._:@/-";
    suite_read_texts(reader, place, member, field);
    for (size_t i = 0; i < json_array_size(place->value); i++) {
        const struct suite_place item = suite_item_place(place, i);
        const char *tag = json_string_value(item.value);
        if (tag && (tag[strspn(tag, allowed)] || strlen(tag) > SUITE_MAX_NAME)) {
            suite_problem(reader->problems, &item,
                          "\"%.*s\" is not a tag: at most %d letters, digits and ._:@/-",
                          SUITE_MAX_NAME, tag, SUITE_MAX_NAME);
        }
    }
}

static const struct suite_member area_members[] = {
    { "selector", suite_read_text, offsetof(struct suite_area, selector), 0, 0, NULL },
    { "x", suite_read_number, offsetof(struct suite_area, x), 0, MAX_SIDE, NULL },
    { "y", suite_read_number, offsetof(struct suite_area, y), 0, MAX_SIDE, NULL },
    { "width", suite_read_number, offsetof(struct suite_area, width), 1, MAX_SIDE, NULL },
    { "height", suite_read_number, offsetof(struct suite_area, height), 1, MAX_SIDE, NULL },
    { "threshold", suite_read_number, offsetof(struct suite_area, threshold), 0, 1, NULL },
    { 0 },
};

/* Returns whether it names elements or else has all of a rectangle; otherwise reports a problem. */
static bool check_area(struct suite_reader *reader, const struct suite_place *place)
{
    static const char *const sides[] = { "x", "y", "width", "height" };
    bool is_element = json_object_get(place->value, "selector");
    size_t given = 0;
    for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
        given += json_object_get(place->value, sides[i]) != NULL;
    }
    if (given == (is_element ? 0 : sizeof(sides) / sizeof(sides[0]))) {
        return true;
    }
    suite_problem(reader->problems, place,
                  "takes either a \"selector\", or \"x\", \"y\", \"width\" and \"height\"");
    return false;
}

/* Reads a rectangle, or with `regions` any part with its threshold. */
static void read_area(struct suite_reader *reader, const struct suite_place *place,
                      bool has_threshold, struct suite_area *area)
{
    if (!json_is_object(place->value)) {
        suite_wrong_kind(reader, place,
                         has_threshold ? "an object with a \"threshold\""
                                       : "a selector, a rectangle, or \"defaults\"");
        return;
    }
    suite_read_members(reader, place, area_members, area);
    check_area(reader, place);
    const struct suite_place threshold = suite_member_place(place, "threshold");
    if (has_threshold && !threshold.value) {
        suite_problem(reader->problems, place, "needs a \"threshold\"");
    } else if (!has_threshold && threshold.value) {
        suite_problem(reader->problems, &threshold, "belongs to \"regions\"");
    }
}

/* Reads an array of parts; "defaults" inserts those of `defaults`. */
static void read_areas(struct suite_reader *reader, const struct suite_place *place,
                       bool has_threshold, struct suite_areas *areas)
{
    size_t count = json_array_size(place->value);
    size_t used = 0;
    if (!json_is_array(place->value)) {
        suite_wrong_kind(reader, place, "an array");
        return;
    }
    if (count > MAX_AREAS) {
        suite_problem(reader->problems, place, "has %zu items, over %d", count, MAX_AREAS);
        return;
    }
    struct suite_area *items =
        suite_memory_alloc(reader->memory, count * (areas->count + 1) + 1, sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        const struct suite_place item = suite_item_place(place, i);
        const char *text = json_string_value(item.value);
        if (text && strcmp(text, "defaults") == 0) {
            for (size_t k = 0; k < areas->count; k++) {
                items[used++] = areas->items[k];
            }
            continue;
        }
        struct suite_area *area = &items[used++];
        area->threshold = -1;
        if (text && !has_threshold) {
            suite_read_text(reader, &item, NULL, &area->selector);
        } else {
            read_area(reader, &item, has_threshold, area);
        }
    }
    *areas = (struct suite_areas){ items, used };
}

static void read_ignore(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_member *member, void *field)
{
    (void)member;
    read_areas(reader, place, false, field);
}

static void read_regions(struct suite_reader *reader, const struct suite_place *place,
                         const struct suite_member *member, void *field)
{
    (void)member;
    read_areas(reader, place, true, field);
}

#define CHECK_FIELD(field) offsetof(struct suite_settings, check.field)

/* The first two members belong to single checks only. */
enum { OWN_MEMBERS = 2 };
static const struct suite_member members[] = {
    { "name", read_name, CHECK_FIELD(name), 0, 0, NULL },
    { "url", read_url, CHECK_FIELD(url), 0, 0, NULL },
    { "viewports", read_viewports, 0, 1, SUITE_MAX_VIEWPORTS, NULL },
    { "actions", suite_read_actions, CHECK_FIELD(actions), 0, 0, NULL },
    { "ready", suite_read_object, CHECK_FIELD(ready), 0, 0, ready_members },
    { "hide", suite_read_texts, CHECK_FIELD(hide), 0, MAX_ITEMS, NULL },
    { "remove", suite_read_texts, CHECK_FIELD(remove), 0, MAX_ITEMS, NULL },
    { "mask", suite_read_texts, CHECK_FIELD(mask), 0, MAX_ITEMS, NULL },
    { "ignore", read_ignore, CHECK_FIELD(ignore), 0, 0, NULL },
    { "regions", read_regions, CHECK_FIELD(regions), 0, 0, NULL },
    { "freeze", read_freeze, offsetof(struct suite_settings, check), 0, 0, NULL },
    { "at", suite_read_integer, CHECK_FIELD(at_ms), 0, MAX_AT_MS, NULL },
    { "fullPage", suite_read_boolean, CHECK_FIELD(is_full_page), 0, 0, NULL },
    { "selector", suite_read_text, CHECK_FIELD(selector), 0, 0, NULL },
    { "metric", read_metric, CHECK_FIELD(metric), 0, 0, NULL },
    { "threshold", suite_read_number, CHECK_FIELD(threshold), 0, 1, NULL },
    { "strict", suite_read_number, CHECK_FIELD(strict), 0, 1, NULL },
    { "strictArea", suite_read_integer, CHECK_FIELD(strict_area), 0, BR_IMAGE_MAX_PIXELS, NULL },
    { "antialias", suite_read_boolean, CHECK_FIELD(counts_antialias), 0, 0, NULL },
    { "maxDiffPixels", suite_read_large_integer, CHECK_FIELD(max_diff_pixels), 0, 1e9, NULL },
    { "maxDiffRatio", suite_read_number, CHECK_FIELD(max_diff_ratio), 0, 1, NULL },
    { "allowSizeChange", suite_read_integer, CHECK_FIELD(allowed_size_change), 0, MAX_SIZE_CHANGE,
      NULL },
    { "expectNoErrors", suite_read_boolean, CHECK_FIELD(expects_no_errors), 0, 0, NULL },
    { "allowHttpErrors", suite_read_boolean, CHECK_FIELD(allows_http_errors), 0, 0, NULL },
    { "timeout", suite_read_integer, CHECK_FIELD(timeout_ms), 1, MAX_TIMEOUT_MS, NULL },
    { "retries", suite_read_integer, CHECK_FIELD(retries), 0, MAX_RETRIES, NULL },
    { "skip", read_skip, offsetof(struct suite_settings, check), 0, 0, NULL },
    { "only", suite_read_boolean, offsetof(struct suite_settings, is_only), 0, 0, NULL },
    { "tags", read_tags, CHECK_FIELD(tags), 0, MAX_ITEMS, NULL },
    { 0 },
};

static const struct suite_member setup_members[] = {
    { "url", read_url, offsetof(struct suite_check, url), 0, 0, NULL },
    { "actions", suite_read_actions, offsetof(struct suite_check, actions), 0, 0, NULL },
    { "ready", suite_read_object, offsetof(struct suite_check, ready), 0, 0, ready_members },
    { "timeout", suite_read_integer, offsetof(struct suite_check, timeout_ms), 1, MAX_TIMEOUT_MS,
      NULL },
    { 0 },
};

void suite_settings_init(struct suite_settings *settings, struct suite_reader *reader)
{
    const struct suite *suite = reader->suite;
    void *none = suite_memory_alloc(reader->memory, 1, sizeof(void *));
    *settings = (struct suite_settings){
        .check = {
            .actions = none,
            .hide = none,
            .remove = none,
            .mask = none,
            .tags = none,
            .random_seed = 1,
            .at_ms = -1,
            .threshold = 0.1,
            .strict = -1,
            .strict_area = 1000,
            .max_diff_pixels = -1,
            .max_diff_ratio = -1,
            .retries = -1,
        },
        .viewports = suite_memory_alloc(reader->memory, suite->viewport_count + 1,
                                        sizeof(*settings->viewports)),
        .viewport_count = suite->viewport_count,
    };
    rfc3339_parse(frozen_at, &settings->check.frozen_at_ms);
    for (size_t i = 0; i < suite->viewport_count; i++) {
        settings->viewports[i] = &suite->viewports[i];
    }
}

/* A picture shows the whole page or an element: the check's own setting overrides the defaults. */
static void choose_picture(struct suite_settings *settings, struct suite_reader *reader,
                           const struct suite_place *place)
{
    bool is_full_page = json_is_true(json_object_get(place->value, "fullPage"));
    const struct suite_place selector = suite_member_place(place, "selector");
    if (is_full_page && selector.value) {
        suite_problem(reader->problems, &selector,
                      "a picture shows the whole page or an element; remove \"fullPage\" or this");
    } else if (is_full_page) {
        settings->check.selector = NULL;
    } else if (selector.value) {
        settings->check.is_full_page = false;
    }
}

/*
 * Reports the problem at the check's own member; a check may set one of the two, and `defaults` the
 * other.
 */
static void compare_thresholds(const struct suite_check *check, struct suite_reader *reader,
                               const struct suite_place *place)
{
    const struct suite_place strict = suite_member_place(place, "strict");
    const struct suite_place threshold = suite_member_place(place, "threshold");
    if ((strict.value || threshold.value) && !(check->strict < check->threshold)) {
        suite_problem(reader->problems, strict.value ? &strict : &threshold,
                      "\"strict\" is %g and has to be below \"threshold\", %g", check->strict,
                      check->threshold);
    }
}

void suite_settings_read_defaults(struct suite_settings *settings, struct suite_reader *reader,
                                  const struct suite_place *place)
{
    if (!json_is_object(place->value)) {
        suite_wrong_kind(reader, place, "an object");
        return;
    }
    suite_read_members(reader, place, members + OWN_MEMBERS, settings);
    choose_picture(settings, reader, place);
    compare_thresholds(&settings->check, reader, place);
}

void suite_settings_read_check(struct suite_settings *settings, struct suite_reader *reader,
                               const struct suite_place *place)
{
    if (!json_is_object(place->value)) {
        suite_wrong_kind(reader, place, "an object");
        return;
    }
    suite_read_members(reader, place, members, settings);
    choose_picture(settings, reader, place);
    compare_thresholds(&settings->check, reader, place);
    for (size_t i = 0; i < OWN_MEMBERS; i++) {
        if (!json_object_get(place->value, members[i].name)) {
            suite_problem(reader->problems, place, "needs a \"%s\"", members[i].name);
        }
    }
}

void suite_settings_read_setup(struct suite_reader *reader, const struct suite_place *root)
{
    const struct suite_place place = suite_member_place(root, "setup");
    struct suite_settings settings;
    if (!place.value) {
        return;
    }
    if (!json_is_object(place.value)) {
        suite_wrong_kind(reader, &place, "an object with a \"url\" and \"actions\"");
        return;
    }
    suite_settings_init(&settings, reader);
    suite_read_members(reader, &place, setup_members, &settings.check);
    if (!json_object_get(place.value, "url")) {
        suite_problem(reader->problems, &place, "needs a \"url\"");
    }
    if (settings.viewport_count) {
        struct suite_check *setup = suite_memory_alloc(reader->memory, 1, sizeof(*setup));
        *setup = settings.check;
        setup->viewport = settings.viewports[0];
        reader->suite->setup = setup;
    }
}
