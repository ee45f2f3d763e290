#include "runner/page/element/target.h"

#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/box.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/questions.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/locate.h"
#include "runner/page/element/named.h"
#include "runner/page/element/node.h"
#include "runner/page/element/patience.h"
#include "runner/page/element/place.h"
#include "runner/page/element/resolve.h"
#include "runner/page/element/role.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_LISTED = 5,  /* matches listed when there are too many */
    MAX_LIST = 2000, /* bytes of their descriptions */
};

/* The answer of script_count in one frame. */
struct census {
    int count, rank; /* a lower rank means better matches */
    bool is_visible;
    json_t *list; /* descriptions of the first matches */
};

static bool read_census(json_t *answer, struct census *ret_census, struct br_error *err)
{
    json_t *list = NULL;
    int is_visible = 0;
    if (!json_read(answer, "the count of elements", err, "{s:i, s:i, s:b, s:o}", "count",
                   &ret_census->count, "rank", &ret_census->rank, "visible", &is_visible, "list",
                   &list)) {
        return false;
    }
    ret_census->is_visible = is_visible;
    ret_census->list = json_incref(list);
    return true;
}

static bool take_census(struct page *page, struct frame *frame, const struct page_target *target,
                        struct census *ret_census, struct br_error *err)
{
    json_auto_t *answer = NULL;
    return locate_count(page, frame, target, &(struct job){ script_count, NULL }, &answer, err) &&
           read_census(answer, ret_census, err);
}

/* Returns whether a subframe may be skipped: one that is stuck or closing has nothing usable. */
static bool may_be_passed_over(struct page *page, const struct frame *frame,
                               const struct br_error *err)
{
    if (frame == frame_main(page)) {
        return false;
    }
    if (err->code != BR_TARGET_NOT_FOUND && err->code != BR_INVALID_ACTION &&
        err->code != BR_TIMEOUT) {
        page_log(page, BR_LOG_WARNING, "input", "the frame %s cannot be searched: %s", frame->url,
                 err->message);
    }
    return page_is_alive(page) && err->code != BR_INVALID_ACTION;
}

static bool take_all(struct page *page, const struct page_target *target, struct census *all,
                     struct br_error *err)
{
    size_t count = frames_count(page);
    struct frame_question *questions =
        locate_ask_frames(page, target, &(struct job){ script_count, NULL });
    bool is_known = true;
    for (size_t i = 0; i < count && is_known; i++) {
        struct frame_question *question = &questions[i];
        bool is_told =
            question->is_answered && read_census(question->answer, &all[i], &question->err);
        is_known = is_told || may_be_passed_over(page, question->frame, &question->err);
        if (!is_known) {
            *err = question->err;
        }
    }
    frame_questions_destroy(questions, count);
    return is_known;
}

/* Drops matches of a worse rank than the best one in any frame. */
static int drop_worse(struct census *all, size_t count)
{
    int best = INT_MAX;
    int total = 0;
    for (size_t i = 0; i < count; i++) {
        best = all[i].count && all[i].rank < best ? all[i].rank : best;
    }
    for (size_t i = 0; i < count; i++) {
        all[i].count = all[i].rank == best ? all[i].count : 0;
        total += all[i].count;
    }
    return total;
}

static bool is_ambiguous(struct page *page, const struct census *all, int total,
                         struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf list = STRBUF_INIT(MAX_LIST);
    int listed = 0;
    for (size_t i = 0; i < frames_count(page); i++) {
        size_t index;
        json_t *one;
        json_array_foreach (all[i].list, index, one) {
            if (listed < MAX_LISTED && (int)index < all[i].count) {
                strbuf_add_format(&list, "%s%s%s%s", listed++ ? ", " : "", json_string_value(one),
                                  i ? " in the frame " : "", i ? frame_at(page, i)->url : "");
            }
        }
    }
    error_set(err, BR_TARGET_AMBIGUOUS, "%d elements match, in several frames: %s", total,
              list.data);
    return error_hint(err, "`frame` chooses the frame, `nth` one of all matches");
}

