/* Controls of forms. */
#ifndef RUNNER_PAGE_ELEMENT_FORM_H
#define RUNNER_PAGE_ELEMENT_FORM_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_target;

/* Options of a list. */
struct page_choice {
    const char
        *by; /* "value", "label" or "index" (from 0); NULL: the target is the option itself */
    json_t *wanted; /* array of them; borrowed */
};

/*
 * Chooses an option of a <select>, of a multiple one exactly those that are wanted, with the events
 * of a user's choice. UNKNOWN_ERROR when the page undoes it. *ret_selected is an array of
 * { index, value, label } of what is chosen then, the caller's to decref; NULL: that is not known.
 */
bool page_select(struct page *page, const struct page_target *target,
                 const struct page_choice *choice, json_t **ret_selected, struct br_error *err);

/* Brings a checkbox, radio button or switch into this state, by a click if it is not in it yet. */
bool page_check(struct page *page, const struct page_target *target, bool is_checked,
                struct br_error *err);

/*
 * Gives files (an array of absolute paths) to a field for files, which may be hidden; without an
 * element to the one that a file chooser is open for. On any other element they are dropped. A
 * field for a directory takes that, and with is_directory it has to be one.
 */
bool page_upload(struct page *page, const struct page_target *target, const json_t *paths,
                 bool is_directory, struct br_error *err);

#endif
