/* What a browser that listens at a port says of itself over HTTP. */
#ifndef RUNNER_CHROME_DISCOVER_H
#define RUNNER_CHROME_DISCOVER_H

#include "runner/loop/loop.h"
#include "runner/net/server_url.h"

#include <jansson.h>

/* A browser as another program's server. */
extern const struct server_kind discover_browser;

/*
 * Returns the /json/list of the browser at http://host:port or ws://host:port/…: an array of { id,
 * type, url, title, … }. Caller decrefs.
 */
json_t *discover_tabs(struct loop *loop, const char *url, struct deadline deadline,
                      struct br_error *err);

/*
 * Returns the WebSocket URL of the browser at http://host:port, by its /json/version. Caller frees.
 */
char *discover_websocket(struct loop *loop, const char *url, struct deadline deadline,
                         struct br_error *err);

#endif
