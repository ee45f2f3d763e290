/* Runs the commands about a page on its tab's thread, as one or more actions each. */
#ifndef RUNNER_SERVERS_BROP_PAGE_H
#define RUNNER_SERVERS_BROP_PAGE_H

#include "runner/servers/brop/tab.h"

/* A running command. */
struct brop_run {
    struct brop_tab *tab;
    struct br_session *session;
    const char *method;
    const json_t *params;
    int64_t began_ms; /* monotonic: when the command began */
    int64_t left_ms;  /* set by a wait that another command interrupted; 0: it is over */
};

/* Whether there is a command of this name about a page. */
bool brop_page_has(const char *method);

/*
 * Runs the command. *ret_result is the reply's result; after a failure it is NULL, or a result that
 * is sent beside the error. Caller decrefs. On the tab's thread.
 */
bool brop_page_run(struct brop_run *run, json_t **ret_result, struct br_error *err);

/* Returns the page's text for list_tabs, cut. Caller frees; NULL with the error. */
char *brop_page_text(struct brop_tab *tab, struct br_session *session, struct br_error *err);

/* Opens the tab's page, with the parameters of create_tab. */
bool brop_page_open(struct brop_run *run, struct br_error *err);

#endif
