/*
 * A page over a fake browser (fixtures/cdp/page.jsonl), without a session: no retries, no recovery,
 * no policy. In texts ' stands for ".
 */
#ifndef TESTS_INTEGRATION_PAGE_RIG_H
#define TESTS_INTEGRATION_PAGE_RIG_H

#include "runner/base/log.h"
#include "runner/base/memory.h"
#include "runner/page/page.h"
#include "tests/integration/fake_ask.h"
#include "tests/slowness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The tab of an open page, and its session. */
#define PAGE_RIG_TAB     "T1"
#define PAGE_RIG_SESSION "S1"

struct page_rig {
    struct fake_browser *fake;
    struct loop *loop;
    struct cdp_connection *connection;
    struct targets *targets;
    struct page *page;
    struct log_list logs;
};

/* Opens a page at about:blank, with a deadline of slow_ms(10000). */
void page_rig_open(struct page_rig *rig);

/* Likewise with a virtual clock; each time that is granted passes at once. */
void page_rig_open_virtual(struct page_rig *rig);

/* Closes it; fails the test if the transcript failed. */
void page_rig_close(struct page_rig *rig);

/* The state of a test is a rig that was opened by the function, or by page_rig_open(). */
int page_rig_begin(void **state, void (*open)(struct page_rig *rig));
int page_rig_set_up(void **state);
int page_rig_tear_down(void **state);
#define PAGE_RIG_TEST(test)                                                                        \
    cmocka_unit_test_setup_teardown(test, page_rig_set_up, page_rig_tear_down)

/* Plays the steps and processes the events that they send. */
void page_rig_play(struct page_rig *rig, const char *steps);

/* Limits all later waits of the page to this time. */
void page_rig_limit(struct page_rig *rig, int64_t ms);

/* Fails the test unless the tool has logged an entry with these words. */
void page_rig_expect_log(const struct page_rig *rig, const char *words);

/* An event of the page's session, as a step. */
#define PAGE_RIG_EVENT(method, params)                                                             \
    "{'event':{'method':'" method "','sessionId':'" PAGE_RIG_SESSION "','params':{" params "}}}\n"

/* The session of a frame in another process joins the page. */
#define PAGE_RIG_JOINS(session, frame)                                                             \
    PAGE_RIG_EVENT("Target.attachedToTarget",                                                      \
                   "'sessionId':'" session "','waitingForDebugger':true,'targetInfo':{'targetId':" \
                   "'" frame "','type':'iframe','parentFrameId':'" PAGE_RIG_TAB "'}")

/* The reply to Page.getFrameTree in a session, as a step: a frame and its children. */
#define PAGE_RIG_TREE(session, frame, children)                                                    \
    "{'serve':'Page.getFrameTree','session':'" session "','reply':{'frameTree':{'frame':{" frame   \
    "},'childFrames':[" children "]}}}\n"
#define PAGE_RIG_MAIN "'id':'" PAGE_RIG_TAB "','loaderId':'L1','url':'http://page.test/'"

/* Rules for virtual time, with the steps after each reply that grants some. */
#define PAGE_RIG_TIME(then)                                                                        \
    "{'serve':'Emulation.setVirtualTimePolicy','reply':{'virtualTimeTicksBase':1000},"             \
    "'then':[" then "]}\n"                                                                         \
    "{'serve':'Emulation.setVirtualTimePolicy','params':{'policy':'pause'},"                       \
    "'reply':{'virtualTimeTicksBase':1000}}\n"
#define PAGE_RIG_EXPIRED                                                                           \
    "{'event':{'method':'Emulation.virtualTimeBudgetExpired','sessionId':'$session','params':{}}}"

/* For targets that wait to be resumed. */
#define PAGE_RIG_GO_ON "{'serve':'Runtime.runIfWaitingForDebugger','reply':{}}\n"

#endif
