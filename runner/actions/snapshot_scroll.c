#include "runner/actions/snapshot_parts.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/strbuf.h"

#include <string.h>

enum {
    SETTLE_MS = 1000, /* for what a screen loads when it comes into view */
    LEAST_MS = 2000,  /* that another screen may take */
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

static bool says_the_same(const json_t *one, const json_t *other, const char *member)
{
    const json_t *of_one = json_object_get(one, member);
    const json_t *of_other = json_object_get(other, member);
    return (!of_one && !of_other) || json_equal(of_one, of_other);
}

/* The child that the other tree has there, too; NULL. Lists draw other entries into old elements.
 */
static json_t *find_same(const json_t *children, const json_t *wanted)
{
    size_t index;
    json_t *child;
    json_array_foreach (children, index, child) {
        if (says_the_same(child, wanted, "id") && says_the_same(child, wanted, "name") &&
            says_the_same(child, wanted, "text")) {
            return child;
        }
    }
    return NULL;
}

/* Adds to a tree what another one of the same page has more; as deep as trees are printed. */
static void merge(json_t *into, const json_t *from)
{
    size_t index;
    json_t *child;
    json_array_foreach (json_object_get(from, "children"), index, child) {
        json_t *children = json_object_get(into, "children");
        json_t *same = find_same(children, child);
        if (same) {
            merge(same, child);
            continue;
        }
        if (!children) {
            children = json_array();
            json_object_set_new(into, "children", children);
        }
        json_array_append(children, child);
    }
}

static json_t *body_of(const json_t *result)
{
    return json_object_get(json_object_get(result, "page"), "body");
}

/* How the page is looked at, and what was seen of it. */
struct screens {
    snapshot_look *look;
    struct snapshot_view *view;
    json_t *result;     /* of the first look; a tree of its own grows there */
    json_t *last;       /* the result of the last look */
    struct strbuf text; /* of all of them */
};

static void add_text_of(struct screens *screens, const json_t *before, int number)
{
    CLEANUP_STRBUF struct strbuf difference = STRBUF_INIT(STRBUF_UNCAPPED);
    bool is_markdown = strcmp(json_member_string(screens->result, "format"), "markdown") == 0;
    print_difference(json_member_string(before, "text"), json_member_string(screens->last, "text"),
                     &difference);
    if (difference.length == 0) {
        return;
    }
    if (is_markdown) {
        strbuf_add_format(&screens->text, "\n<!-- screen: %d -->\n", number + 1);
        add_new_blocks(&screens->text, difference.data);
    } else {
        strbuf_add_format(&screens->text, "(screen %d)\n", number + 1);
        add_new_lines(&screens->text, difference.data);
    }
}

/* What this screen has brought. */
static bool add_screen(struct action_run *run, struct screens *screens, int number,
                       struct br_error *err)
{
    json_auto_t *before = screens->last;
    screens->last = json_pack("{s:O}", "format", json_object_get(screens->result, "format"));
    if (!screens->look(run, screens->view, screens->last, err)) {
        return false;
    }
    if (body_of(screens->last)) {
        merge(body_of(screens->result), body_of(screens->last));
    } else {
        add_text_of(screens, before, number);
    }
    return true;
}

/* Adds screen after screen, while there are more and the time lasts. */
static bool add_screens(struct action_run *run, struct screens *screens, int most, double step,
                        struct br_error *err)
{
    bool has_moved = true;
    for (int number = 1; number <= most && has_moved; number++) {
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

bool snapshot_scroll(struct action_run *run, snapshot_look *look, struct snapshot_view *view,
                     int screens, json_t *result, struct br_error *err)
{
    struct screens seen = {
        .look = look,
        .view = view,
        .result = result,
        .last = json_copy(result),
        .text = STRBUF_INIT(STRBUF_UNCAPPED),
    };
    struct br_error missed;
    struct course course = { 0 };
    struct page_scrolled scrolled;
    const char *text = json_member_string(result, "text");
    strbuf_add_string(&seen.text, text ? text : "");
    bool is_begun = read_course(run->page, &course, err);
    bool is_done = is_begun && add_screens(run, &seen, screens, course.step, err);
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
