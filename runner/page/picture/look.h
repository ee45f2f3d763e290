/* Reuses the picture after an action as the one before the next action. */
#ifndef RUNNER_PAGE_PICTURE_LOOK_H
#define RUNNER_PAGE_PICTURE_LOOK_H

#include <stdbool.h>

struct br_capture;
struct page;
struct page_capture;

/* How long a picture counts as current. */
enum { PAGE_LOOK_MS = 100 };

/* Keeps a copy of a picture of the viewport that was just taken with these options. */
void page_keep_look(struct page *page, const struct page_capture *options,
                    const struct br_capture *capture);

/*
 * Returns that picture again if it was taken with the same options within the last PAGE_LOOK_MS,
 * and no navigation, dialog, download or new tab was reported since. Changes that the page made by
 * itself are missing. The caller finishes *ret_capture.
 */
bool page_take_look(struct page *page, const struct page_capture *options,
                    struct br_capture *ret_capture);

/* Call before doing anything to the page: the kept picture becomes invalid. */
void page_forget_look(struct page *page);

/* Records that Chrome has just delivered a picture. */
void look_note_capture(struct page *page);

void look_init(struct page *page);
void look_finish(struct page *page);

#endif
