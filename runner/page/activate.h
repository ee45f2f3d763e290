/* The tabs that the session has open, by numbers from 1; one of them is the page. */
#ifndef RUNNER_PAGE_ACTIVATE_H
#define RUNNER_PAGE_ACTIVATE_H

#include <stdbool.h>

struct br_error;
struct page;

/* Another tab at about:blank, which is the page from now on. */
bool page_open_tab(struct page *page, struct br_error *err);

/*
 * A tab that is open already is the page from now on, as it is, and stays open in the end. It is
 * known by Chrome's id of the target, or by its URL: with * for any text, or a part of it.
 * TARGET_NOT_FOUND when there is none, or another session has it, TARGET_AMBIGUOUS when there are
 * several.
 */
bool page_adopt_tab(struct page *page, const char *tab, struct br_error *err);

/* Makes a tab the page. TARGET_NOT_FOUND when there is none of this number. */
bool page_activate_tab(struct page *page, int number, struct br_error *err);

/* Closes a tab; 0: the one that is the page. Then its opener is the page, or the newest tab. */
bool page_close_tab(struct page *page, int number, struct br_error *err);

/*
 * After the tab that was the page has closed itself: its opener, or the newest one, is the page.
 * False when that is not what happened.
 */
bool page_leave_closed_tab(struct page *page, struct br_error *err);

/* Opens a tab at about:blank and listens to it: from now on it is the page, without settings. */
bool activate_new(struct page *page, struct br_error *err);

#endif
