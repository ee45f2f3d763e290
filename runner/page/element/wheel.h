/* The mouse wheel. */
#ifndef RUNNER_PAGE_ELEMENT_WHEEL_H
#define RUNNER_PAGE_ELEMENT_WHEEL_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_click;
struct page_target;

struct page_wheel {
    double delta_x, delta_y; /* CSS pixels */
    int modifiers;           /* as in struct page_click */
};

/*
 * Turns the wheel where page_hover() moves the mouse. TARGET_DISABLED if nothing scrolled and the
 * page did not handle it. *ret_result is { handled, scrolled }; the caller decrefs; it may stay
 * NULL.
 */
bool page_wheel(struct page *page, const struct page_target *target, const struct page_click *place,
                const struct page_wheel *wheel, json_t **ret_result, struct br_error *err);

#endif
