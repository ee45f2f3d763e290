#include "runner/page/element/typing.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/heard.h"
#include "runner/page/element/keyboard.h"
#include "runner/page/element/resolve.h"
#include "runner/page/element/show.h"
#include "runner/privacy/secrets.h"

#include <string.h>

/*
 * Longer text without a delay is inserted: a key takes about a millisecond. Lines from MIN_INSERTED
 * on are inserted if the page would not notice the keys.
 */
enum { MAX_TYPED = 2000, MIN_INSERTED = 100 };

/* Prefixes of events by which a page may notice single keys. */
static const char *const key_events[] = { "key", "beforeinput", "textInput", "composition", NULL };

/* Returns the bytes of the UTF-8 character at text; 1 for an invalid one. */
static size_t character_length(const char *text)
{
    size_t length = 1;
    while (((unsigned char)text[length] & 0xC0) == 0x80) {
        length++;
    }
    return length;
}

static size_t count_characters(const char *text)
{
    size_t count = 0;
    for (; *text; text += character_length(text)) {
        count++;
    }
    return count;
}

static bool insert(struct page *page, const char *text, size_t length, struct br_error *err)
{
    CLEANUP_FREE char *part = xstrndup(text, length);
    return page_command(page, "Input.insertText", json_pack("{s:o}", "text", json_text(part)), NULL,
                        err);
}

/* Types the character at text without waiting, and returns its length; 0 with an error. */
static size_t type_character(struct page *page, struct flight *flight, const char *text,
                             struct br_error *err)
{
    struct chord chord = { .count = 1 };
    const char *name = *text == '\n' || *text == '\r' ? "Enter" : *text == '\t' ? "Tab" : NULL;
    if (name ? keyboard_find_key(name, &chord.keys[0])
             : keyboard_find_character(*text, &chord.keys[0])) {
        bool is_pair = text[0] == '\r' && text[1] == '\n';
        return keyboard_send(page, flight, &chord, err) ? 1 + (size_t)is_pair : 0;
    }
    size_t length = character_length(text);
    return keyboard_land(page, flight, err) && insert(page, text, length, err) ? length : 0;
}

/* Records the content of a private field as secret, and the text about to be typed into it. */
static void take_secrets(struct page *page, const char *function, const char *text,
                         const json_t *answer)
{
    struct secrets *secrets = page->options.secrets;
    if (secrets && json_member_bool(answer, "isPrivate", false)) {
        const char *held = json_member_string(answer, "secret");
        if (held && strlen(held) > 1) {
            secrets_add(secrets, held, NULL); /* a single character may be one box of a code */
        }
        if (function == script_beforeLine) {
            secrets_add_typed(secrets, text);
        }
    }
}

static bool call_in(struct page *page, const struct element *focused, const char *function,
                    json_t *argument, json_t **ret_answer, struct br_error *err)
{
    struct frame *frame = element_frame(page, focused);
    json_auto_t *field = element_objects(focused);
    return frame_call(page, frame, function, argument, field, ret_answer, err) ||
           (field && page_was_left(err) && /* its document was replaced by this one */
            frame_call(page, frame, function, argument, NULL, ret_answer, err));
}

/*
 * Calls a function of scripts/elements/typing.js; takes ownership of argument. False with an error
 * if the text did not arrive.
 */
static bool call_typed(struct page *page, const struct element *focused, const char *function,
                       json_t *argument, json_t **ret_answer, struct br_error *err)
{
    json_auto_t *line = argument;
    if (!call_in(page, focused, function, line, ret_answer, err)) {
        return false;
    }
    take_secrets(page, function, json_member_string(line, "text"), *ret_answer);
    const char *warning = json_member_string(*ret_answer, "warning");
    const char *error = json_member_string(*ret_answer, "error");
    if (warning) {
        page_log(page, BR_LOG_WARNING, "input", "%s", warning);
    }
    if (error) {
        const char *hint = json_member_string(*ret_answer, "hint");
        error_set(err, BR_UNKNOWN_ERROR, "%s", error);
        return error_hint(err, "%s",
                          hint ? hint
                               : "it may be full, accept other characters only, or be controlled "
                                 "by a script");
    }
    return true;
}

