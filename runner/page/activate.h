/* The tabs that the session has open, numbered from 1; one of them is the page. */
#ifndef RUNNER_PAGE_ACTIVATE_H
#define RUNNER_PAGE_ACTIVATE_H

#include <stdbool.h>

struct br_error;
struct page;

/* Opens another tab at about:blank and makes it the page. */
bool page_open_tab(struct page *page, struct br_error *err);

/*
 * Makes a tab that is already open the page, unchanged; it stays open at the end. `tab` is Chrome's
 * target id, or the URL: with * for any text, or a part of it. Fails with TARGET_NOT_FOUND if there
 * is none, or another session owns it; with TARGET_AMBIGUOUS if there are several.
 */
bool page_adopt_tab(struct page *page, const char *tab, struct br_error *err);

/* Makes a tab the page. TARGET_NOT_FOUND if there is no such number. */
bool page_activate_tab(struct page *page, int number, struct br_error *err);

/*
 * Closes a tab; 0: the page's. If that was the page, its opener becomes the page, or else the
 * newest tab.
 */
bool page_close_tab(struct page *page, int number, struct br_error *err);

/*
 * After the page's tab has closed itself: makes its opener, or the newest tab, the page. Returns
 * false if the tab has not closed itself.
 */
bool page_leave_closed_tab(struct page *page, struct br_error *err);

/* Opens a tab at about:blank, attaches to it and makes it the page, without settings. */
bool activate_new(struct page *page, struct br_error *err);

#endif
