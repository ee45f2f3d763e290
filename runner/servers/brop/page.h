/* The commands about a page: run on its tab's thread, each as one or more actions of ours. */
#ifndef RUNNER_SERVERS_BROP_PAGE_H
#define RUNNER_SERVERS_BROP_PAGE_H

#include "runner/servers/brop/tab.h"

/* A command that is being run. */
struct brop_run {
    struct brop_tab *tab;
    struct br_session *session;
    const char *method;
    const json_t *params;
};

/* Whether there is a command of this name about a page. */
bool brop_page_has(const char *method);

/*
 * Runs it. *ret_result is the reply's result, the caller's to decref; with an error it is NULL, or
 * what is to be told beside the error. On the tab's thread.
 */
bool brop_page_run(struct brop_run *run, json_t **ret_result, struct br_error *err);

/* What the tab's page says, cut, for list_tabs. Caller frees; NULL with the error. */
char *brop_page_text(struct brop_tab *tab, struct br_session *session, struct br_error *err);

/* Opens the tab's page by the parameters of create_tab. */
bool brop_page_open(struct brop_run *run, struct br_error *err);

#endif
