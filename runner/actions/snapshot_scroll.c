#include "runner/actions/snapshot_parts.h"
#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/base/strbuf.h"
#include "runner/observe/stream.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/named.h"
#include "runner/page/element/target.h"
#include "runner/snapshot/outline/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SETTLE_MS = 1000,     /* for content that loads when it becomes visible */
    ANSWER_MS = 5000,     /* for responses to the requests made meanwhile */
    DRAW_MS = 500,        /* for rendering what arrived */
    LEAST_MS = 2000,      /* minimum time for another screen */
    LAST_LINE_TOKENS = 20 /* reserved for the line that says that there is more */
};

/* What is scrolled, its original position, and the height of a screen. */
struct course {
    struct page_target target; /* the window, or what scrolls in its place if the window does not */
    const struct snapshot_scroller *box;
    double x, y, step;
    bool is_impatient; /* an earlier response took too long: later ones are not waited for */
};

/* Reads the current position by scrolling by zero. */
static bool begin_course(struct action_run *run, const struct snapshot_scrollers *scrollers,
                         struct course *ret_course, struct br_error *err)
{
    struct course *course = ret_course;
    struct page_scroll nothing = { .is_delta = true };
    struct page_scrolled scrolled = { 0 };
    struct snapshot_identity identity;
    double width = 0;
    double height = 0;
    bool is_of_box = scrollers->count && (scrollers->is_of_element || !scrollers->page_is_longer);
    *course = (struct course){ .target = { .nth = -1 } };
    wire_viewport(run->page, &width, &height);
    if (is_of_box) {
        course->box = &scrollers->boxes[0];
        height = fmin(height, (double)course->box->height);
        if (!snapshot_ids_find(snapshot_store_ids(run->snapshots), course->box->id, &identity,
                               err)) {
            return false;
        }
        course->target.ignores_no_ai = param_boolean(run->action, "ignoreNoAi", false);
        course->target.node = (struct page_node){
            .frame_id = identity.frame_id,
            .loader_id = identity.loader_id,
            .backend_id = identity.backend_id,
        };
        snprintf(course->target.node.label, sizeof(course->target.node.label), "node e%u",
                 course->box->id);
    }
    course->step = fmax(height * 0.9, 1);
    if (!page_scroll(run->page, &course->target, &nothing, &scrolled, err)) {
        return false;
    }
    course->x = scrolled.x;
    course->y = scrolled.y;
    return true;
}

static bool wait_until(struct page *page, int64_t ms, uint64_t since, uint64_t end,
                       struct br_error *err)
{
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_earlier(before, deadline_in_ms(ms)));
    bool is_done = end == UINT64_MAX ? page_wait_network_idle(page, 0, err)
                                     : page_wait_requests(page, since, end, err);
    page_set_deadline(page, before);
    return is_done;
}

/*
 * Lets newly visible content load. Does not wait for a page that never becomes quiet, only for the
 * responses to requests made since then.
 */
static void settle(struct action_run *run, struct course *course, uint64_t since)
{
    struct page *page = run->page;
    struct br_error late = { 0 };
    if (wait_until(page, SETTLE_MS, 0, UINT64_MAX, &late) || late.code != BR_TIMEOUT ||
        course->is_impatient) {
        return;
    }
    uint64_t end = page_requests_begun(page);
    if (wait_until(page, ANSWER_MS, since, end, &late)) {
        wait_until(page, DRAW_MS, 0, UINT64_MAX, &late);
    } else if (late.code == BR_TIMEOUT) {
        course->is_impatient = true;
        log_tool(run->logs, BR_LOG_WARNING, "snapshot",
                 "a request made while scrolling was not answered in time, and its content may be "
                 "missing: %s",
                 late.message);
    }
}

/* Scrolls one screen; *ret_has_moved is false at the end. */
static bool scroll_on(struct page *page, const struct course *course, bool *ret_has_moved,
                      struct br_error *err)
{
    struct page_scroll scroll = { .is_delta = true, .y = course->step };
    struct page_scrolled scrolled = { 0 };
    bool is_done = page_scroll(page, &course->target, &scroll, &scrolled, err);
    *ret_has_moved = scrolled.moved > 0;
    return is_done;
}

/* Adds the new lines of a difference and where they belong; skips lines that only give a place. */
static void add_new_lines(struct strbuf *text, const char *difference)
{
    for (const char *line = difference; *line;) {
        size_t length = strcspn(line, "\n");
        size_t end = length + (line[length] == '\n');
        const char *said = line + 2 + (length > 2 ? strspn(line + 2, " ") : 0);
        if (length > 2 && line[0] != '-' && *said != '(') {
            strbuf_add(text, line + 2, end - 2);
        }
        line += end;
    }
}

