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
    double moved = 0;
    bool is_done = page_scroll(page, &window, &scroll, &moved, err);
    *ret_has_moved = moved > 0;
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

/* How the page is looked at, and what was seen of it. */
struct screens {
    snapshot_look *look;
    struct snapshot_view *view;
    json_t *last;       /* the result of the last look */
    struct strbuf text; /* of all of them */
};

/* What this screen has brought. */
static bool add_screen(struct action_run *run, struct screens *screens, int number,
                       struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf difference = STRBUF_INIT(STRBUF_UNCAPPED);
    json_auto_t *before = screens->last;
    screens->last = json_object();
    if (!screens->look(run, screens->view, screens->last, err)) {
        return false;
    }
    print_difference(json_member_string(before, "text"), json_member_string(screens->last, "text"),
                     &difference);
    if (difference.length) {
        strbuf_add_format(&screens->text, "(screen %d)\n", number + 1);
        add_new_lines(&screens->text, difference.data);
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
        .last = json_copy(result),
        .text = STRBUF_INIT(STRBUF_UNCAPPED),
    };
    struct br_error missed;
    struct course course = { 0 };
    double moved = 0;
    strbuf_add_string(&seen.text, json_member_string(result, "text"));
    bool is_begun = read_course(run->page, &course, err);
    bool is_done = is_begun && add_screens(run, &seen, screens, course.step, err);
    json_object_set_new(result, "text", json_text(seen.text.data));
    json_decref(seen.last);
    strbuf_finish(&seen.text);
    struct page_target window = { .nth = -1 };
    struct page_scroll back = { .x = course.x, .y = course.y };
    /* Also when it went wrong: the page is to stand where it stood. */
    return is_begun && page_scroll(run->page, &window, &back, &moved, is_done ? err : &missed) &&
           is_done;
}
