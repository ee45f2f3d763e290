#include "runner/page/element/form.h"

#include "runner/base/json.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/chooser.h"
#include "runner/page/element/drop.h"
#include "runner/page/element/element.h"
#include "runner/page/element/heard.h"
#include "runner/page/element/input.h"
#include "runner/page/element/named.h"
#include "runner/page/element/patience.h"
#include "runner/page/element/show.h"
#include "runner/page/element/target.h"

#include <string.h>

/* Prefixes of events by which a page may notice a choice; those of a click. */
static const char *const choice_events[] = { "input", "change", "focus", "blur", NULL };
static const char *const click_events[] = { "input", "change", "focus",   "blur",
                                            "click", "mouse",  "pointer", NULL };

/* A job that is repeated until it can be done. */
struct asking {
    struct job job;
    struct element *element;
    bool was_covered; /* in the last try */
};

static bool ask_once(struct page *page, const struct page_target *target, int attempt, void *data,
                     struct br_error *err)
{
    struct asking *asking = data;
    (void)attempt;
    element_finish(asking->element);
    return target_locate(page, target, &asking->job, asking->element, err);
}

static bool select_once(struct page *page, const struct page_target *target, int attempt,
                        void *data, struct br_error *err)
{
    struct asking *asking = data;
    json_object_set_new(asking->job.options, "alignment",
                        json_string(patience_alignment(attempt, asking->was_covered)));
    bool is_done = input_operate(page, target, &asking->job, asking->element, err);
    asking->was_covered = !is_done && err->code == BR_TARGET_OBSCURED;
    return is_done;
}

/* Reads the selection after the page has reacted; NULL if the page was left. */
static bool read_chosen(struct page *page, const struct element *list, bool is_heard,
                        json_t **ret_answer, struct br_error *err)
{
    json_t *options =
        json_pack("{s:b, s:b}", "isHeard", is_heard, "isLoading", acting_is_loading(page));
    if (element_call(page, list, script_chosen, options, ret_answer, err)) {
        return true;
    }
    bool is_gone = err->code == BR_TARGET_NOT_FOUND || err->code == BR_STALE_NODE;
    if (is_gone && page_is_alive(page)) {
        page_log(page, BR_LOG_INFO, "input", "the list was replaced after the choice: %s",
                 err->message);
    }
    return is_gone && page_is_alive(page);
}

/* Returns whether the page listens for a choice; finds the list in advance. */
static bool listens_for_choice(struct page *page, const struct page_target *target)
{
    struct br_error ignored;
    CLEANUP_ELEMENT struct element list = { 0 };
    return !target_locate(page, target, &(struct job){ script_keep, NULL }, &list, &ignored) ||
           page_hears(page, &list, choice_events);
}

bool page_select(struct page *page, const struct page_target *target,
                 const struct page_choice *choice, json_t **ret_selected, struct br_error *err)
{
    CLEANUP_ELEMENT struct element list = { 0 };
    json_auto_t *options = json_object();
    json_auto_t *after = NULL;
    if (choice->by) {
        json_object_set_new(options, "choice",
                            json_pack("{s:s, s:O}", "by", choice->by, "wanted", choice->wanted));
    }
    struct asking asking = { .job = { script_select, options }, .element = &list };
    bool is_heard = listens_for_choice(page, target);
    page_act(page);
    if (!patience_try(page, target, select_once, &asking, err)) {
        return false;
    }
    show_focus(page, NULL, false);
    if (!read_chosen(page, &list, is_heard, &after, err)) {
        return false;
    }
    const char *said = json_member_string(after, "said");
    page_log(page, BR_LOG_INFO, "input", "%s %s", said ? said : "the option",
             json_member_bool(list.answer, "isChanged", false) ? "was chosen"
                                                               : "was chosen already");
    *ret_selected = json_incref(json_object_get(after, "selected"));
    return true;
}

/* Takes ownership of options. */
static bool read_checked(struct page *page, const struct page_target *target, json_t *options,
                         struct element *ret_element, struct br_error *err)
{
    json_auto_t *held = options;
    struct asking asking = { .job = { script_checked, held }, .element = ret_element };
    return patience_try(page, target, ask_once, &asking, err);
}

