/*
 * What is done to the page, drawn into it for those who watch: a cursor, a ring where the mouse is
 * pressed, a frame around what is meant, the name of a key; page_options.shows_actions.
 * Nothing here fails, and nothing is drawn unless it is asked for.
 */
#ifndef RUNNER_PAGE_ELEMENT_SHOW_H
#define RUNNER_PAGE_ELEMENT_SHOW_H

#include <stdbool.h>

struct page;

/* Where the mouse is by now; the reply is not waited for. */
void show_mouse(struct page *page, bool is_pressed);

/*
 * What has the focus, which takes text, a choice, or these keys; the reply is not waited for. Keys
 * that type a character (is_typed) are named only where nothing could keep what is typed a secret;
 * NULL: no key.
 */
void show_focus(struct page *page, const char *keys, bool is_typed);

/*
 * Until show_again() nothing of it is drawn, which is certain when this comes back. False when
 * there is nothing to hide.
 */
bool show_hide(struct page *page);
void show_again(struct page *page);

/* Takes it out of the document, ahead of what is asked of the main frame next. */
void show_remove(struct page *page);

#endif