/* Adds the new blocks of a Markdown difference; keeps separate blocks separate. */
static void add_new_blocks(struct strbuf *text, const char *difference)
{
    bool is_apart = true;
    for (const char *line = difference; *line;) {
        size_t length = strcspn(line, "\n");
        bool is_new = line[0] == '+';
        if (is_new && is_apart) {
            strbuf_add(text, "\n", 1);
        }
        if (is_new && length > 2) {
            strbuf_add(text, line + 2, length - 2);
        }
        strbuf_add(text, "\n", is_new);
        is_apart = !is_new;
        line += length + (line[length] == '\n');
    }
}

/* How snapshots are taken, and what they contained. */
struct screens {
    snapshot_taker *take;
    struct snapshot_view *view;
    json_t *result;      /* of the first snapshot; its tree grows in place */
    json_t *last;        /* result of the last snapshot */
    struct strbuf text;  /* text of all screens */
    int64_t tokens_left; /* remaining tokens of maxTokens */
    bool is_full;        /* something was omitted because of maxTokens */
    bool has_moved;      /* something was scrolled */
};

static json_t *body_of(const json_t *result)
{
    return json_object_get(json_object_get(result, "page"), "body");
}

/* Reserves tokens for the text; false when they are used up. */
static bool reserve_tokens(struct screens *screens, const char *text, size_t length)
{
    screens->tokens_left -= print_tokens(text, length);
    screens->is_full |= screens->tokens_left < 0;
    return !screens->is_full;
}

/*
 * Returns a key by which a child is recognised in another snapshot: lists reuse elements for other
 * entries.
 */
static char *key_of(const json_t *child)
{
    json_auto_t *key = json_pack("[O?, O?, O?]", json_object_get(child, "id"),
                                 json_object_get(child, "name"), json_object_get(child, "text"));
    return json_dumps(key, JSON_COMPACT);
}

/* Indexes the children by key; of equal keys the first one counts. */
static json_t *index_of(const json_t *children)
{
    size_t index;
    json_t *child;
    json_t *known = json_object();
    json_array_foreach (children, index, child) {
        CLEANUP_FREE char *key = key_of(child);
        if (!json_object_get(known, key)) {
            json_object_set(known, key, child);
        }
    }
    return known;
}

/* Adds a child from another snapshot, as far as the tokens suffice. */
static void add_child(struct screens *screens, json_t *into, json_t *child)
{
    CLEANUP_FREE char *written = json_dumps(child, JSON_COMPACT);
    json_t *children = json_object_get(into, "children");
    if (!written || !reserve_tokens(screens, written, strlen(written))) {
        return;
    }
    if (!children) {
        children = json_array();
        json_object_set_new(into, "children", children);
    }
    json_array_append(children, child);
}

/*
 * Adds to a tree what another tree of the same page has in addition, to the depth of printed trees.
 */
static void merge(struct screens *screens, json_t *into, const json_t *from)
{
    size_t index;
    json_t *child;
    json_auto_t *known = index_of(json_object_get(into, "children"));
    json_array_foreach (json_object_get(from, "children"), index, child) {
        CLEANUP_FREE char *key = key_of(child);
        json_t *same = json_object_get(known, key);
        if (screens->is_full) {
            return;
        }
        if (same) {
            merge(screens, same, child);
        } else {
            add_child(screens, into, child);
            json_object_set(known, key, child);
        }
    }
}

/* Adds the whole lines that the remaining tokens allow. */
static void add_lines(struct screens *screens, const char *lines)
{
    for (const char *line = lines; *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (!reserve_tokens(screens, line, length)) {
            return;
        }
        strbuf_add(&screens->text, line, length);
        line += length;
    }
}

static void add_text_of(struct screens *screens, const json_t *before, int number)
{
    CLEANUP_STRBUF struct strbuf difference = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf added = STRBUF_INIT(STRBUF_UNCAPPED);
    bool is_markdown = strcmp(json_member_string(screens->result, "format"), "markdown") == 0;
    print_difference(json_member_string(before, "text"), json_member_string(screens->last, "text"),
                     &difference);
    if (difference.length == 0) {
        return;
    }
    if (is_markdown) {
        strbuf_add_format(&added, "\n<!-- screen: %d -->\n", number + 1);
        add_new_blocks(&added, difference.data);
    } else {
        strbuf_add_format(&added, "(screen %d)\n", number + 1);
        add_new_lines(&added, difference.data);
    }
    add_lines(screens, added.data);
}

/* Adds what this screen has brought. */
static bool add_screen(struct action_run *run, struct screens *screens, int number,
                       struct br_error *err)
{
    json_auto_t *before = screens->last;
    screens->last = json_pack("{s:O}", "format", json_object_get(screens->result, "format"));
    if (!screens->take(run, screens->view, screens->last, err)) {
        return false;
    }
    if (body_of(screens->last)) {
        merge(screens, body_of(screens->result), body_of(screens->last));
    } else {
        add_text_of(screens, before, number);
    }
    return true;
}

