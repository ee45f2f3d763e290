/*
 * A session over a fake browser with a working page (fixtures/cdp/page.jsonl): a test only adds
 * what is special. In its texts ' stands for ".
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

/* Tolerance for an action beyond its own time, and the time limit for a cancelled one to end. */
#define RIG_SLACK_MS slow_ms(2000)

/* URL of the page that rig_start() opens. */
#define RIG_URL "http://page.test/first"

/* A call that the fake browser does not reply to, followed by a disconnect or a crash. */
#define RIG_CLOSE "'ignore':true,'times':1,'then':[{'close':true}]}"
#define RIG_CRASH                                                                                  \
    "'ignore':true,'times':1,'then':[{'event':{'method':'Inspector.targetCrashed',"                \
    "'sessionId':'$session','params':{}}}]}"

struct rig {
    struct fake_browser *fake;
    struct br_browser *browser; /* NULL: shared with another rig */
    struct br_session *session;
    int timeout_ms;               /* of an action without its own */
    bool is_part;                 /* of the actions: see runner/base/action.h */
    struct br_response *response; /* of the last action; NULL before the first */
    int64_t took_ms;              /* duration of the last action */
    char *late;                   /* the first action that took too long; NULL: none */
};

/* The beginning of a rule for a function of elements.js called in a page. */
#define RIG_ELEMENTS(function)                                                                     \
    "{'serve':'Runtime.callFunctionOn','params':{'functionDeclaration':'~elements." function "('}" \
    ","

/* The answer of a job that has found an element: the node's id, and the object's text. */
#define RIG_FOUND(node, answer)                                                                    \
    "'reply':{'result':{'type':'object','objectId':'E1','deepSerializedValue':{'type':'object',"   \
    "'value':[['node',{'type':'node','value':{'backendNodeId':" node "}}],"                        \
    "['answer',{'type':'string','value':'" answer "'}]]}}}"

/* Opens a session; options NULL means those of rig_options(). Sets `connect`. */
struct br_session_options rig_options(void);
void rig_open(struct rig *rig, const struct br_session_options *options);

/* As rig_open(), and opens a page at RIG_URL. */
void rig_start(struct rig *rig);

/* Closes the session; returns how long that took. */
int64_t rig_end_session(struct rig *rig);

/* Ends both; fails the test if an action or closing took too long, or the transcript failed. */
void rig_close(struct rig *rig);

/* The state of a test is a rig that was started. */
int rig_set_up(void **state);
int rig_tear_down(void **state);
#define RIG_TEST(test) cmocka_unit_test_setup_teardown(test, rig_set_up, rig_tear_down)

/*
 * Returns the browser's present life, which must exist. rig_await_drop() waits until the end of its
 * connection was noticed on this side, and releases the life: needed after a {'close':true} that no
 * action waits for.
 */
struct browser_life *rig_life(struct rig *rig);
void rig_await_drop(struct browser_life *life);

/* Plays the steps that end the connection, and waits until that was noticed. */
void rig_drop(struct rig *rig, const char *steps);

/* Runs an action. The response is borrowed until the next one. May be called on any thread. */
struct br_response *rig_run(struct rig *rig, const char *action);

/* The expected result of an action. */
struct outcome {
    enum br_code code; /* BR_OK: success */
    int attempts;      /* 0: any number */
    bool is_recovered;
};

void rig_expect(struct rig *rig, const char *action, struct outcome outcome);

/*
 * Returns whether the last response has such a log entry of the tool; rig_expect_log() fails the
 * test without it.
 */
bool rig_has_log(const struct rig *rig, const char *category, const char *words);
void rig_expect_log(const struct rig *rig, const char *category, const char *words);
void rig_expect_hint(const struct rig *rig, const char *words);

/* As fake_browser_play(), _find() and _count(). */
void rig_play(struct rig *rig, const char *steps);
size_t rig_find(struct rig *rig, const char *pattern, size_t from);
size_t rig_count(struct rig *rig, const char *pattern);

/*
 * Waits until this many commands have arrived: commands without a reply may still be on their way.
 */
void rig_await_count(struct rig *rig, const char *pattern, size_t count);

/* Fails the test unless these, ended by NULL, arrived in this order. */
void rig_expect_order(struct rig *rig, const char *const *patterns);

#endif