bool typing_check_empty(struct page *page, const struct element *focused, struct br_error *err)
{
    json_auto_t *answer = NULL;
    return call_typed(page, focused, script_checkEmpty, json_object(), &answer, err);
}

void typing_set_field(struct page *page, struct element *element)
{
    if (page->field) {
        element_finish(page->field);
        free(TAKE(page->field));
    }
    if (element) {
        page->field = xcalloc(1, sizeof(*page->field));
        *page->field = *element;
        *element = (struct element){ 0 };
    }
}

/*
 * Finds the focused element: its frame, and the field that was focused there, which is taken over.
 */
static bool follow_focus(struct page *page, struct element *ret_focused, struct br_error *err)
{
    struct frame *frame = NULL;
    struct element *field = page->field;
    if (!frames_update(page, err) || !frame_follow_focus(page, &frame, err)) {
        return false;
    }
    element_finish(ret_focused);
    if (field && strcmp(field->frame_id, frame->id) == 0) {
        *ret_focused = *field;
        *field = (struct element){ 0 };
    } else {
        ret_focused->frame_id = xstrdup(frame->id);
    }
    typing_set_field(page, NULL);
    return true;
}

bool typing_enter_editor(struct page *page, bool is_cleared, struct br_error *err)
{
    CLEANUP_ELEMENT struct element focused = { 0 };
    json_auto_t *answer = NULL;
    if (!follow_focus(page, &focused, err) ||
        !call_typed(page, &focused, script_enterEditor, json_object(), &answer, err)) {
        return false;
    }
    if (!is_cleared) {
        return page_press(page, "Control+End", err);
    }
    free(TAKE(focused.object_id));
    return page_press(page, "Control+A", err) && page_press(page, "Delete", err) &&
           typing_check_empty(page, &focused, err);
}

/* A text is typed line by line, and each line is checked. */
struct typing {
    const char *rest; /* remaining text */
    const char *key;  /* key pressed since the last line; NULL: none */
    int64_t delay_ms;
    bool is_inserted;   /* insert each line at once, as pasting would */
    size_t done;        /* characters that were typed; of a failed line, those that arrived */
    unsigned documents; /* mark.documents at the begin */
    bool was_navigating;
};

/* Types the line key by key; is_ahead: keys need not wait for earlier ones. */
static bool send_keys(struct page *page, struct typing *typing, const char *line, bool is_ahead,
                      struct br_error *err)
{
    struct flight flight = { 0 };
    size_t inserted = 0;
    bool is_done = true;
    while (*line && is_done) {
        bool is_key = (unsigned char)*line < 0x80;
        size_t length = type_character(page, &flight, line, err);
        bool is_waited_for = typing->delay_ms || !is_ahead;
        inserted += length && !is_key;
        is_done = length && (!is_waited_for || keyboard_land(page, &flight, err)) &&
                  (!typing->delay_ms || page_pause(page, typing->delay_ms, err));
        line += length;
    }
    is_done = is_done && keyboard_land(page, &flight, err);
    typing->done += inserted + flight.landed / 2; /* a key is pressed and released */
    return is_done;
}

/*
 * Types the line into the focused element of the frame. A long one is inserted at once if the field
 * has room for it and no script of the page notices keys there.
 */
static bool send_line(struct page *page, struct typing *typing, const struct element *focused,
                      const char *line, bool is_roomy, struct br_error *err)
{
    size_t length = strlen(line);
    bool is_inserted =
        typing->is_inserted || (length >= MIN_INSERTED && is_roomy && !typing->delay_ms &&
                                !heard_at_focus(page, element_frame(page, focused), key_events));
    if (!is_inserted) {
        return send_keys(page, typing, line, is_roomy, err);
    }
    bool is_done = !length || insert(page, line, length, err);
    typing->done += is_done ? count_characters(line) : 0;
    return is_done;
}

