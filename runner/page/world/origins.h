/* Local storage of all origins that the session's pages have been at, whatever is open now. */
#ifndef RUNNER_PAGE_WORLD_ORIGINS_H
#define RUNNER_PAGE_WORLD_ORIGINS_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

/* Remembers the origin of a frame, as Page.frameNavigated describes it. */
void origins_note(struct page *page, const json_t *frame);

/* Answers a request of the tab that origins_session_id is the session of. */
void origins_answer(struct page *page, const json_t *paused);

/* The origins whose documents were seen so far, for the next page of a session. Borrowed. */
json_t *page_origins(const struct page *page);

/*
 * The local storage of these origins, [{origin, localStorage: [{name, value}]}], the caller's to
 * decref; empty ones are left out.
 */
bool page_get_origins(struct page *page, json_t **ret_origins, struct br_error *err);

/* Puts such a list in the place of what these origins hold. It was checked. */
bool page_set_origins(struct page *page, const json_t *origins, struct br_error *err);

/* `before`: page_origins() of the page before; NULL: there was none. */
void origins_init(struct page *page, json_t *before);
void origins_finish(struct page *page);

/* Whether the storage of origins is being visited; whether the session is of the tab for that. */
bool origins_is_visiting(const struct page *page);
bool origins_has_session(const struct page *page, const char *session_id);

#endif