/* Chooses the frame with the element, and the element's index there. */
static bool pick_frame(struct page *page, struct census *all, struct page_target *target,
                       struct frame **ret_frame, struct br_error *err)
{
    int total = drop_worse(all, frames_count(page));
    bool is_shared = false;
    *ret_frame = frame_main(page);
    for (size_t i = 0; i < frames_count(page); i++) {
        is_shared |= all[i].count && all[i].count < total;
    }
    if (is_shared && target->nth < 0 && !target->targets) {
        return is_ambiguous(page, all, total, err);
    }
    int left = target->nth < 0 ? 0 : target->nth;
    for (size_t i = 0; i < frames_count(page); i++) {
        if (all[i].count > left || (all[i].count && !is_shared)) {
            *ret_frame = frame_at(page, i);
            target->nth = is_shared && target->nth >= 0 ? left : target->nth;
            return true;
        }
        left -= all[i].count;
    }
    return true; /* the main frame reports what is missing */
}

static void finish_all(struct census *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        json_decref(all[i].list);
    }
    free(all);
}

/* Chooses the frame to search; if there are several, each is asked for its matches. */
static bool choose_frame(struct page *page, struct page_target *target, struct frame **ret_frame,
                         struct br_error *err)
{
    if (!frames_update(page, err)) {
        return false;
    }
    const struct page_node *node = target->within ? target->within : &target->node;
    if (node->backend_id) {
        return node_choose_frame(page, node, ret_frame, err);
    }
    if (target->frame) {
        return frame_resolve(page, target->frame, ret_frame, err);
    }
    if (frames_count(page) == 1 || !page_target_is_element(target)) {
        *ret_frame = frame_main(page);
        return true;
    }
    size_t count = frames_count(page);
    struct census *all = xcalloc(count, sizeof(*all));
    bool is_chosen =
        take_all(page, target, all, err) && pick_frame(page, all, target, ret_frame, err);
    finish_all(all, count);
    return is_chosen;
}

/* data-no-ai does not restrict jobs that only read. */
static bool may_work(struct page *page, struct frame *frame, const struct page_target *target,
                     const struct job *job, struct br_error *err)
{
    bool looks =
        job->function == script_box || job->function == script_keep || job->function == script_mark;
    return looks || !page_target_is_element(target) || target->ignores_no_ai ||
           frame_check_policy(page, frame, err);
}

bool target_locate(struct page *page, const struct page_target *target, const struct job *job,
                   struct element *ret_element, struct br_error *err)
{
    struct page_target wanted = *target;
    struct frame *frame = NULL;
    bool is_located = role_look(page, target, err) && choose_frame(page, &wanted, &frame, err) &&
                      may_work(page, frame, target, job, err) &&
                      locate_in(page, frame, &wanted, job, ret_element, err);
    role_forget(page);
    if (!is_located) {
        return false;
    }
    const char *chosen = json_member_string(ret_element->answer, "chosen");
    if (chosen) {
        page_log(page, BR_LOG_INFO, "input", "took %s", chosen);
    }
    if (frame->parent_id) {
        page_log(page, BR_LOG_DEBUG, "input", "it is in the frame %s", frame->url);
    }
    return true;
}

/* Counts the matches of one reading of a target. */
static bool count_reading(struct page *page, const struct page_target *target, int *ret_count,
                          bool *ret_is_visible, struct br_error *err)
{
    struct frame *frame = NULL;
    *ret_count = 0;
    *ret_is_visible = false;
    if (!frames_update(page, err) ||
        (target->node.backend_id && !node_choose_frame(page, &target->node, &frame, err))) {
        return false;
    }
    if (target->frame && !frame_resolve(page, target->frame, &frame, err)) {
        return err->code == BR_TARGET_NOT_FOUND;
    }
    size_t count = frames_count(page);
    struct census *all = xcalloc(count, sizeof(*all));
    bool is_known =
        role_look(page, target, err) &&
        (frame ? take_census(page, frame, target, &all[0], err) : take_all(page, target, all, err));
    role_forget(page);
    for (size_t i = 0; i < count; i++) {
        *ret_count += all[i].count;
        *ret_is_visible |= all[i].is_visible;
    }
    finish_all(all, count);
    return is_known;
}

