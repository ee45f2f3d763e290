/*
 * Screenshots of tabs that have not drawn anything yet. Chrome's own port waits for the first
 * frame; with CDPScreenshotNewSurface, which our sessions need, Chrome refuses at once. The command
 * is kept until its reply, and sent again after such a refusal. Loop thread only.
 */
#ifndef RUNNER_SERVERS_CDP_CAPTURES_H
#define RUNNER_SERVERS_CDP_CAPTURES_H

#include "runner/cdp/raw_command.h"
#include "runner/loop/loop.h"

struct captures;

/* `again` sends a refused command once more; the text is borrowed. */
struct captures *captures_create(struct loop *loop,
                                 void (*again)(void *data, const char *text, size_t length),
                                 void *data);

/* No command is sent again. NULL is fine. */
void captures_destroy(struct captures *captures);

/* Keeps a Page.captureScreenshot and returns its number, from 1 on; 0 for any other command. */
int captures_keep(struct captures *captures, const struct raw_command *command);

/* Whether the reply is final. Otherwise the command will be sent again. */
bool captures_answer(struct captures *captures, int number, const char *text, size_t length);

#endif
