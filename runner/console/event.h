/* A console call, reported by an extension or by a page that this program drives. */
#ifndef RUNNER_CONSOLE_EVENT_H
#define RUNNER_CONSOLE_EVENT_H

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

/* The types of arguments: those of the protocol, and further ones that extensions send. */
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
    KIND_MAX_DEPTH, /* omitted, since it is nested too deeply */
    KIND_ACCESSOR,  /* a getter; it is not called */
    KIND_JSON,      /* a value without a type */
    CONSOLE_KINDS,
};

struct console_member;

struct console_value {
    enum console_kind kind;
    char *text;                     /* the printed form of a value without members; NULL: unknown */
    char *name;                     /* of a function; the tag of an element */
    char *class_name;               /* NULL: none, or unknown */
    char *stack;                    /* of an error: its message, then a line for each frame */
    json_t *json;                   /* of KIND_JSON */
    struct console_member *members; /* of an object, array, map or set; attributes of an element */
    size_t count;
    size_t left_out; /* how many members were omitted */
};

#define CONSOLE_LEFT_UNKNOWN SIZE_MAX /* an unknown number of members was omitted */

struct console_member {
    char *key;                       /* NULL: none, or key_value */
    struct console_value *key_value; /* the key in a map; NULL: none */
    struct console_value value;
};

struct console_location {
    char *url;        /* NULL: unknown */
    int line, column; /* from 1; 0: unknown */
};

struct console_event {
    enum console_method method;
    struct console_value *args;
    size_t count;
    struct {
        char *tab;         /* the id as text; "": none */
        char *url, *title; /* NULL: unknown */
    } source;
    struct console_location location;
    struct console_location generated; /* the place in the script, if `location` was mapped */
    char *stack;                       /* of the call, a line for each frame; NULL: unknown */
    char *result;    /* the browser's text for a counter or timer: "label: 3"; NULL: unknown */
    int64_t time_ms; /* of the call, since 1970 */
};

const char *console_method_name(enum console_method method);
enum console_level console_method_level(enum console_method method);
bool console_method_find(const char *name, enum console_method *ret_method);

/* Finds a method by CDP's name, such as "startGroup"; CONSOLE_LOG for any other name. */
void console_method_find_chrome(const char *name, enum console_method *ret_method);

/* "debug", "log", "info", "warn", "error". */
const char *console_level_name(enum console_level level);

/*
 * Returns a bit for each method that the word names: a level ("error" includes assertions) or a
 * method, in the words of this protocol or of Puppeteer ("warning", "startGroup"). 0: unknown.
 */
uint32_t console_methods_named(const char *word);

const char *console_kind_name(enum console_kind kind);
bool console_kind_find(const char *name, enum console_kind *ret_kind);

/* Reads "url:line:column". Caller frees the URL. */
struct console_location console_location_read(const char *text);

/* Adds an empty member; *capacity is that of the members, 0 at the beginning. */
struct console_member *console_event_add_member(struct console_value *value, size_t *capacity);

void console_value_finish(struct console_value *value);
void console_event_destroy(struct console_event *event); /* NULL is fine */

#endif
