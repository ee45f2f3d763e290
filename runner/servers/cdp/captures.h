/*
 * Pictures that a client asks for before its tab has drawn anything. Chrome's port waits for the
 * first frame then; with CDPScreenshotNewSurface, which our sessions want, Chrome refuses at once.
 * So the command is kept until it is answered, and given again while it is refused for that reason.
 */
#ifndef RUNNER_SERVERS_CDP_CAPTURES_H
#define RUNNER_SERVERS_CDP_CAPTURES_H

#include "runner/cdp/raw_command.h"
#include "runner/loop/loop.h"

struct captures;

/* `again` gets the text of a command that is to be given again, on the loop thread. */
struct captures *captures_create(struct loop *loop,
                                 void (*again)(void *data, const char *text, size_t length),
                                 void *data);

/* No command is given again. On the loop thread. */
void captures_stop(struct captures *captures);

/* After captures_stop(). NULL is fine. */
void captures_destroy(struct captures *captures);

/*
 * Keeps a command if it is Page.captureScreenshot: its number, from 1 on, for captures_answer(),
 * else 0. Any thread.
 */
int captures_keep(struct captures *captures, const struct raw_command *command);

/* Whether the answer is final, else the command will be given again. On the loop thread. */
bool captures_answer(struct captures *captures, int number, const char *text, size_t length);

#endif
