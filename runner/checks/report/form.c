/*
 * The form of results.json according to docs/schema/results.schema.json, as tables and functions
 * that check them.
 */
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/shape.h"
#include "runner/checks/report/results.h"

#include <stdio.h>
#include <string.h>

/* More than any suite has; a report with this many can still be opened. */
enum { MAX_CHECKS = 100000 };

static const struct shape viewport_members[] = {
    { "name", SHAPE_TEXT, true, NULL, NULL },
    { "width", SHAPE_COUNT, true, NULL, NULL },
    { "height", SHAPE_COUNT, true, NULL, NULL },
    { "scale", SHAPE_AMOUNT, false, NULL, NULL },
    { 0 },
};

static const struct shape image_members[] = {
    { "expected", SHAPE_TEXT, false, NULL, NULL },
    { "actual", SHAPE_TEXT, false, NULL, NULL },
    { "diff", SHAPE_TEXT, false, NULL, NULL },
    { 0 },
};

static const struct shape region_members[] = {
    { "x", SHAPE_COUNT, true, NULL, NULL },
    { "y", SHAPE_COUNT, true, NULL, NULL },
    { "width", SHAPE_COUNT, true, NULL, NULL },
    { "height", SHAPE_COUNT, true, NULL, NULL },
    { "diffPixels", SHAPE_COUNT, false, NULL, NULL },
    { "faint", SHAPE_BOOLEAN, false, NULL, NULL },
    { 0 },
};

static const struct shape part_members[] = {
    { "x", SHAPE_COUNT, true, NULL, NULL },           { "y", SHAPE_COUNT, true, NULL, NULL },
    { "width", SHAPE_COUNT, true, NULL, NULL },       { "height", SHAPE_COUNT, true, NULL, NULL },
    { "threshold", SHAPE_AMOUNT, false, NULL, NULL }, { 0 },
};

static const struct shape comparison_members[] = {
    { "diffPixels", SHAPE_COUNT, true, NULL, NULL },
    { "diffRatio", SHAPE_AMOUNT, true, NULL, NULL },
    { "antialiasedPixels", SHAPE_COUNT, false, NULL, NULL },
    { "faintPixels", SHAPE_COUNT, false, NULL, NULL },
    { "layoutDiffers", SHAPE_BOOLEAN, false, NULL, NULL },
    { "threshold", SHAPE_AMOUNT, false, NULL, NULL },
    { "allowedPixels", SHAPE_COUNT, false, NULL, NULL },
    { "regions", SHAPE_OBJECTS, false, region_members, NULL },
    { "fingerprint", SHAPE_TEXT, false, NULL, NULL },
    { "metric", SHAPE_TEXT, false, NULL, NULL },
    { "ignored", SHAPE_OBJECTS, false, part_members, NULL },
    { "thresholds", SHAPE_OBJECTS, false, part_members, NULL },
    { 0 },
};

static const struct shape log_members[] = {
    { "type", SHAPE_TEXT, true, NULL, NULL },         { "message", SHAPE_TEXT, true, NULL, NULL },
    { "timestamp", SHAPE_AMOUNT, false, NULL, NULL }, { "source", SHAPE_TEXT, false, NULL, NULL },
    { "category", SHAPE_TEXT, false, NULL, NULL },    { "location", SHAPE_TEXT, false, NULL, NULL },
    { "stack", SHAPE_TEXT, false, NULL, NULL },       { 0 },
};

static const struct shape network_members[] = {
    { "url", SHAPE_TEXT, true, NULL, NULL },
    { "method", SHAPE_TEXT, false, NULL, NULL },
    { "status", SHAPE_COUNT, false, NULL, NULL },
    { "error", SHAPE_TEXT, false, NULL, NULL },
    { 0 },
};

static const struct shape no_members[] = { { 0 } };

static const struct shape check_members[] = {
    { "id", SHAPE_TEXT, true, NULL, NULL },
    { "name", SHAPE_TEXT, true, NULL, NULL },
    { "viewport", SHAPE_OBJECT, true, viewport_members, NULL },
    { "url", SHAPE_TEXT, false, NULL, NULL },
    { "tags", SHAPE_TEXTS, false, NULL, NULL },
    { "status", SHAPE_TEXT, true, NULL, NULL },
    { "reason", SHAPE_TEXT, false, NULL, NULL },
    { "errorCode", SHAPE_TEXT, false, NULL, NULL },
    { "hint", SHAPE_TEXT, false, NULL, NULL },
    { "durationMs", SHAPE_AMOUNT, false, NULL, NULL },
    { "attempts", SHAPE_COUNT, false, NULL, NULL },
    { "earlier", SHAPE_TEXTS, false, NULL, NULL },
    { "unstable", SHAPE_TEXTS, false, NULL, NULL },
    { "warnings", SHAPE_TEXTS, false, NULL, NULL },
    { "images", SHAPE_OBJECT, false, image_members, NULL },
    { "width", SHAPE_COUNT, false, NULL, NULL },
    { "height", SHAPE_COUNT, false, NULL, NULL },
    { "comparison", SHAPE_OBJECT, false, comparison_members, NULL },
    { "problems", SHAPE_TEXTS, false, NULL, NULL },
    { "logs", SHAPE_OBJECTS, false, log_members, NULL },
    { "networkFailures", SHAPE_OBJECTS, false, network_members, NULL },
    { "metrics", SHAPE_OBJECT, false, no_members, NULL },
    { "approve", SHAPE_TEXT, false, NULL, NULL },
    { 0 },
};

