#include "runner/actions/snapshot_parts.h"
#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/base/strbuf.h"
#include "runner/observe/stream.h"
#include "runner/page/core/call.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/named.h"
#include "runner/page/element/target.h"
#include "runner/snapshot/outline/difference.h"
#include "runner/snapshot/outline/tokens.h"

#include <inttypes.h>
#include <string.h>

enum {
    SETTLE_MS = 1000,     /* for what a screen loads when it comes into view */
    LEAST_MS = 2000,      /* that another screen may take */
    LAST_LINE_TOKENS = 20 /* for the line that says that there is more */
};

/* Where the window stands, and how far a screen is. */
struct course {
    double x, y, step;
};

static bool read_course(struct page *page, struct course *ret_course, struct br_error *err)
{
    json_auto_t *answer = NULL;
    return page_call_function(page,
                              "function () { return { x: scrollX, y: scrollY,"
                              " step: Math.max(innerHeight * 0.9, 1) }; }",
                              json_object(), &answer, err) &&
           json_read(answer, "the page's place", err, "{s:F, s:F, s:F}", "x", &ret_course->x, "y",
                     &ret_course->y, "step", &ret_course->step);
}

/* Lets what comes into view load; a page that always loads something is not waited for. */
static void settle(struct page *page)
{
    struct br_error ignored;
    struct deadline before = page_deadline(page);
    page_set_deadline(page, deadline_earlier(before, deadline_in_ms(SETTLE_MS)));
    page_wait_network_idle(page, 0, &ignored);
    page_set_deadline(page, before);
}

/* Whether there was more to see. */
static bool scroll_on(struct page *page, double step, bool *ret_has_moved, struct br_error *err)
{
    struct page_target window = { .nth = -1 };
    struct page_scroll scroll = { .is_delta = true, .y = step };
    struct page_scrolled scrolled = { 0 };
    bool is_done = page_scroll(page, &window, &scroll, &scrolled, err);
    *ret_has_moved = scrolled.moved > 0;
    return is_done;
}

/* Of a difference, what is new and where it stands; no lines that only tell of places. */
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

/* Of a difference of Markdown, what is new; what stood apart stays so. */
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

/* How snapshots are taken, and what was in them. */
struct screens {
    snapshot_taker *take;
    struct snapshot_view *view;
    json_t *result;      /* of the first snapshot; a tree of its own grows there */
    json_t *last;        /* the result of the last snapshot */
    struct strbuf text;  /* of all of them */
    int64_t tokens_left; /* of maxTokens */
    bool is_full;        /* there was more than they allow */
};

static json_t *body_of(const json_t *result)
{
    return json_object_get(json_object_get(result, "page"), "body");
}

/* Whether so much more may be added. */
static bool take_tokens(struct screens *screens, const char *text, size_t length)
{
    screens->tokens_left -= print_tokens(text, length);
    screens->is_full |= screens->tokens_left < 0;
    return !screens->is_full;
}

/* By what a child of another snapshot is known again: lists draw other entries into old elements.
 */
static char *key_of(const json_t *child)
{
    json_auto_t *key = json_pack("[O?, O?, O?]", json_object_get(child, "id"),
                                 json_object_get(child, "name"), json_object_get(child, "text"));
    return json_dumps(key, JSON_COMPACT);
}

/* The children by their keys, of equal ones the first. */
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

/* Adds a child of another snapshot, as far as the tokens reach. */
static void add_child(struct screens *screens, json_t *into, json_t *child)
{
    CLEANUP_FREE char *written = json_dumps(child, JSON_COMPACT);
    json_t *children = json_object_get(into, "children");
    if (!written || !take_tokens(screens, written, strlen(written))) {
        return;
    }
    if (!children) {
        children = json_array();
        json_object_set_new(into, "children", children);
    }
    json_array_append(children, child);
}

/* Adds to a tree what another one of the same page has more; as deep as trees are printed. */
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

/* The whole lines of it that the tokens reach for. */
static void add_lines(struct screens *screens, const char *lines)
{
    for (const char *line = lines; *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (!take_tokens(screens, line, length)) {
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

/* What this screen has brought. */
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

/* Adds screen after screen, while there are more, and time and tokens last. */
static bool add_screens(struct action_run *run, struct screens *screens, int most, double step,
                        struct br_error *err)
{
    bool has_moved = true;
    for (int number = 1; number <= most && has_moved && !screens->is_full; number++) {
        if (deadline_left_ms(page_deadline(run->page)) < LEAST_MS) {
            log_tool(run->logs, BR_LOG_WARNING, "snapshot",
                     "the time was over after %d of %d screens", number - 1, most);
            return true;
        }
        if (!scroll_on(run->page, step, &has_moved, err)) {
            return false;
        }
        settle(run->page);
        if (has_moved && !add_screen(run, screens, number, err)) {
            return false;
        }
    }
    return true;
}

/*
 * maxTokens holds for all screens together: the first has taken its part, and the others are not
 * cut each, but where that ends.
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
                                !take_tokens(screens, first, strlen(first)));
}

/* The last line, where the first screen has none of its own, and the logs. */
static void tell_full(struct action_run *run, struct screens *screens, int64_t most)
{
    CLEANUP_FREE char *line =
        xasprintf("(left out for %" PRId64 " tokens: what is new on more screens)", most);
    if (!screens->is_full) {
        return;
    }
    log_tool(run->logs, BR_LOG_WARNING, "snapshot",
             "maxTokens was reached: it was not scrolled on");
    if (json_object_get(screens->result, "leftOut")) {
        return;
    }
    if (body_of(screens->result)) {
        json_object_set_new(screens->result, "cut", json_text(line));
    } else {
        strbuf_add_format(&screens->text, "%s\n", line);
    }
}

bool snapshot_scroll(struct action_run *run, snapshot_taker *take, struct snapshot_view *view,
                     int screens, json_t *result, struct br_error *err)
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
    bool is_begun = read_course(run->page, &course, err);
    bool is_done = is_begun && add_screens(run, &seen, screens, course.step, err);
    tell_full(run, &seen, max_tokens);
    if (text) {
        json_object_set_new(result, "text", json_text(seen.text.data));
    }
    json_decref(seen.last);
    strbuf_finish(&seen.text);
    struct page_target window = { .nth = -1 };
    struct page_scroll back = { .x = course.x, .y = course.y };
    /* Also when it went wrong: the page is to stand where it stood. */
    return is_begun && page_scroll(run->page, &window, &back, &scrolled, is_done ? err : &missed) &&
           is_done;
}