bool target_count(struct page *page, const struct page_target *target, int *ret_count,
                  bool *ret_is_visible, struct br_error *err)
{
    struct page_target reading;
    bool is_known = true;
    *ret_count = 0;
    for (int i = 0; is_known && *ret_count == 0 && patience_reading(target, i, &reading); i++) {
        is_known = (i > 0 && !target->word) ||
                   count_reading(page, &reading, ret_count, ret_is_visible, err);
    }
    return is_known;
}

/* Keeps the answers of the best rank, each with its frame. */
static void keep_best(json_t *answers)
{
    double best = INFINITY;
    size_t index;
    json_t *answer;
    json_array_foreach (answers, index, answer) {
        if (json_member_number(answer, "found", 0) > 0) {
            best = fmin(best, json_member_number(answer, "rank", 0));
        }
    }
    for (index = json_array_size(answers); index-- > 0;) {
        if (json_member_number(json_array_get(answers, index), "rank", 0) > best) {
            json_array_remove(answers, index);
        }
    }
}

static void add_answer(const struct frame *frame, json_t *answer, json_t *answers)
{
    json_object_set_new(answer, "frame", json_string(frame->id));
    json_array_append(answers, answer);
}

static bool ask_each(struct page *page, const struct page_target *target, const struct job *job,
                     json_t *answers, struct br_error *err)
{
    size_t count = frames_count(page);
    struct frame_question *questions = locate_ask_frames(page, target, job);
    bool is_known = true;
    for (size_t i = 0; i < count && is_known; i++) {
        struct frame_question *question = &questions[i];
        if (question->is_answered) {
            add_answer(question->frame, question->answer, answers);
        } else if (!may_be_passed_over(page, question->frame, &question->err)) {
            *err = question->err;
            is_known = false;
        }
    }
    frame_questions_destroy(questions, count);
    return is_known;
}

static bool ask_in(struct page *page, struct frame *frame, const struct page_target *target,
                   const struct job *job, json_t *answers, struct br_error *err)
{
    json_auto_t *answer = NULL;
    if (!locate_count(page, frame, target, job, &answer, err)) {
        return false;
    }
    add_answer(frame, answer, answers);
    return true;
}

static bool ask_reading(struct page *page, const struct page_target *target, const struct job *job,
                        json_t **ret_answers, struct br_error *err)
{
    struct frame *frame = NULL;
    json_auto_t *answers = json_array();
    if (!frames_update(page, err) ||
        (target->node.backend_id && !node_choose_frame(page, &target->node, &frame, err)) ||
        (target->frame && !frame_resolve(page, target->frame, &frame, err))) {
        return false;
    }
    bool is_known =
        role_look(page, target, err) && (frame ? ask_in(page, frame, target, job, answers, err)
                                               : ask_each(page, target, job, answers, err));
    role_forget(page);
    if (is_known) {
        keep_best(answers);
        *ret_answers = TAKE(answers);
    }
    return is_known;
}

static bool has_found(const json_t *answers)
{
    size_t index;
    json_t *answer;
    json_array_foreach (answers, index, answer) {
        if (json_member_number(answer, "found", 0) > 0) {
            return true;
        }
    }
    return false;
}

bool target_ask_all(struct page *page, const struct page_target *target, const struct job *job,
                    json_t **ret_answers, struct br_error *err)
{
    struct page_target reading;
    json_auto_t *answers = NULL;
    bool is_known = true;
    for (int i = 0; is_known && !has_found(answers) && patience_reading(target, i, &reading); i++) {
        if (i > 0 && !target->word) {
            break;
        }
        json_decref(TAKE(answers));
        is_known = ask_reading(page, &reading, job, &answers, err);
    }
    *ret_answers = is_known ? TAKE(answers) : NULL;
    return is_known;
}