static const struct shape group_members[] = {
    { "fingerprint", SHAPE_TEXT, true, NULL, NULL },
    { "checks", SHAPE_TEXTS, true, NULL, NULL },
    { 0 },
};

static const struct shape shard_members[] = {
    { "index", SHAPE_COUNT, true, NULL, NULL },
    { "total", SHAPE_COUNT, true, NULL, NULL },
    { "deal", SHAPE_TEXT, false, NULL, NULL },
    { 0 },
};

static const struct shape document_members[] = {
    { "version", SHAPE_COUNT, true, NULL, NULL },
    { "suite", SHAPE_TEXT, true, NULL, NULL },
    { "baselines", SHAPE_TEXT, false, NULL, NULL },
    { "startedAt", SHAPE_AMOUNT, true, NULL, NULL },
    { "durationMs", SHAPE_AMOUNT, true, NULL, NULL },
    { "environment", SHAPE_OBJECT, false, no_members, NULL },
    { "shard", SHAPE_OBJECT, false, shard_members, NULL },
    { "against", SHAPE_TEXT, false, NULL, NULL },
    { "warnings", SHAPE_TEXTS, false, NULL, NULL },
    { "stale", SHAPE_TEXTS, false, NULL, NULL },
    { "complete", SHAPE_BOOLEAN, true, NULL, NULL },
    { "totals", SHAPE_OBJECT, true, no_members, NULL },
    { "groups", SHAPE_OBJECTS, false, group_members, NULL },
    { "checks", SHAPE_OBJECTS, true, check_members, NULL },
    { 0 },
};

/* Reports a violation that the tables cannot express; `place` is its path: "checks[3].status". */
static bool refuse(const char *place, const char *what, struct br_error *err)
{
    return error_set(err, BR_INVALID_ACTION, "%s %s", place, what);
}

/* Accepts "images/" and one name, which is no path to another folder on any system. */
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

static bool check_images(const char *place, const json_t *check, struct br_error *err)
{
    const json_t *images = json_object_get(check, "images");
    for (const struct shape *member = image_members; member->name; member++) {
        const json_t *path = json_object_get(images, member->name);
        if (path && (strlen(json_string_value(path)) != json_string_length(path) ||
                     !is_inside(json_string_value(path)))) {
            CLEANUP_FREE char *inner = xasprintf("%s.images.%s", place, member->name);
            return refuse(inner, "is no file in the folder images/", err);
        }
    }
    return true;
}

/* Users copy and paste a command, so it must be one line without hidden characters. */
static bool check_command(const char *place, const json_t *check, struct br_error *err)
{
    const json_t *approve = json_object_get(check, "approve");
    const char *text = json_string_value(approve);
    for (size_t i = 0; text && i < json_string_length(approve); i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F) {
            CLEANUP_FREE char *inner = xasprintf("%s.approve", place);
            return refuse(inner, "has a control character", err);
        }
    }
    return true;
}

/* Checks what the table of members cannot express. */
static bool check_one(const char *place, const json_t *check, json_t *seen, struct br_error *err)
{
    const char *id = json_member_string(check, "id");
    if (check_status(check) == CHECK_STATUS_COUNT) {
        CLEANUP_FREE char *inner = xasprintf("%s.status", place);
        return refuse(inner, "is not a status of a check", err);
    }
    if (!*id || json_object_get(seen, id)) {
        CLEANUP_FREE char *inner = xasprintf("%s.id", place);
        return refuse(inner, *id ? "is also the id of an earlier check" : "is empty", err);
    }
    json_object_set_new_nocheck(seen, id, json_true());
    return check_images(place, check, err) && check_command(place, check, err);
}

static bool check_document(const json_t *results, struct br_error *err)
{
    json_auto_t *seen = json_object();
    const json_t *check;
    size_t index;
    if (!json_is_object(results)) {
        return error_set(err, BR_INVALID_ACTION, "is not an object");
    }
    if (json_member_number(results, "version", 0) != 1) {
        return refuse("version", "is not 1: another version of browser-runner wrote it", err);
    }
    if (!shape_check(results, document_members, "", err)) {
        return false;
    }
    if (json_array_size(results_checks(results)) > MAX_CHECKS) {
        return refuse("checks", "has more than 100,000 entries", err);
    }
    json_array_foreach (results_checks(results), index, check) {
        CLEANUP_FREE char *place = xasprintf("checks[%zu]", index);
        if (!check_one(place, check, seen, err)) {
            return false;
        }
    }
    return true;
}

bool results_check(const json_t *results, const char *source, struct br_error *err)
{
    return check_document(results, err) || error_context(err, "%s", source);
}
