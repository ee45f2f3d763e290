/*
 * The methods of the DevTools protocol, and what each does that a client's scope and the rules of
 * the server are about. The one table of them: a method that is in no row is not known, and refused
 * where its effect matters.
 */
#ifndef RUNNER_SERVERS_CDP_METHODS_H
#define RUNNER_SERVERS_CDP_METHODS_H

#include "runner/servers/cdp/scope.h"

enum method_use {
    USE_READS = 1,    /* looks, and changes nothing that others see */
    USE_CONTEXT = 2,  /* browserContextId is one of its own; without it, it is the default one */
    USE_STORAGE = 4,  /* the same, but on a page's session it is that of the page without it */
    USE_TARGET = 8,   /* targetId is not hidden */
    USE_FLAT = 16,    /* flatten must be true */
    USE_HOLDS = 32,   /* holds new targets at their start, if waitForDebuggerOnStart says so */
    USE_DISPOSE = 64, /* browserContextId is one that it made */
    USE_CREATE = 128, /* makes a context, which leaves by the way out */
    USE_CLOSE = 256,  /* ends the browser */
    USE_CODE = 512,   /* runs code of the client's, or text that a page may run */
    USE_URL = 1024,   /* `url` is opened */
    USE_FILES = 2048, /* `files` are given to a page */
    USE_DRAG = 4096,  /* the same of `data`, and its URLs are opened */
    USE_SAVES = 8192, /* downloads are saved in `downloadPath` */
    USE_DOWNLOADS = 16384 | USE_SAVES, /* the same, for a whole context */
    USE_TRACE = 32768,                 /* `perfettoConfig` may name a file that is written */
    USE_PAGE = 1048576, /* on a browser's session it is about all clients, or ends the browser */
    USE_CERTIFICATES = 2097152, /* on a browser's session: for all pages of the client */
    USE_REFUSED = 65536,        /* is about the browser of all, or this machine */
    USE_FRONT_END = 131072,     /* opens a page of devtools: */
    USE_WINDOW = 262144,        /* windowId is one that it was told of */
    USE_TYPES = 524288,         /* `url` may be opened as if typed by the user */
};

struct method {
    const char *domain;
    const char *names; /* without the domain, a space between two; NULL: all of the domain */
    unsigned uses;     /* enum method_use */
    enum scope_tag tag;
    const char *code; /* parameters that hold code or lead to it, a space between two; NULL: none */
};

/* NULL: it is not known. */
const struct method *method_find(const char *name);

#endif