static bool is_left(const struct page *page, const struct typing *typing)
{
    return page_mark(page).documents != typing->documents ||
           (navigation_is_under_way(page) && !typing->was_navigating);
}

/* Types the line into the element that is focused now. */
static bool type_line(struct page *page, struct typing *typing, const char *line,
                      struct br_error *err)
{
    CLEANUP_ELEMENT struct element focused = { 0 };
    json_auto_t *before = NULL;
    json_auto_t *after = NULL;
    if (!follow_focus(page, &focused, err) ||
        !call_typed(page, &focused, script_beforeLine,
                    json_pack("{s:o, s:s*}", "text", json_text(line), "key", typing->key), &before,
                    err)) {
        return false;
    }
    show_focus(page, NULL, false);
    if (!json_member_bool(before, "isDone", false) &&
        !send_line(page, typing, &focused, line, json_member_bool(before, "isRoomy", false), err)) {
        return false;
    }
    bool is_last = !typing->rest[strlen(line)];
    if (!*line || is_left(page, typing)) {
        return true;
    }
    free(TAKE(focused.object_id)); /* the focus was determined before */
    bool is_done = call_typed(page, &focused, script_afterLine,
                              json_pack("{s:o, s:b, s:b}", "text", json_text(line), "isLast",
                                        is_last, "isLoading", is_last && acting_is_loading(page)),
                              &after, err);
    if (json_member_bool(after, "hasWaited", false)) {
        page_note_flushed(page);
    }
    return is_done;
}

/* Presses the key between two lines, which may move the focus or navigate. */
static bool end_line(struct page *page, struct typing *typing, struct br_error *err)
{
    struct flight flight = { 0 };
    size_t length = type_character(page, &flight, typing->rest, err);
    if (!length || !keyboard_land(page, &flight, err) ||
        (typing->delay_ms && !page_pause(page, typing->delay_ms, err))) {
        return false;
    }
    typing->done += length;
    typing->key = *typing->rest == '\t' ? "\t" : "\n";
    typing->rest += length;
    page_receive_flush(page, page_send_flush(page));
    return !*typing->rest || !is_left(page, typing) ||
           error_set(
               err, BR_UNKNOWN_ERROR,
               "the page was left before the whole text was typed: %zu bytes of it are missing",
               strlen(typing->rest));
}

static bool type_lines(struct page *page, struct typing *typing, struct br_error *err)
{
    for (;;) {
        size_t length = strcspn(typing->rest, "\r\n\t");
        CLEANUP_FREE char *line = xstrndup(typing->rest, length);
        if ((*line || !is_left(page, typing)) && !type_line(page, typing, line, err)) {
            return false;
        }
        typing->rest += length;
        if (!*typing->rest) {
            return true;
        }
        if (!end_line(page, typing, err)) {
            return false;
        }
    }
}

bool page_type(struct page *page, const char *text, int64_t delay_ms, struct br_error *err)
{
    struct typing typing = {
        .rest = text,
        .delay_ms = delay_ms,
        .documents = page_mark(page).documents,
        .was_navigating = navigation_is_under_way(page),
    };
    page_act(page);
    if (delay_ms == 0 && strlen(text) > MAX_TYPED) {
        page_log(page, BR_LOG_INFO, "input", "the text is long: it is inserted line by line");
        typing.is_inserted = true;
    }
    bool is_done = type_lines(page, &typing, err);
    if (!is_done && err->code == BR_TIMEOUT) {
        struct br_error why = *err;
        error_set(err, BR_TIMEOUT, "%zu of %zu characters were typed: %s", typing.done,
                  count_characters(text), why.message);
        error_hint(err, "give it more time, and `clear` the field before typing it again");
    }
    return is_done;
}

bool typing_commit(struct page *page, struct br_error *err)
{
    CLEANUP_ELEMENT struct element focused = { 0 };
    json_auto_t *answer = NULL;
    return (follow_focus(page, &focused, err) &&
            call_in(page, &focused, script_commit, NULL, &answer, err)) ||
           (page_is_alive(page) && page_was_left(err));
}
