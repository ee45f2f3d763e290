/* The form of results.json, as docs/schema/results.schema.json has it: tables, and who reads them.
 */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/checks/report/results.h"

#include <stdio.h>
#include <string.h>

/* More than any suite has; what a report of so many weighs can still be opened. */
enum { MAX_CHECKS = 100000 };

/* The last millisecond that JavaScript has a date for; counts stay exact below it. */
#define MAX_NUMBER 8.64e15

/* Kinds of values, and of what they are made of. */
enum kind {
    TEXT,
    COUNT,  /* an integer from 0 */
    NUMBER, /* any number from 0 */
    TRUTH,
    TEXTS,   /* a list of texts */
    OBJECT,  /* with the members of `of` */
    OBJECTS, /* a list of these */
};

static const char *const kind_names[] = {
    [TEXT] = "a text",
    [COUNT] = "an integer that is not negative",
    [NUMBER] = "a number that is not negative",
    [TRUTH] = "true or false",
    [TEXTS] = "a list of texts",
    [OBJECT] = "an object",
    [OBJECTS] = "a list of objects",
};

/* A member of an object. Members that no table knows are left alone: later versions have more. */
struct member {
    const char *key; /* NULL ends the table */
    enum kind kind;
    bool is_required;
    const struct member *of;
};

static const struct member viewport_members[] = {
    { "name", TEXT, true, NULL },
    { "width", COUNT, true, NULL },
    { "height", COUNT, true, NULL },
    { "scale", NUMBER, false, NULL },
    { 0 },
};

static const struct member image_members[] = {
    { "expected", TEXT, false, NULL },
    { "actual", TEXT, false, NULL },
    { "diff", TEXT, false, NULL },
    { 0 },
};

static const struct member region_members[] = {
    { "x", COUNT, true, NULL },           { "y", COUNT, true, NULL },
    { "width", COUNT, true, NULL },       { "height", COUNT, true, NULL },
    { "diffPixels", COUNT, false, NULL }, { 0 },
};

static const struct member comparison_members[] = {
    { "diffPixels", COUNT, true, NULL },
    { "diffRatio", NUMBER, true, NULL },
    { "antialiasedPixels", COUNT, false, NULL },
    { "layoutDiffers", TRUTH, false, NULL },
    { "threshold", NUMBER, false, NULL },
    { "allowedPixels", COUNT, false, NULL },
    { "regions", OBJECTS, false, region_members },
    { "fingerprint", TEXT, false, NULL },
    { 0 },
};

static const struct member log_members[] = {
    { "type", TEXT, true, NULL },         { "message", TEXT, true, NULL },
    { "timestamp", NUMBER, false, NULL }, { "source", TEXT, false, NULL },
    { "category", TEXT, false, NULL },    { "location", TEXT, false, NULL },
    { "stack", TEXT, false, NULL },       { 0 },
};

static const struct member network_members[] = {
    { "url", TEXT, true, NULL },
    { "method", TEXT, false, NULL },
    { "status", COUNT, false, NULL },
    { "error", TEXT, false, NULL },
    { 0 },
};

static const struct member no_members[] = { { 0 } };

static const struct member check_members[] = {
    { "id", TEXT, true, NULL },
    { "name", TEXT, true, NULL },
    { "viewport", OBJECT, true, viewport_members },
    { "url", TEXT, false, NULL },
    { "tags", TEXTS, false, NULL },
    { "status", TEXT, true, NULL },
    { "reason", TEXT, false, NULL },
    { "errorCode", TEXT, false, NULL },
    { "durationMs", NUMBER, false, NULL },
    { "attempts", COUNT, false, NULL },
    { "earlier", TEXTS, false, NULL },
    { "unstable", TEXTS, false, NULL },
    { "images", OBJECT, false, image_members },
    { "width", COUNT, false, NULL },
    { "height", COUNT, false, NULL },
    { "comparison", OBJECT, false, comparison_members },
    { "problems", TEXTS, false, NULL },
    { "logs", OBJECTS, false, log_members },
    { "networkFailures", OBJECTS, false, network_members },
    { "metrics", OBJECT, false, no_members },
    { "approve", TEXT, false, NULL },
    { 0 },
};

static const struct member group_members[] = {
    { "fingerprint", TEXT, true, NULL },
    { "checks", TEXTS, true, NULL },
    { 0 },
};

static const struct member shard_members[] = {
    { "index", COUNT, true, NULL },
    { "total", COUNT, true, NULL },
    { 0 },
};

static const struct member document_members[] = {
    { "version", COUNT, true, NULL },
    { "suite", TEXT, true, NULL },
    { "baselines", TEXT, false, NULL },
    { "startedAt", NUMBER, true, NULL },
    { "durationMs", NUMBER, true, NULL },
    { "environment", OBJECT, false, no_members },
    { "shard", OBJECT, false, shard_members },
    { "warnings", TEXTS, false, NULL },
    { "stale", TEXTS, false, NULL },
    { "complete", TRUTH, true, NULL },
    { "totals", OBJECT, true, no_members },
    { "groups", OBJECTS, false, group_members },
    { "checks", OBJECTS, true, check_members },
    { 0 },
};

/* Where in the document something is: the names from the root on, and the source of it. */
struct place {
    const char *source;
    char path[256]; /* "checks[3].status"; cut when it is longer */
};

static bool is_of_kind(const json_t *value, enum kind kind)
{
    switch (kind) {
    case TEXT:
        return json_is_string(value);
    case COUNT:
        return json_is_integer(value) && json_integer_value(value) >= 0 &&
               json_number_value(value) <= MAX_NUMBER;
    case NUMBER:
        return json_is_number(value) && json_number_value(value) >= 0 &&
               json_number_value(value) <= MAX_NUMBER;
    case TRUTH:
        return json_is_boolean(value);
    case TEXTS:
    case OBJECTS:
        return json_is_array(value);
    case OBJECT:
        return json_is_object(value);
    }
    return false;
}

