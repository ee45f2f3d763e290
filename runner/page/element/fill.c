#include "runner/page/element/fill.h"

#include "runner/base/cut.h"
#include "runner/base/json.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/form.h"
#include "runner/page/element/input.h"
#include "runner/page/element/named.h"
#include "runner/page/element/patience.h"
#include "runner/page/element/target.h"
#include "runner/page/element/typing.h"

#include <stdio.h>
#include <string.h>

static const char place_key[] = "place"; /* in an entry, until page_fill_place() takes it */

struct locating {
    struct job job;
    struct element *element;
};

static bool locate_once(struct page *page, const struct page_target *target, int attempt,
                        void *data, struct br_error *err)
{
    struct locating *locating = data;
    (void)attempt;
    element_finish(locating->element);
    return target_locate(page, target, &locating->job, locating->element, err);
}

/* Takes ownership of options. */
static bool locate(struct page *page, const struct page_target *target, const char *function,
                   json_t *options, struct element *ret_element, struct br_error *err)
{
    json_auto_t *held = options;
    struct locating locating = { { function, held }, ret_element };
    return patience_try(page, target, locate_once, &locating, err);
}

/* Returns the found element as a target. Texts are borrowed from the element. */
static struct page_target target_of(struct page *page, const struct element *element,
                                    const struct page_target *found_by)
{
    struct page_target target = {
        .node = { .frame_id = element->frame_id,
                  .loader_id = page_frame_loader(page, element->frame_id),
                  .backend_id = element->backend_id },
        .ignores_no_ai = found_by->ignores_no_ai,
        .nth = -1,
        .patience_ms = found_by->patience_ms,
    };
    const char *name = found_by->field ? found_by->field : "";
    size_t length = cut_length(name, strlen(name), sizeof(target.node.label) - 3);
    bool is_named = length > 0 && length == strlen(name);
    snprintf(target.node.label, sizeof(target.node.label), is_named ? "\"%s\"" : "the field%.0s",
             name);
    return target;
}

static bool fill_text(struct page *page, const struct page_target *target, const json_t *way,
                      struct br_error *err)
{
    const char *text = json_member_string(way, "text");
    return page_focus(page, target, true, true, err) &&
           (!text || !*text || page_type(page, text, 0, err));
}

static bool choose(struct page *page, const struct page_target *target, const json_t *way,
                   struct br_error *err)
{
    json_auto_t *selected = NULL;
    const struct page_choice choice = {
        .by = json_member_string(way, "by"),
        .wanted = json_object_get(way, "wanted"),
    };
    return page_select(page, target, &choice, &selected, err);
}

/* Does what the script decided for the element. */
static bool act(struct page *page, const struct page_target *target, const json_t *way,
                struct br_error *err)
{
    const char *kind = json_member_string(way, "kind");
    if (strcmp(kind, "check") == 0) {
        return page_check(page, target, json_member_bool(way, "checked", false), err);
    }
    return strcmp(kind, "select") == 0 ? choose(page, target, way, err)
                                       : fill_text(page, target, way, err);
}

static json_t *options_of(const json_t *value, int member)
{
    return json_pack("{s:O, s:i}", "value", (json_t *)value, "member", member);
}

/* Sets the other checkboxes of the same name. */
static bool act_on_others(struct page *page, const struct page_target *target, const json_t *value,
                          int members, struct br_error *err)
{
    for (int i = 1; i < members; i++) {
        CLEANUP_ELEMENT struct element box = { 0 };
        if (!locate(page, target, script_field, options_of(value, i), &box, err)) {
            return false;
        }
        struct page_target own = target_of(page, &box, target);
        if (!act(page, &own, box.answer, err)) {
            return false;
        }
    }
    return true;
}

/* Reads the current value; if the page has replaced the element, that of its replacement. */
static bool read_value(struct page *page, const struct page_target *target,
                       const struct element *element, const json_t *value, json_t **ret_answer)
{
    struct br_error gone;
    if (element_call(page, element, script_fieldNow, options_of(value, 0), ret_answer, &gone)) {
        return true;
    }
    CLEANUP_ELEMENT struct element again = { 0 };
    struct page_target now = *target;
    now.patience_ms = 0;
    if (!page_is_alive(page) ||
        !locate(page, &now, script_field, options_of(value, 0), &again, &gone)) {
        return false;
    }
    return element_call(page, &again, script_fieldNow, options_of(value, 0), ret_answer, &gone);
}

static void add_value(struct page *page, const struct page_target *target,
                      const struct element *element, const json_t *value, json_t *entry)
{
    json_auto_t *now = NULL;
    if (!read_value(page, target, element, value, &now)) {
        json_object_set_new(entry, "changed", json_true());
        json_object_set_new(entry, "why", json_string("the field was removed after it was filled"));
        return;
    }
    json_t *held = json_object_get(now, "value");
    if (held) {
        json_object_set(entry, "value", held);
    }
    if (json_member_bool(now, "isChanged", false)) {
        json_object_set_new(entry, "changed", json_true());
        json_object_set_new(entry, "why", json_string("the field changed the value"));
    }
}

static void describe(const struct element *element, json_t *entry)
{
    json_object_update(entry, json_object_get(element->answer, "about"));
    if (json_member_bool(element->answer, "isPrivate", false)) {
        json_object_set_new(entry, "private", json_true());
    }
    if (json_member_bool(element->answer, "isInForm", false)) {
        json_object_set_new(entry, place_key,
                            json_pack("{s:s, s:I}", "frame", element->frame_id, "id",
                                      (json_int_t)element->backend_id));
    }
}