/* Adds screen after screen while there are more, and time and tokens last. */
static bool add_screens(struct action_run *run, struct screens *screens, int most,
                        struct course *course, struct br_error *err)
{
    bool has_moved = true;
    for (int number = 1; number <= most && has_moved && !screens->is_full; number++) {
        if (deadline_left_ms(page_deadline(run->page)) < LEAST_MS) {
            log_tool(run->logs, BR_LOG_WARNING, "snapshot",
                     "the time was used up after %d of %d screens", number - 1, most);
            return true;
        }
        uint64_t since = page_requests_begun(run->page);
        if (!scroll_on(run->page, course, &has_moved, err)) {
            return false;
        }
        screens->has_moved |= has_moved;
        settle(run, course, since);
        if (has_moved && !add_screen(run, screens, number, err)) {
            return false;
        }
    }
    return true;
}

/*
 * maxTokens applies to all screens together: subtracts what the first one used, and does not cut
 * each of the others separately.
 */
static void begin_tokens(struct screens *screens)
{
    const char *text = json_member_string(screens->result, "text");
    CLEANUP_FREE char *written =
        text ? NULL : json_dumps(json_object_get(screens->result, "page"), JSON_COMPACT);
    const char *first = text ? text : written ? written : "";
    int64_t most = screens->view->print.max_tokens;
    screens->tokens_left = most ? most - LAST_LINE_TOKENS : INT64_MAX;
    screens->view->print.max_tokens = 0;
    screens->is_full = most && (json_object_get(screens->result, "leftOut") ||
                                !reserve_tokens(screens, first, strlen(first)));
}

/*
 * Reports the omission in the last line, if the first screen does not have one already, and in the
 * logs.
 */
static void report_full(struct action_run *run, struct screens *screens, int64_t most)
{
    CLEANUP_FREE char *line =
        xasprintf("(left out for %" PRId64 " tokens: what is new on more screens)", most);
    if (!screens->is_full) {
        return;
    }
    log_tool(run->logs, BR_LOG_WARNING, "snapshot", "maxTokens was reached: scrolling stopped");
    if (json_object_get(screens->result, "leftOut")) {
        return;
    }
    if (body_of(screens->result)) {
        json_object_set_new(screens->result, "cut", json_text(line));
    } else {
        strbuf_add_format(&screens->text, "%s\n", line);
    }
}

/* Logs which other boxes are scrollable. */
static void log_boxes(struct action_run *run, const struct course *course,
                      const struct snapshot_scrollers *scrollers, bool has_moved)
{
    struct strbuf others = STRBUF_INIT(STRBUF_UNCAPPED);
    for (int i = 0; i < scrollers->count; i++) {
        if (&scrollers->boxes[i] != course->box) {
            strbuf_add_format(&others, "%s%s", others.length ? ", " : "",
                              scrollers->boxes[i].label);
        }
    }
    if (course->box) {
        log_tool(run->logs, BR_LOG_INFO, "snapshot", "scrolled was %s", course->box->label);
    }
    if (others.length) {
        log_tool(run->logs, has_moved ? BR_LOG_INFO : BR_LOG_WARNING, "snapshot",
                 "%sthese boxes scroll by themselves, pass one as node: %s",
                 has_moved ? "" : "there was nothing to scroll to; ", others.data);
    } else if (!has_moved) {
        log_tool(run->logs, BR_LOG_INFO, "snapshot", "there was nothing to scroll to");
    }
    strbuf_finish(&others);
}

bool snapshot_scroll(struct action_run *run, snapshot_taker *take, struct snapshot_view *view,
                     const struct snapshot_scrollers *scrollers, int screens, json_t *result,
                     struct br_error *err)
{
    struct screens seen = {
        .take = take,
        .view = view,
        .result = result,
        .last = json_copy(result),
        .text = STRBUF_INIT(STRBUF_UNCAPPED),
    };
    struct br_error missed;
    struct course course = { 0 };
    struct page_scrolled scrolled;
    const char *text = json_member_string(result, "text");
    const int64_t max_tokens = view->print.max_tokens;
    strbuf_add_string(&seen.text, text ? text : "");
    begin_tokens(&seen);
    bool is_begun = begin_course(run, scrollers, &course, err);
    bool is_done = is_begun && add_screens(run, &seen, screens, &course, err);
    if (is_done) {
        log_boxes(run, &course, scrollers, seen.has_moved);
    }
    report_full(run, &seen, max_tokens);
    if (text) {
        json_object_set_new(result, "text", json_text(seen.text.data));
    }
    json_decref(seen.last);
    strbuf_finish(&seen.text);
    struct page_scroll back = { .x = course.x, .y = course.y };
    /* Also after a failure: restore the original position. */
    return is_begun &&
           page_scroll(run->page, &course.target, &back, &scrolled, is_done ? err : &missed) &&
           is_done;
}