static bool refuse(const struct place *place, const char *what, struct br_error *err)
{
    return error_set(err, BR_INVALID_ACTION, "%s: %s%s%s", place->source, place->path,
                     *place->path ? " " : "", what);
}

static bool refuse_kind(const struct place *place, enum kind kind, struct br_error *err)
{
    CLEANUP_FREE char *what = xasprintf("is not %s", kind_names[kind]);
    return refuse(place, what, err);
}

static struct place place_of_member(const struct place *place, const char *key)
{
    struct place inner = { .source = place->source };
    snprintf(inner.path, sizeof(inner.path), "%.200s%s%s", place->path, *place->path ? "." : "",
             key);
    return inner;
}

static struct place place_of_item(const struct place *place, size_t index)
{
    struct place inner = { .source = place->source };
    snprintf(inner.path, sizeof(inner.path), "%.200s[%zu]", place->path, index);
    return inner;
}

static bool check_object(const struct place *place, const json_t *object,
                         const struct member *members, struct br_error *err);

static bool check_items(const struct place *place, const json_t *items, const struct member *member,
                        struct br_error *err)
{
    enum kind kind = member->kind == TEXTS ? TEXT : OBJECT;
    const json_t *item;
    size_t index;
    json_array_foreach (items, index, item) {
        struct place inner = place_of_item(place, index);
        if (!is_of_kind(item, kind)) {
            return refuse_kind(&inner, kind, err);
        }
        if (kind == OBJECT && !check_object(&inner, item, member->of, err)) {
            return false;
        }
    }
    return true;
}

static bool check_object(const struct place *place, const json_t *object,
                         const struct member *members, struct br_error *err)
{
    for (const struct member *member = members; member->key; member++) {
        struct place inner = place_of_member(place, member->key);
        const json_t *value = json_object_get(object, member->key);
        if (!value && member->is_required) {
            return refuse(&inner, "is missing", err);
        }
        if (!value) {
            continue;
        }
        if (!is_of_kind(value, member->kind)) {
            return refuse_kind(&inner, member->kind, err);
        }
        if (member->kind == OBJECT && !check_object(&inner, value, member->of, err)) {
            return false;
        }
        if (!check_items(&inner, value, member, err)) {
            return false;
        }
    }
    return true;
}

/* "images/" and one name: no folder that leads elsewhere, nothing that another system reads so. */
static bool is_inside(const char *path)
{
    static const char folder[] = "images/";
    if (strncmp(path, folder, strlen(folder)) != 0) {
        return false;
    }
    const char *name = path + strlen(folder);
    for (const char *at = name; *at; at++) {
        if ((unsigned char)*at < 0x20 || strchr("/\\:\x7F", *at)) {
            return false;
        }
    }
    return *name && *name != '.' && strlen(name) < 256;
}

static bool check_images(const struct place *place, const json_t *check, struct br_error *err)
{
    const json_t *images = json_object_get(check, "images");
    for (const struct member *member = image_members; member->key; member++) {
        const json_t *path = json_object_get(images, member->key);
        if (path && (strlen(json_string_value(path)) != json_string_length(path) ||
                     !is_inside(json_string_value(path)))) {
            struct place of_images = place_of_member(place, "images");
            struct place inner = place_of_member(&of_images, member->key);
            return refuse(&inner, "is no file in the folder images/", err);
        }
    }
    return true;
}

/* A command is copied and pasted as it is: one line that nothing can hide in. */
static bool check_command(const struct place *place, const json_t *check, struct br_error *err)
{
    const json_t *approve = json_object_get(check, "approve");
    const char *text = json_string_value(approve);
    for (size_t i = 0; text && i < json_string_length(approve); i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F) {
            struct place inner = place_of_member(place, "approve");
            return refuse(&inner, "has a control character", err);
        }
    }
    return true;
}

/* What no table of members can say. */
static bool check_one(const struct place *place, const json_t *check, json_t *seen,
                      struct br_error *err)
{
    const char *id = json_member_string(check, "id");
    if (check_status(check) == CHECK_STATUS_COUNT) {
        struct place inner = place_of_member(place, "status");
        return refuse(&inner, "is no state that a check can have", err);
    }
    if (!*id || json_object_get(seen, id)) {
        struct place inner = place_of_member(place, "id");
        return refuse(&inner, *id ? "is that of a check before" : "is empty", err);
    }
    json_object_set_new_nocheck(seen, id, json_true());
    return check_images(place, check, err) && check_command(place, check, err);
}

bool results_check(const json_t *results, const char *source, struct br_error *err)
{
    const struct place root = { .source = source };
    const struct place checks = { .source = source, .path = "checks" };
    json_auto_t *seen = json_object();
    const json_t *check;
    size_t index;
    if (!json_is_object(results)) {
        return refuse_kind(&root, OBJECT, err);
    }
    if (json_member_number(results, "version", 0) != 1) {
        const struct place version = { .source = source, .path = "version" };
        return refuse(&version, "is not 1: another version of browser-runner wrote it", err);
    }
    if (!check_object(&root, results, document_members, err)) {
        return false;
    }
    if (json_array_size(results_checks(results)) > MAX_CHECKS) {
        return refuse(&checks, "has more than 100,000 entries", err);
    }
    json_array_foreach (results_checks(results), index, check) {
        struct place place = place_of_item(&checks, index);
        if (!check_one(&place, check, seen, err)) {
            return false;
        }
    }
    return true;
}
