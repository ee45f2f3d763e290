/*
 * Draws actions into the page for people who watch: a cursor, a ring at a mouse press, a frame
 * around the target, the name of a key; see page_options.shows_actions. Nothing here fails, and
 * nothing is drawn unless requested.
 */
#ifndef RUNNER_PAGE_ELEMENT_SHOW_H
#define RUNNER_PAGE_ELEMENT_SHOW_H

#include <stdbool.h>

struct page;

/* Draws the mouse's present position; does not wait for the reply. */
void show_mouse(struct page *page, bool is_pressed);

/*
 * Marks the focused element, which receives text, a choice, or these keys; does not wait for the
 * reply. Keys that type a character (is_typed) are named only if the text cannot be secret; NULL:
 * no key.
 */
void show_focus(struct page *page, const char *keys, bool is_typed);

/*
 * Hides all drawings until show_again(); they are certainly hidden on return. Returns false if
 * there is nothing to hide.
 */
bool show_hide(struct page *page);
void show_again(struct page *page);

/* Removes the drawings from the document, before the next command to the main frame. */
void show_remove(struct page *page);

#endif
