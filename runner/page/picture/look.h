/* The picture after one action is the one before the next, when that follows at once. */
#ifndef RUNNER_PAGE_PICTURE_LOOK_H
#define RUNNER_PAGE_PICTURE_LOOK_H

#include <stdbool.h>

struct br_capture;
struct page;
struct page_capture;

/* How long a picture may serve as one of the page as it is now. */
enum { PAGE_LOOK_MS = 100 };

/* Keeps a copy of a picture of the viewport that has just been made with these options. */
void page_keep_look(struct page *page, const struct page_capture *options,
                    const struct br_capture *capture);

/*
 * That picture once more, if it was made so, came within the last PAGE_LOOK_MS, and no navigation,
 * dialog, download or new tab was heard of since. What the page did by itself is not in it. The
 * caller finishes *ret_capture.
 */
bool page_take_look(struct page *page, const struct page_capture *options,
                    struct br_capture *ret_capture);

/* To be called before anything is done to the page: the picture does not show that. */
void page_forget_look(struct page *page);

/* Chrome has just delivered a picture. */
void look_note_capture(struct page *page);

void look_init(struct page *page);
void look_finish(struct page *page);

#endif
