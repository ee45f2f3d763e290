/*
 * The methods of the DevTools protocol, and those effects of each that a client's scope and the
 * server's rules depend on. A method without a row is unknown, and refused where effects matter.
 */
#ifndef RUNNER_SERVERS_CDP_METHODS_H
#define RUNNER_SERVERS_CDP_METHODS_H

#include <stdbool.h>

enum method_use {
    USE_READS = 1,    /* reads, and changes nothing that other clients see */
    USE_CONTEXT = 2,  /* browserContextId must be the client's; the default is inserted */
    USE_STORAGE = 4,  /* the same, but in a page's session the default is the page's context */
    USE_TARGET = 8,   /* targetId must not be hidden */
    USE_FLAT = 16,    /* flatten must be true */
    USE_HOLDS = 32,   /* waitForDebuggerOnStart pauses new targets */
    USE_DISPOSE = 64, /* browserContextId must be one that the client has created */
    USE_CREATE = 128, /* creates a context, which uses the way out */
    USE_CLOSE = 256,  /* ends the browser */
    USE_CODE = 512,   /* runs the client's code, or text that a page may run */
    USE_URL = 1024,   /* opens `url` */
    USE_FILES = 2048, /* passes `files` to a page */
    USE_DRAG = 4096,  /* passes files of `data` to a page, and opens its URLs */
    USE_SAVES = 8192, /* saves downloads in `downloadPath` */
    USE_DOWNLOADS = 16384 | USE_SAVES, /* the same, for a whole context */
    USE_TRACE = 32768,                 /* `perfettoConfig` may name a file that is written */
    USE_PAGE = 1048576,                /* if sent to the browser: affects all clients, or ends it */
    USE_CERTIFICATES = 2097152,        /* if sent to the browser: affects all pages of the client */
    USE_REFUSED = 65536,               /* affects the whole browser, or this machine */
    USE_FRONT_END = 131072,            /* opens a devtools: page */
    USE_WINDOW = 262144,               /* windowId must be one that the client has received */
    USE_TYPES = 524288,                /* `url` may be opened as if typed by the user */
};

/* Commands whose replies are for scope_reply(). */
enum scope_tag {
    SCOPE_TARGETS = 1, /* Target.getTargets */
    SCOPE_CONTEXTS,    /* Target.getBrowserContexts */
    SCOPE_NEW_CONTEXT, /* Target.createBrowserContext */
    SCOPE_OWN_CONTEXT, /* the same, with disposeOnDetach */
    SCOPE_NEW_TARGET,  /* Target.createTarget */
    SCOPE_WINDOW,      /* Browser.getWindowForTarget */
    SCOPE_CLOSE,       /* Browser.close, after which the client's connection is closed */
    SCOPE_LAST,        /* the caller's own tags begin here */
};

struct method {
    const char *domain;
    const char *names; /* without the domain, separated by spaces; NULL: the whole domain */
    unsigned uses;     /* flags of enum method_use */
    enum scope_tag tag;
    const char *code; /* parameters with code or URLs of code, separated by spaces; NULL: none */
};

/* Returns NULL for an unknown method. */
const struct method *method_find(const char *name);

#endif
