/*
 * A session over a fake browser that has one page which is well (fixtures/cdp/page.jsonl): a test
 * says only what is special. In its texts ' stands for ".
 */
#ifndef TESTS_INTEGRATION_SESSION_RIG_H
#define TESTS_INTEGRATION_SESSION_RIG_H

#include "tests/integration/fake_ask.h"
#include "tests/slowness.h"

#include "runner/base/memory.h"

#include <browser_runner/session.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* What an action may take beyond its own time, and within that one has to end that is called off.
 */
#define RIG_SLACK_MS slow_ms(2000)

/* Where the page is that rig_start() opens. */
#define RIG_URL "http://page.test/first"

/* A call that the fake browser leaves without an answer, and with what happens then. */
#define RIG_CLOSE "'ignore':true,'times':1,'then':[{'close':true}]}"
#define RIG_CRASH                                                                                  \
    "'ignore':true,'times':1,'then':[{'event':{'method':'Inspector.targetCrashed',"                \
    "'sessionId':'$session','params':{}}}]}"

struct rig {
    struct fake_browser *fake;
    struct br_browser *browser; /* NULL: another rig's */
    struct br_session *session;
    int timeout_ms;               /* of an action that gives none */
    struct br_response *response; /* of the last action; NULL before the first */
    int64_t took_ms;              /* the last action */
    char *late;                   /* the first action that took too long; NULL: none did */
};

/* A rule, without its end, for a function of elements.js that is called in a page. */
#define RIG_ELEMENTS(function)                                                                     \
    "{'serve':'Runtime.callFunctionOn','params':{'functionDeclaration':'~elements." function "('}" \
    ","

/* What a job answers that has found an element: the node's id, and an object's text. */
#define RIG_FOUND(node, answer)                                                                    \
    "'reply':{'result':{'type':'object','objectId':'E1','deepSerializedValue':{'type':'object',"   \
    "'value':[['node',{'type':'node','value':{'backendNodeId':" node "}}],"                        \
    "['answer',{'type':'string','value':'" answer "'}]]}}}"

/* Opens a session; options NULL are those of rig_options(). Its `connect` is set here. */
struct br_session_options rig_options(void);
void rig_open(struct rig *rig, const struct br_session_options *options);

/* The same, and a page at RIG_URL. */
void rig_start(struct rig *rig);

/* Ends the session; how long that took. */
int64_t rig_end_session(struct rig *rig);

/*
 * Ends both; fails the test when an action or the session's end took too long, or the transcript
 * was broken.
 */
void rig_close(struct rig *rig);

/*
 * The browser's present life, which has to be there. rig_await_drop() waits until its connection's
 * end was seen on this side, and releases it: what follows a {'close':true} that nobody waits for.
 */
struct browser_life *rig_life(struct rig *rig);
void rig_await_drop(struct browser_life *life);

/* Plays the steps, by which the connection ends, and waits until that was seen. */
void rig_drop(struct rig *rig, const char *steps);

/* Runs an action. The response is borrowed until the next one. May be called on any thread. */
struct br_response *rig_run(struct rig *rig, const char *action);

/* How an action has to end. */
struct outcome {
    enum br_code code; /* BR_OK: with success */
    int attempts;      /* 0: any number */
    bool is_recovered;
};

void rig_expect(struct rig *rig, const char *action, struct outcome outcome);

/* Whether the last response has such an entry of the tool's own; and fails the test without. */
bool rig_has_log(const struct rig *rig, const char *category, const char *words);
void rig_expect_log(const struct rig *rig, const char *category, const char *words);
void rig_expect_hint(const struct rig *rig, const char *words);

/* As fake_browser_play(), _find() and _count(). */
void rig_play(struct rig *rig, const char *steps);
size_t rig_find(struct rig *rig, const char *pattern, size_t from);
size_t rig_count(struct rig *rig, const char *pattern);

/* Waits until so many came: what is sent without an answer is on its way for a while. */
void rig_await_count(struct rig *rig, const char *pattern, size_t count);

/* Fails the test unless these, ended by NULL, came in this order. */
void rig_expect_order(struct rig *rig, const char *const *patterns);

#endif