bool target_place_box(struct page *page, struct frame *frame, const struct frame_point *corner,
                      double width, double height, struct page_box *ret_box, struct br_error *err)
{
    double left = INFINITY;
    double top = INFINITY;
    double right = -INFINITY;
    double bottom = -INFINITY;
    for (int i = 0; i < 4; i++) {
        struct frame_point point = *corner;
        point.x += i % 2 ? width : 0;
        point.y += i / 2 ? height : 0;
        if (!frame_to_page(page, frame, &point, false, err)) {
            return false;
        }
        left = fmin(left, point.x + point.scroll_x);
        top = fmin(top, point.y + point.scroll_y);
        right = fmax(right, point.x + point.scroll_x);
        bottom = fmax(bottom, point.y + point.scroll_y);
    }
    *ret_box = (struct page_box){ left, top, right - left, bottom - top };
    return true;
}

struct box_reading {
    struct page_box *box;
    struct element *element;
};

static bool read_box(struct page *page, const struct page_target *target, int attempt, void *data,
                     struct br_error *err)
{
    struct box_reading *reading = data;
    struct element *element = reading->element;
    struct frame_point corner = { 0 };
    double width = 0;
    double height = 0;
    (void)attempt;
    element_finish(element);
    return target_locate(page, target, &(struct job){ script_box, NULL }, element, err) &&
           json_read(element->answer, "the element's box", err, "{s:F, s:F, s:F, s:F, s:F, s:F}",
                     "x", &corner.x, "y", &corner.y, "width", &width, "height", &height, "scrollX",
                     &corner.scroll_x, "scrollY", &corner.scroll_y) &&
           target_place_box(page, element_frame(page, element), &corner, width, height,
                            reading->box, err);
}

bool target_box(struct page *page, const struct page_target *target, struct page_box *ret_box,
                struct element *ret_scrolled, struct br_error *err)
{
    CLEANUP_ELEMENT struct element element = { 0 };
    struct box_reading reading = { ret_box, &element };
    if (!patience_try(page, target, read_box, &reading, err)) {
        return false;
    }
    if (json_member_bool(element.answer, "isScrolled", false)) {
        *ret_scrolled = element;
        element = (struct element){ 0 };
    }
    return true;
}

void target_restore(struct page *page, struct element *scrolled)
{
    struct br_error ignored;
    json_auto_t *answer = NULL;
    if (scrolled->object_id) {
        element_call(page, scrolled, script_restore, NULL, &answer, &ignored);
    }
    element_finish(scrolled);
}

struct scrolling {
    const struct page_scroll *options;
    struct page_scrolled *scrolled;
};

static bool scroll_once(struct page *page, const struct page_target *target, int attempt,
                        void *data, struct br_error *err)
{
    struct scrolling *scrolling = data;
    const struct page_scroll *options = scrolling->options;
    CLEANUP_ELEMENT struct element element = { 0 };
    (void)attempt;
    json_auto_t *wanted = json_pack("{s:b, s:b, s:f, s:f}", "intoView", options->is_into_view,
                                    "delta", options->is_delta, "x", options->x, "y", options->y);
    if (!target_locate(page, target, &(struct job){ script_scroll, wanted }, &element, err)) {
        return false;
    }
    const json_t *answer = element.answer;
    const char *name = json_member_string(answer, "name");
    snprintf(scrolling->scrolled->name, sizeof(scrolling->scrolled->name), "%s", name ? name : "");
    scrolling->scrolled->moved = json_member_number(answer, "moved", 0);
    scrolling->scrolled->x = json_member_number(answer, "x", 0);
    scrolling->scrolled->y = json_member_number(answer, "y", 0);
    scrolling->scrolled->is_at_end = json_member_bool(answer, "atEnd", false);
    scrolling->scrolled->is_stuck = json_member_bool(answer, "isStuck", false);
    return true;
}

bool page_scroll(struct page *page, const struct page_target *target,
                 const struct page_scroll *options, struct page_scrolled *ret_scrolled,
                 struct br_error *err)
{
    struct scrolling scrolling = { .options = options, .scrolled = ret_scrolled };
    if (options->is_delta && !options->is_into_view) {
        page_act(page); /* repeating it would scroll twice */
    }
    return patience_try(page, target, scroll_once, &scrolling, err);
}
