/*
 * What brings a page back after its process or its browser died: taken after actions, when the page
 * describes itself anyway. Chrome writes cookies and storage late and keeps session cookies and
 * session storage nowhere, so a killed one has lost what is here.
 */
#ifndef RUNNER_PAGE_WORLD_BACKUP_H
#define RUNNER_PAGE_WORLD_BACKUP_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

struct page_backup {
    char *url;        /* of the main frame, with its fragment; NULL before the first */
    bool is_posted;   /* the page was the answer to a POST */
    json_t *settings; /* see page_set() */
    json_t *origins;  /* see page_origins() */
    char *origin;     /* whose storage it is; NULL: none */
    char *storage;    /* local and session storage, JSON text; NULL when there was too much of it */
};

void page_backup_finish(struct page_backup *backup);

/* Brings the backup up to date with what the page has said of itself. No call to the page. */
void page_backup_take(struct page *page, struct page_backup *backup);

/* The place to go back to is another one from now on. */
void page_backup_set_url(struct page_backup *backup, const char *url);

/* What of it a new page is to get back before it goes anywhere. */
struct page_refill {
    bool has_session; /* session storage and settings, which end with the tab */
    enum {
        PAGE_REFILL_NOTHING,
        PAGE_REFILL_MISSING, /* what is there is newer */
        PAGE_REFILL_ALL,
    } local;            /* local storage of the origin: after the browser's end */
    const char *newest; /* local storage as another page had it later, as `storage`; NULL: none */
};

/* Puts cookies back in the place of all that there are; the logs say so. */
bool page_restore_cookies(struct page *page, json_t *cookies);

/*
 * Puts these back: storage when the first document of the origin comes, before any of its scripts
 * runs. The logs say what was put back and what could not be.
 */
void page_backup_refill(struct page *page, const struct page_backup *backup,
                        const struct page_refill *parts);

/* The first document has come: what was put back must not be put back again. */
void backup_end_refill(struct page *page);

/* Goes back to the backup's URL, if there is one; the logs say what is lost. Errors as
 * page_navigate(). */
bool page_backup_reopen(struct page *page, const struct page_backup *backup, struct br_error *err);

void backup_finish(struct page *page);

#endif
