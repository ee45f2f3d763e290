#include "runner/page/picture/verify.h"

#include "runner/base/strbuf.h"
#include "runner/page/core/box.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/input.h"
#include "runner/page/element/mouse.h"
#include "runner/page/element/named.h"
#include "runner/page/element/press.h"
#include "runner/page/picture/stillness.h"

#include <math.h>

enum {
    SETTLE_MS = 100,    /* after a click, for its effect to show */
    LATE_LOOK_MS = 250, /* between further checks for late effects */
    LATE_LOOKS = 2,     /* checks before the next click */
    DRAWS = 4,          /* tries to find a random point that is not covered */
};

struct verification {
    struct page *page;
    const struct page_target *target;
    const struct page_click *click;
    struct page_verdict *verdict;
    uint64_t random_state;
    struct page_mark mark; /* before the first click */
    bool was_navigating;
    struct page_box area;   /* where the points may be, as first found */
    double scale;           /* of its frame in the page */
    struct element element; /* the element under the mouse; empty: a place */
};

/* Returns a number from 0 to 1; splitmix64. */
static double next_chance(struct verification *verification)
{
    uint64_t bits = verification->random_state += UINT64_C(0x9E3779B97F4A7C15);
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((bits ^ (bits >> 31)) >> 11) / 9007199254740992.0;
}

/* Chooses the middle, or the instruction's position, as for any click. */
static bool aim_first(struct verification *verification, struct br_error *err)
{
    struct page *page = verification->page;
    if (!input_hover(page, verification->target, verification->click, &verification->element,
                     err)) {
        return false;
    }
    verification->area = mouse_trace(page)->area;
    verification->scale = mouse_trace(page)->scale;
    return true;
}

/* Returns a random point of the span from `start`, limited to the viewport. */
static double random_in(struct verification *verification, double start, double length,
                        double limit)
{
    double from = fmax(start, 0);
    double to = fmin(start + length, limit);
    return to > from ? from + (to - from) * next_chance(verification) : from;
}

/* Moves the mouse to a random point, for an element to one where it is hit. */
static bool aim_at_random(struct verification *verification, struct br_error *err)
{
    struct page *page = verification->page;
    const struct page_box *area = &verification->area;
    struct page_target target = *verification->target;
    struct page_click click = *verification->click;
    bool is_element = page_target_is_element(&target);
    double width = 0;
    double height = 0;
    wire_viewport(page, &width, &height);
    target.patience_ms = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = random_in(verification, area->x, area->width, width);
        double y = random_in(verification, area->y, area->height, height);
        target.x_min = target.x_max = x;
        target.y_min = target.y_max = y;
        click.has_offset = click.is_by_chance = is_element;
        click.x = (x - area->x) / verification->scale;
        click.y = (y - area->y) / verification->scale;
        if (input_hover(page, &target, &click, &verification->element, err)) {
            mouse_trace(page)->area = is_element ? mouse_trace(page)->area : *area;
            return true;
        }
        if (err->code != BR_TARGET_OBSCURED) {
            return false;
        }
    }
    return false;
}

/* With a given position, or a range of a single point, there is only one place to click. */
static bool aim(struct verification *verification, int number, struct br_error *err)
{
    return number == 0 || verification->click->has_offset ? aim_first(verification, err)
                                                          : aim_at_random(verification, err);
}

/* Returns whether events show, without a picture, that something has happened. */
static bool has_news(const struct verification *verification)
{
    const struct page *page = verification->page;
    struct page_verdict *verdict = verification->verdict;
    if (page_mark(page).documents != verification->mark.documents ||
        (navigation_is_under_way(page) && !verification->was_navigating)) {
        verdict->outcome = PAGE_NAVIGATED;
        return true;
    }
    if (page_mark(page).notices != verification->mark.notices) {
        verdict->outcome = PAGE_NOTICED;
        return true;
    }
    return false;
}

/* Compares once. False with an error; the verdict has the result. */
static bool look(struct verification *verification, const struct stillness *stillness,
                 struct br_error *err)
{
    struct page_verdict *verdict = verification->verdict;
    struct image_change change;
    if (has_news(verification)) {
        return true;
    }
    if (!stillness_compare(verification->page, stillness, &change, &verdict->changed, err)) {
        /* A page that has navigated has changed. */
        return page_is_alive(verification->page) && has_news(verification);
    }
    verdict->fraction = change.fraction;
    bool is_enough = change.pixels > 0 && change.fraction >= verdict->threshold;
    verdict->outcome = is_enough ? PAGE_REPAINTED : PAGE_NO_CHANGE;
    return true;
}

/* After a click: compares until there is a change, or it is time for the next click. */
static bool await_change(struct verification *verification, const struct stillness *stillness,
                         struct br_error *err)
{
    if (!page_pause(verification->page, SETTLE_MS, err) || !look(verification, stillness, err)) {
        return false;
    }
    for (int i = 0; i < LATE_LOOKS && verification->verdict->outcome == PAGE_NO_CHANGE; i++) {
        if (!page_pause(verification->page, LATE_LOOK_MS, err) ||
            !look(verification, stillness, err)) {
            return false;
        }
    }
    return true;
}

