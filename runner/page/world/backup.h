/*
 * The state from which a page is restored after its process or browser died. It is updated after
 * actions, when the page is described anyway. Chrome writes cookies and storage with a delay and
 * never stores session cookies and session storage, so they would be lost after a kill.
 */
#ifndef RUNNER_PAGE_WORLD_BACKUP_H
#define RUNNER_PAGE_WORLD_BACKUP_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

struct page_backup {
    char *url;        /* of the main frame, with its fragment; NULL at first */
    bool is_posted;   /* the page was the response to a POST */
    json_t *settings; /* see page_set() */
    json_t *origins;  /* see page_origins() */
    char *origin;     /* origin of the storage; NULL: none */
    char *storage;    /* local and session storage, JSON text; NULL if too large */
};

void page_backup_finish(struct page_backup *backup);

/* Updates the backup with the page's latest description. Does not call the page. */
void page_backup_take(struct page *page, struct page_backup *backup);

/* Sets another URL to return to. */
void page_backup_set_url(struct page_backup *backup, const char *url);

/* The parts that a new page gets back before it navigates. */
struct page_refill {
    bool has_session; /* session storage and settings, which belonged to the tab */
    enum {
        PAGE_REFILL_NOTHING,
        PAGE_REFILL_MISSING, /* only missing items: existing ones are newer */
        PAGE_REFILL_ALL,
    } local;            /* local storage of the origin: after the browser's end */
    const char *newest; /* local storage as another page reported it later, in the format of
                           `storage`; NULL: none */
};

/* Replaces all cookies by these; logged. */
bool page_restore_cookies(struct page *page, json_t *cookies);

/*
 * Restores these parts: storage when the first document of the origin loads, before its scripts
 * run. The logs list what was restored and what could not be.
 */
void page_backup_refill(struct page *page, const struct page_backup *backup,
                        const struct page_refill *parts);

/* Call when the first document has loaded: storage must not be restored twice. */
void backup_end_refill(struct page *page);

/*
 * Navigates to the backup's URL, if it has one; the logs list what is lost. Errors as
 * page_navigate().
 */
bool page_backup_reopen(struct page *page, const struct page_backup *backup, struct br_error *err);

void backup_finish(struct page *page);

#endif