bool page_check(struct page *page, const struct page_target *target, bool is_checked,
                struct br_error *err)
{
    CLEANUP_ELEMENT struct element before = { 0 };
    CLEANUP_ELEMENT struct element after = { 0 };
    struct page_click click = { .button = "left", .count = 1 };
    const char *state = is_checked ? "checked" : "unchecked";
    if (!read_checked(page, target, json_pack("{s:b}", "wanted", is_checked), &before, err)) {
        return false;
    }
    if (json_member_bool(before.answer, "checked", false) == is_checked) {
        page_log(page, BR_LOG_INFO, "input", "it was %s already", state);
        return true;
    }
    const char *name = json_member_string(before.answer, "name");
    if (!is_checked && json_member_bool(before.answer, "isRadio", false)) {
        error_set(err, BR_INVALID_ACTION, "%s is a radio button: it cannot be unchecked", name);
        return error_hint(err, "check another one of its group");
    }
    bool is_heard = page_hears(page, &before, click_events);
    if (!page_click(page, target, &click, err) ||
        !read_checked(page, target,
                      json_pack("{s:b, s:b, s:b, s:b}", "wanted", is_checked, "isClicked", 1,
                                "isHeard", is_heard, "isLoading", acting_is_loading(page)),
                      &after, err)) {
        return false;
    }
    return json_member_bool(after.answer, "checked", false) == is_checked ||
           error_set(err, BR_UNKNOWN_ERROR, "%s was clicked and is not %s", name, state);
}

static bool set_files(struct page *page, const struct element *field, const json_t *paths,
                      struct br_error *err)
{
    struct frame *frame = element_frame(page, field);
    page_act(page);
    return frame_command(page, frame, "DOM.setFileInputFiles",
                         json_pack("{s:O, s:I}", "files", paths, "backendNodeId",
                                   (json_int_t)field->backend_id),
                         NULL, err) ||
           (page_was_left(err) && page_is_alive(page)
                ? error_set(err, BR_TARGET_NOT_FOUND, "the page was left before the files were set")
                : false);
}

/* Checks that the field described by `answer` accepts these files. */
static bool check_field(const json_t *answer, const json_t *paths, bool is_directory,
                        struct br_error *err)
{
    const char *name = json_member_string(answer, "name");
    size_t count = json_array_size(paths);
    if (json_member_bool(answer, "isDirectory", false) != is_directory) {
        error_set(err, BR_INVALID_ACTION, "%s takes %s, and %s is %s", name,
                  is_directory ? "files" : "a directory",
                  json_string_value(json_array_get(paths, 0)),
                  is_directory ? "a directory" : "a file");
        return error_hint(err, is_directory ? "name the files in it" : "name one directory");
    }
    return count == 1 || json_member_bool(answer, "isMultiple", false) ||
           error_set(err, BR_INVALID_ACTION, "%s takes one file, not %zu", name, count);
}

/* Checks that the field has the files; many pages take them out at once, or replace the field. */
static bool check_files(struct page *page, const struct element *field, const json_t *paths,
                        struct br_error *err)
{
    json_auto_t *answer = NULL;
    if (!element_call(page, field, script_filesTaken, NULL, &answer, err) &&
        !frame_has_gone(page, err)) {
        return false;
    }
    int count = (int)json_member_number(answer, "count", -1);
    if (count <= 0 && !json_member_bool(answer, "isTaken", true)) {
        return error_set(err, BR_UNKNOWN_ERROR, "the field did not take the files");
    }
    if (count < (int)json_array_size(paths)) {
        page_log(page, BR_LOG_INFO, "input", "the page has removed the files from the field");
    }
    return true;
}

/* Uploads to a file input, to its label, or to a drop area. */
static bool upload_to(struct page *page, const struct page_target *target, const json_t *paths,
                      bool is_directory, struct br_error *err)
{
    CLEANUP_ELEMENT struct element field = { 0 };
    struct asking asking = { .job = { script_files, NULL }, .element = &field };
    if (!patience_try(page, target, ask_once, &asking, err)) {
        return false;
    }
    if (json_member_bool(field.answer, "isArea", false)) {
        return drop_files(page, target, paths, err);
    }
    return check_field(field.answer, paths, is_directory, err) &&
           set_files(page, &field, paths, err) && check_files(page, &field, paths, err);
}

bool page_upload(struct page *page, const struct page_target *target, const json_t *paths,
                 bool is_directory, struct br_error *err)
{
    struct page_target chosen = { .nth = -1, .patience_ms = target->patience_ms };
    if (page_target_is_element(target)) {
        return upload_to(page, target, paths, is_directory, err);
    }
    if (!chooser_await(page, deadline_in_ms(target->patience_ms), &chosen.node, err)) {
        return false;
    }
    CLEANUP_FREE char *frame_id = xstrdup(chosen.node.frame_id);
    CLEANUP_FREE char *loader_id = xstrdup(chosen.node.loader_id);
    chosen.node.frame_id = frame_id;
    chosen.node.loader_id = loader_id;
    bool is_answered = upload_to(page, &chosen, paths, is_directory, err);
    if (is_answered || err->code == BR_STALE_NODE) {
        chooser_forget(page);
    }
    return is_answered;
}
