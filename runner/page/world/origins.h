/*
 * Local storage of all origins that the session's pages have visited, whether or not they are open.
 */
#ifndef RUNNER_PAGE_WORLD_ORIGINS_H
#define RUNNER_PAGE_WORLD_ORIGINS_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

/* Records the origin of a frame, as described by Page.frameNavigated. */
void origins_note(struct page *page, const json_t *frame);

/* Answers a request of the tab whose session is recognised by origins_has_session(). */
void origins_answer(struct page *page, const json_t *paused);

/* Returns the origins whose documents were seen so far, for the session's next page. Borrowed. */
json_t *page_origins(const struct page *page);

/*
 * Gets the local storage of these origins, [{origin, localStorage: [{name, value}]}], without empty
 * ones; the caller decrefs.
 */
bool page_get_origins(struct page *page, json_t **ret_origins, struct br_error *err);

/* Replaces the storage of these origins by such a list, which must be valid. */
bool page_set_origins(struct page *page, const json_t *origins, struct br_error *err);

/* `before`: page_origins() of the previous page; NULL: none. */
void origins_init(struct page *page, json_t *before);
void origins_finish(struct page *page);

/*
 * Return whether storage of origins is being accessed; whether the session belongs to the tab used
 * for that.
 */
bool origins_is_visiting(const struct page *page);
bool origins_has_session(const struct page *page, const char *session_id);

#endif
