#include "runner/base/json.h"
#include "runner/page/frames.h"
#include "runner/page/show.h"
#include "runner/page/target.h"

#include <string.h>

/* One call of scripts/locate.js; what it answers is kept. */
struct asking {
    const char *mode;
    json_t *more; /* NULL: nothing */
    json_t *answer;
};

static bool ask_once(struct page *page, const struct page_target *target, int attempt, void *data,
                     struct br_error *err)
{
    struct asking *asking = data;
    (void)attempt;
    return target_locate(page, target, asking->mode, json_incref(asking->more), &asking->answer,
                         err);
}

bool page_select(struct page *page, const struct page_target *target,
                 const struct page_choice *choice, struct br_error *err)
{
    json_t *wanted = json_object();
    if (choice->value) {
        json_object_set_new(wanted, "value", json_text(choice->value));
    } else if (choice->label) {
        json_object_set_new(wanted, "label", json_text(choice->label));
    } else if (choice->index != PAGE_NO_INDEX) {
        json_object_set_new(wanted, "index", json_integer(choice->index));
    }
    json_auto_t *more = json_pack("{s:o, s:s}", "choice", wanted, "alignment", "nearest");
    struct asking asking = { .mode = "select", .more = more };
    page_act(page);
    if (!target_try(page, target, ask_once, &asking, err)) {
        return false;
    }
    show_focus(page, NULL, false);
    json_auto_t *answer = asking.answer;
    const char *said = json_member_string(answer, "said");
    page_log(page, BR_LOG_INFO, "input", "%s %s", said ? said : "the option",
             json_member_bool(answer, "isChanged", false) ? "was chosen" : "was chosen already");
    return true;
}

static bool read_checked(struct page *page, const struct page_target *target, json_t **ret_answer,
                         struct br_error *err)
{
    struct asking asking = { .mode = "checked" };
    if (!target_try(page, target, ask_once, &asking, err)) {
        return false;
    }
    *ret_answer = asking.answer;
    return true;
}

bool page_check(struct page *page, const struct page_target *target, bool is_checked,
                struct br_error *err)
{
    json_auto_t *before = NULL;
    json_auto_t *after = NULL;
    struct page_click click = { .button = "left", .count = 1 };
    const char *state = is_checked ? "checked" : "unchecked";
    if (!read_checked(page, target, &before, err)) {
        return false;
    }
    if (json_member_bool(before, "checked", false) == is_checked) {
        page_log(page, BR_LOG_INFO, "input", "it was %s already", state);
        return true;
    }
    const char *name = json_member_string(before, "name");
    if (!is_checked && json_member_bool(before, "isRadio", false)) {
        error_set(err, BR_INVALID_ACTION, "%s is a radio button: it cannot be unchecked", name);
        return error_hint(err, "check another one of its group");
    }
    if (!page_click(page, target, &click, err) || !read_checked(page, target, &after, err)) {
        return false;
    }
    return json_member_bool(after, "checked", false) == is_checked ||
           error_set(err, BR_UNKNOWN_ERROR, "%s was clicked and is not %s", name, state);
}

/* Gives the files to the field that mode 'files' kept. */
static bool set_files(struct page *page, const json_t *paths, struct br_error *err)
{
    static const char kept[] = "function () { return globalThis.browserRunnerKept; }";
    struct frame *frame = frame_acting(page);
    CLEANUP_FREE char *object_id = NULL;
    if (!frame_get_object(page, frame, kept, &object_id, err)) {
        return false;
    }
    if (!object_id) {
        return error_set(err, BR_TARGET_NOT_FOUND, "the page was left before the files were set");
    }
    page_act(page);
    bool is_set =
        frame_command(page, frame, "DOM.setFileInputFiles",
                      json_pack("{s:O, s:s}", "files", paths, "objectId", object_id), NULL, err);
    frame_release(page, frame);
    return is_set;
}

bool page_upload(struct page *page, const struct page_target *target, const json_t *paths,
                 struct br_error *err)
{
    static const char counted[] = "function () { const kept = globalThis.browserRunnerKept;"
                                  " return kept && kept.isConnected ? kept.files.length : -1; }";
    struct asking asking = { .mode = "files" };
    if (!target_try(page, target, ask_once, &asking, err)) {
        return false;
    }
    json_auto_t *answer = asking.answer;
    if (json_array_size(paths) > 1 && !json_member_bool(answer, "isMultiple", false)) {
        return error_set(err, BR_INVALID_ACTION, "%s takes one file, not %zu",
                         json_member_string(answer, "name"), json_array_size(paths));
    }
    json_auto_t *nothing = json_object();
    json_auto_t *count = NULL;
    if (!set_files(page, paths, err) ||
        !frame_call(page, frame_acting(page), counted, nothing, NULL, &count, err)) {
        return false;
    }
    /* Many pages take the files and empty or replace the field at once. */
    if (json_integer_value(count) != (json_int_t)json_array_size(paths)) {
        page_log(page, BR_LOG_INFO, "input", "the page has taken the files out of the field");
    }
    return true;
}