static char *describe_box(const struct page_box *box)
{
    return xasprintf("x %g to %g, y %g to %g", round(box->x), round(box->x + box->width),
                     round(box->y), round(box->y + box->height));
}

/* Returns "nothing changed", or what did. Caller frees. */
static char *describe_change(const struct page_verdict *verdict)
{
    if (verdict->outcome == PAGE_NAVIGATED) {
        return xstrdup("a navigation began");
    }
    if (verdict->outcome == PAGE_NOTICED) {
        return xstrdup("a dialog, a download or a new tab appeared");
    }
    if (verdict->fraction == 0) {
        return xstrdup("nothing changed");
    }
    CLEANUP_FREE char *box = describe_box(&verdict->changed);
    return xasprintf("%.4g %% of the pixels changed, in %s", verdict->fraction * 100, box);
}

static void log_try(const struct verification *verification)
{
    struct page *page = verification->page;
    const struct page_verdict *verdict = verification->verdict;
    CLEANUP_FREE char *area = describe_box(&mouse_trace(page)->area);
    CLEANUP_FREE char *change = describe_change(verdict);
    page_log(page, BR_LOG_INFO, "click",
             "click %d of at most %d, at %g,%g in %s: %s; %.3g %% of the viewport moves by itself; "
             "seed %u",
             verdict->tries, PAGE_VERIFY_TRIES, mouse_at(page).x, mouse_at(page).y, area, change,
             verdict->left_out * 100, verdict->seed);
}

/* Clicks at the mouse's position, and checks the effect. */
static bool click_and_look(struct verification *verification, struct br_error *err)
{
    struct page *page = verification->page;
    struct page_verdict *verdict = verification->verdict;
    struct stillness stillness;
    if (!stillness_observe(page, &stillness, err)) {
        return false;
    }
    verdict->left_out = image_mask_share(&stillness.mask);
    verdict->points[verdict->tries].x = mouse_at(page).x;
    verdict->points[verdict->tries].y = mouse_at(page).y;
    verdict->tries++;
    bool is_done = input_click_here(page, &verification->element, verification->click, err) &&
                   await_change(verification, &stillness, err);
    stillness_finish(&stillness);
    if (is_done) {
        log_try(verification);
    }
    return is_done;
}

static bool no_change(const struct page_verdict *verdict, const struct page_box *area,
                      const struct br_error *aiming, struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf points = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_FREE char *box = describe_box(area);
    CLEANUP_FREE char *change = describe_change(verdict);
    for (int i = 0; i < verdict->tries; i++) {
        CLEANUP_FREE char *point =
            xasprintf("%s%g,%g", i > 0 ? " and " : "", verdict->points[i].x, verdict->points[i].y);
        strbuf_add_string(&points, point);
    }
    error_set(err, BR_NO_VISUAL_CHANGE, "%d click%s at %s in %s: %s%s%s", verdict->tries,
              verdict->tries == 1 ? "" : "s", points.data, box, change,
              aiming->code ? "; then " : "", aiming->message);
    if (verdict->fraction > 0) {
        return error_hint(err, "visualThreshold asks for %.4g %%; without it any change counts",
                          verdict->threshold * 100);
    }
    if (verdict->left_out > 0.5) {
        return error_hint(err, "%.0f %% of the viewport moves by itself and cannot be compared",
                          verdict->left_out * 100);
    }
    return error_hint(err, "the element may do nothing, or change only what is out of view; look "
                           "at the picture and choose another place");
}

static bool may_end_tries(const struct br_error *err)
{
    return err->code == BR_TARGET_NOT_FOUND || err->code == BR_TARGET_NOT_VISIBLE ||
           err->code == BR_TARGET_DISABLED || err->code == BR_TARGET_OBSCURED;
}

static bool run_tries(struct verification *verification, struct br_error *err)
{
    struct page_verdict *verdict = verification->verdict;
    struct br_error aiming = { 0 };
    for (int i = 0; i < PAGE_VERIFY_TRIES; i++) {
        if (!aim(verification, i, &aiming)) {
            if (i > 0 && may_end_tries(&aiming)) {
                break; /* there is nothing left to click */
            }
            *err = aiming;
            return false;
        }
        aiming = (struct br_error){ 0 };
        if (!click_and_look(verification, err)) {
            return false;
        }
        if (verdict->outcome != PAGE_NO_CHANGE) {
            return true;
        }
    }
    return no_change(verdict, &verification->area, &aiming, err);
}

bool page_click_verified(struct page *page, const struct page_target *target,
                         const struct page_click *options, const struct page_verify *verify,
                         struct br_error *err)
{
    struct verification verification = {
        .page = page,
        .target = target,
        .click = options,
        .verdict = &mouse_trace(page)->verdict,
        .random_state = verify->seed,
        .mark = page_mark(page),
        .was_navigating = navigation_is_under_way(page),
    };
    mouse_trace(page)->is_verified = true;
    *verification.verdict =
        (struct page_verdict){ .seed = verify->seed, .threshold = verify->threshold };
    bool is_done = stillness_begin(page, err) && run_tries(&verification, err);
    press_warn_of_cut(page);
    stillness_end(page);
    element_finish(&verification.element);
    return is_done;
}
