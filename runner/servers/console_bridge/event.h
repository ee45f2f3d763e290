/*
 * A call of a page's console, wherever it was heard: from an extension, or in a page that this
 * program drives.
 */
#ifndef RUNNER_SERVERS_CONSOLE_BRIDGE_EVENT_H
#define RUNNER_SERVERS_CONSOLE_BRIDGE_EVENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum console_level { LEVEL_DEBUG, LEVEL_LOG, LEVEL_INFO, LEVEL_WARN, LEVEL_ERROR };

enum console_method {
    CONSOLE_LOG,
    CONSOLE_INFO,
    CONSOLE_WARN,
    CONSOLE_ERROR,
    CONSOLE_DEBUG,
    CONSOLE_TRACE,
    CONSOLE_TABLE,
    CONSOLE_GROUP,
    CONSOLE_GROUP_COLLAPSED,
    CONSOLE_GROUP_END,
    CONSOLE_CLEAR,
    CONSOLE_COUNT,
    CONSOLE_COUNT_RESET,
    CONSOLE_TIME,
    CONSOLE_TIME_END,
    CONSOLE_TIME_LOG,
    CONSOLE_ASSERT,
    CONSOLE_DIR,
    CONSOLE_DIRXML,
    CONSOLE_METHODS,
};

/* What an argument is: the types of the protocol, and those that extensions send besides. */
enum console_kind {
    KIND_STRING,
    KIND_NUMBER,
    KIND_BOOLEAN,
    KIND_NULL,
    KIND_UNDEFINED,
    KIND_OBJECT,
    KIND_ARRAY,
    KIND_FUNCTION,
    KIND_DOM,
    KIND_CIRCULAR,
    KIND_ERROR,
    KIND_SYMBOL,
    KIND_BIGINT,
    KIND_DATE,
    KIND_REGEXP,
    KIND_PROMISE,
    KIND_MAP,
    KIND_SET,
    KIND_WEAKMAP,
    KIND_WEAKSET,
    KIND_ARRAYBUFFER,
    KIND_TYPEDARRAY,
    KIND_DATAVIEW,
    KIND_MAX_DEPTH, /* what is there was left out, since it is too deep */
    KIND_ACCESSOR,  /* a getter, which was not called */
    KIND_JSON,      /* a value without a type */
    CONSOLE_KINDS,
};

struct console_member;

struct console_value {
    enum console_kind kind;
    char *text;       /* of what has no members: as it is shown; NULL: nothing is known */
    char *name;       /* of a function; the tag of an element */
    char *class_name; /* NULL: none, or not known */
    char *stack;      /* of an error, its message first, a line each */
    json_t *json;     /* KIND_JSON alone */
    struct console_member *members; /* of objects, arrays, maps, sets; attributes of an element */
    size_t count;
    size_t left_out; /* members that are not here */
};

#define CONSOLE_LEFT_UNKNOWN SIZE_MAX /* some are not here */

struct console_member {
    char *key;                       /* NULL: it has none, or `key_value` */
    struct console_value *key_value; /* of a map; NULL: none */
    struct console_value value;
};

struct console_location {
    char *url;        /* NULL: not known */
    int line, column; /* from 1; 0: not known */
};

struct console_event {
    enum console_method method;
    struct console_value *args;
    size_t count;
    struct {
        char *tab;         /* an id, as text; "" where there is none */
        char *url, *title; /* NULL: not known */
    } source;
    struct console_location location;
    struct console_location generated; /* where that is in the script; url NULL: just there */
    char *stack;                       /* where it was called, a line each; NULL: not known */
    char *result;    /* "label: 3": what the browser made of a counter or timer; NULL: not known */
    int64_t time_ms; /* of the call, since 1970 */
};

const char *console_method_name(enum console_method method);
enum console_level console_method_level(enum console_method method);
bool console_method_find(const char *name, enum console_method *ret_method);

/* By the name that Chrome's DevTools protocol has for a call, "startGroup"; log where it has none.
 */
void console_method_find_chrome(const char *name, enum console_method *ret_method);

/* "debug", "log", "info", "warn", "error". */
const char *console_level_name(enum console_level level);

/*
 * The methods, a bit each, that a word of a user's means: a level, such as "error", which has
 * assertions as well, or a method; in this protocol's words or Puppeteer's ("warning",
 * "startGroup"). 0: it is none.
 */
uint32_t console_methods_named(const char *word);

const char *console_kind_name(enum console_kind kind);
bool console_kind_find(const char *name, enum console_kind *ret_kind);

/* "url:line:column". Caller frees the URL. */
struct console_location console_location_read(const char *text);

void console_value_finish(struct console_value *value);
void console_event_destroy(struct console_event *event); /* NULL is fine */

#endif
