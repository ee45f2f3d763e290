/* Cookies of the page's context, and the storage of its origin. */
#ifndef RUNNER_PAGE_WORLD_COOKIES_H
#define RUNNER_PAGE_WORLD_COOKIES_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

/* *ret_cookies is an array; the caller decrefs. */
bool page_get_cookies(struct page *page, json_t **ret_cookies, struct br_error *err);

/* Sets all or none. A cookie may have a `url` instead of a domain. */
bool page_set_cookies(struct page *page, const json_t *cookies, struct br_error *err);

/* Does not wait. */
void page_delete_cookie(struct page *page, const json_t *cookie);
bool page_clear_cookies(struct page *page, struct br_error *err);

/* An operation on the storage of the page's origin. */
struct page_storage {
    const char *op;    /* "get", "set", "clear" */
    const char *area;  /* "local", "session" */
    const char *name;  /* NULL: all items */
    const char *value; /* for "set" */
};

/* *ret_value is the result of "get", a text or an object of texts; the caller decrefs. */
bool page_use_storage(struct page *page, const struct page_storage *use, json_t **ret_value,
                      struct br_error *err);

#endif