bool page_fill(struct page *page, const struct page_target *target, const json_t *value,
               json_t *entry, struct br_error *err)
{
    enum { TRIES = 2 }; /* a page may render its form again after another field was filled */
    for (int i = 1;; i++) {
        CLEANUP_ELEMENT struct element element = { 0 };
        if (!locate(page, target, script_field, options_of(value, 0), &element, err)) {
            return false;
        }
        struct page_target own = target_of(page, &element, target);
        describe(&element, entry);
        int members = (int)json_member_number(element.answer, "members", 1);
        if (act(page, &own, element.answer, err) &&
            act_on_others(page, target, value, members, err)) {
            add_value(page, target, &element, value, entry);
            return true;
        }
        if (err->code != BR_STALE_NODE || i == TRIES || !page_is_alive(page)) {
            return false;
        }
    }
}

json_t *page_fill_place(json_t *entry)
{
    json_t *place = json_incref(json_object_get(entry, place_key));
    json_object_del(entry, place_key);
    return place;
}

static bool locate_form(struct page *page, const json_t *place, int64_t patience_ms,
                        const char *function, struct element *ret_element, struct br_error *err)
{
    const char *frame_id = json_member_string(place, "frame");
    struct page_target target = {
        .node = { .frame_id = frame_id,
                  .loader_id = page_frame_loader(page, frame_id),
                  .backend_id = (int64_t)json_member_number(place, "id", 0),
                  .label = "the form" },
        .ignores_no_ai = true, /* this was checked when the field was filled */
        .nth = -1,
        .patience_ms = patience_ms,
    };
    return target.node.loader_id
               ? locate(page, &target, function, json_object(), ret_element, err)
               : error_set(err, BR_STALE_NODE, "the frame of the form no longer exists");
}

/* Finds the one form of all places; INVALID_ACTION if there are several. Caller decrefs. */
static json_t *find_form(struct page *page, const json_t *places, int64_t patience_ms,
                         struct br_error *err)
{
    json_auto_t *form = NULL;
    size_t index;
    json_t *place;
    json_array_foreach (places, index, place) {
        CLEANUP_ELEMENT struct element element = { 0 };
        struct br_error gone;
        if (!locate_form(page, place, patience_ms, script_formAround, &element, &gone)) {
            if (!page_is_alive(page)) {
                *err = gone;
                return NULL;
            }
            continue;
        }
        json_auto_t *found = json_pack("{s:s, s:I}", "frame", element.frame_id, "id",
                                       (json_int_t)element.backend_id);
        if (form && !json_equal(form, found)) {
            error_set(err, BR_INVALID_ACTION, "fields of several forms were filled");
            error_hint(err, "name the form that is to be submitted: form");
            return NULL;
        }
        form = form ? form : json_incref(found);
    }
    if (!form) {
        error_set(err, BR_INVALID_ACTION,
                  "the filled fields are in no form that could be submitted");
        error_hint(err, "click what submits it");
    }
    return form ? json_incref(form) : NULL;
}

/* Reads whether a submit event has occurred, or the page was left. */
static bool read_submitted(struct page *page, const struct element *form, bool *ret_is_submitted,
                           struct br_error *err)
{
    json_auto_t *answer = NULL;
    struct br_error gone;
    if (!element_call(page, form, script_submitted, NULL, &answer, &gone)) {
        *ret_is_submitted = gone.code == BR_TARGET_NOT_FOUND || gone.code == BR_STALE_NODE;
        *err = gone;
        return *ret_is_submitted && page_is_alive(page);
    }
    const char *held = json_member_string(answer, "held");
    *ret_is_submitted = json_member_bool(answer, "isSubmitted", false);
    if (held) {
        error_set(err, BR_INVALID_ACTION, "the form was not submitted, since it is not valid: %s",
                  held);
        return error_hint(err, "fill in what is missing or wrong");
    }
    return true;
}

bool page_submit(struct page *page, const json_t *places, int64_t patience_ms,
                 bool *ret_is_submitted, struct br_error *err)
{
    CLEANUP_ELEMENT struct element form = { 0 };
    json_auto_t *answer = NULL;
    json_auto_t *place = find_form(page, places, patience_ms, err);
    if (!place || !locate_form(page, place, patience_ms, script_submitter, &form, err)) {
        return false;
    }
    const char *name = json_member_string(form.answer, "name");
    bool is_button = json_member_bool(form.answer, "isButton", false);
    page_log(page, BR_LOG_INFO, "input", is_button ? "submits by a click on %s" : "submits %s",
             name ? name : "the form");
    if (is_button) {
        struct page_target button =
            target_of(page, &form, &(struct page_target){ .patience_ms = patience_ms });
        struct page_click click = { .button = "left", .count = 1 };
        snprintf(button.node.label, sizeof(button.node.label), "the button");
        button.ignores_no_ai = false;
        if (!page_click(page, &button, &click, err)) {
            return false;
        }
    } else {
        page_act(page);
        if (!element_call(page, &form, script_requestSubmit, NULL, &answer, err) &&
            !frame_has_gone(page, err)) {
            return false;
        }
    }
    page_receive_flush(page, page_send_flush(page));
    return read_submitted(page, &form, ret_is_submitted, err);
}
