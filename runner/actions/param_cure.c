#include "runner/actions/param_cure.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/names.h"
#include "runner/base/url_parts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *param_meant_choice(const char *text, const char *const *choices)
{
    static const char *const words[][2] = {
        { "ctrl", "Control" }, { "ctl", "Control" },
        { "strg", "Control" }, { "cmd", "Meta" },
        { "command", "Meta" }, { "win", "Meta" },
        { "windows", "Meta" }, { "super", "Meta" },
        { "opt", "Alt" },      { "option", "Alt" },
        { "wheel", "middle" }, { "center", "middle" },
        { "primary", "left" }, { "secondary", "right" },
        { "jpg", "jpeg" },     { "networkidle", "networkidle0" },
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        for (size_t k = 0; strcasecmp(text, words[i][0]) == 0 && choices[k]; k++) {
            if (strcmp(choices[k], words[i][1]) == 0) {
                return choices[k];
            }
        }
    }
    return NULL;
}

static size_t count_of(const char *const *choices)
{
    size_t count = 0;
    while (choices[count]) {
        count++;
    }
    return count;
}

/* Returns the choice with another tool's name, or the text itself. */
static json_t *cure_choice(const struct param *param, const char *text)
{
    const char *meant = param->choices ? param_meant_choice(text, param->choices) : NULL;
    if (!meant && param->choices) {
        meant = names_nearest(text, param->choices, count_of(param->choices));
    }
    return json_text(meant ? meant : text);
}

/* Reads "250ms", "2 s" and "10px" as numbers: milliseconds and pixels. */
static json_t *cure_number(const char *text)
{
    char *end = NULL;
    double number = strtod(text, &end);
    const char *unit = end + strspn(end, " ");
    bool is_seconds = strcasecmp(unit, "s") == 0 || strcasecmp(unit, "sec") == 0 ||
                      strcasecmp(unit, "seconds") == 0;
    if (end == text ||
        (!is_seconds && *unit && strcasecmp(unit, "ms") != 0 && strcasecmp(unit, "px") != 0)) {
        return NULL;
    }
    number *= is_seconds ? 1000 : 1;
    bool is_whole = number >= -1e15 && number <= 1e15 && number == (double)(json_int_t)number;
    return is_whole ? json_integer((json_int_t)number) : json_real(number);
}

/* Returns the nearest number that the parameter takes. */
static json_t *nearest(const struct param *param, const json_t *value)
{
    double number = json_number_value(value);
    if (!json_is_number(value) || (param->min == 0 && param->max == 0)) {
        return NULL;
    }
    number = param->kind == PARAM_INTEGER ? round(number) : number;
    number = fmin(fmax(number, param->min), param->max);
    return number == floor(number) ? json_integer((json_int_t)number) : json_real(number);
}

static json_t *cure_boolean(const json_t *value)
{
    static const char *const words[][2] = {
        { "yes", "no" }, { "on", "off" }, { "true", "false" }, { "1", "0" }
    };
    const char *text = json_string_value(value);
    for (size_t i = 0; text && i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcasecmp(text, words[i][0]) == 0 || strcasecmp(text, words[i][1]) == 0) {
            return json_boolean(strcasecmp(text, words[i][0]) == 0);
        }
    }
    double number = json_number_value(value);
    return json_is_number(value) && (number == 0 || number == 1) ? json_boolean(number == 1) : NULL;
}

/* Converts numbers in the order of their names: [10, 20] to {"x": 10, "y": 20}. */
static json_t *cure_numbers(const json_t *value, const char *const *names, size_t count)
{
    if (json_array_size(value) != count) {
        return NULL;
    }
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++) {
        json_object_set(object, names[i], json_array_get(value, i));
    }
    return object;
}

static json_t *cure_range(const json_t *value)
{
    static const char *const names[] = { "min", "max" };
    if (json_is_number(value)) {
        return json_pack("{s:O, s:O}", "min", value, "max", value);
    }
    if (json_is_object(value)) {
        return json_pack("{s:O*, s:O*}", "min", json_object_get(value, "max"), "max",
                         json_object_get(value, "min"));
    }
    return cure_numbers(value, names, 2);
}

/* Reads the id from "@e12", "[ref=e12]", "12". */
char *param_cure_node(const char *text)
{
    const char *digits = text + strcspn(text, "0123456789");
    size_t length = strspn(digits, "0123456789");
    bool is_id = digits == text || digits[-1] == 'e' || digits[-1] == 'E';
    bool is_one = !digits[length + strcspn(digits + length, "0123456789")];
    return length && is_id && is_one ? xasprintf("e%.*s", (int)length, digits) : NULL;
}

/* Converts a scalar to text, and an array of one item to that item. */
static json_t *cure_text(const struct param *param, const json_t *value)
{
    if (json_array_size(value) == 1 && json_is_string(json_array_get(value, 0))) {
        return json_incref(json_array_get(value, 0));
    }
    if (!json_is_number(value) && !json_is_boolean(value)) {
        return NULL;
    }
    CLEANUP_FREE char *text = json_dumps(value, JSON_ENCODE_ANY);
    CLEANUP_FREE char *node = param->kind == PARAM_NODE ? param_cure_node(text) : NULL;
    return json_text(node ? node : text);
}

char *param_cure_url(const char *text)
{
    static const char *const local[] = {
        "localhost", "127.", "[::1]", "0.0.0.0", "192.168.", "10."
    };
    bool is_local = false;
    for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++) {
        is_local = is_local || strncasecmp(text, local[i], strlen(local[i])) == 0;
    }
    size_t host = strcspn(text, "/?#");
    bool has_name = memchr(text, '.', host) || is_local;
    if (*text == '/' && text[1] == '/') {
        return xasprintf("https:%s", text);
    }
    char *url = has_name && *text != '.' && !strstr(text, "://")
                    ? xasprintf("%s://%s", is_local ? "http" : "https", text)
                    : NULL;
    if (url && !url_is_openable(url)) {
        free(url);
        url = NULL;
    }
    return url;
}

json_t *param_cure(const struct param *param, const json_t *value)
{
    static const char *const point[] = { "x", "y" };
    static const char *const box[] = { "x", "y", "width", "height" };
    const char *text = json_string_value(value);
    switch (param->kind) {
    case PARAM_TEXT:
    case PARAM_NAME:
    case PARAM_NODE:
    case PARAM_URL:
    case PARAM_KEYS:
        return cure_text(param, value);
    case PARAM_CHOICE:
        text = json_string_value(json_array_get(value, 0));
        return text && json_array_size(value) == 1 ? cure_choice(param, text) : NULL;
    case PARAM_NUMBER:
    case PARAM_INTEGER:
        return text ? cure_number(text) : nearest(param, value);
    case PARAM_BOOLEAN:
        return cure_boolean(value);
    case PARAM_CHOICES:
    case PARAM_NAMES:
        return text && *text ? json_pack("[o]", cure_choice(param, text)) : NULL;
    case PARAM_RANGE:
        return cure_range(value);
    case PARAM_POINT:
        return cure_numbers(value, point, 2);
    case PARAM_BOX:
        return cure_numbers(value, box, 4);
    case PARAM_TEXTS:
    case PARAM_INTEGERS:
    case PARAM_SELECTORS:
    case PARAM_TARGET:
    case PARAM_ACTION:
    case PARAM_HEADERS:
    case PARAM_FIELDS:
    case PARAM_VALUES:
    case PARAM_CLOCK:
    case PARAM_MEMBERS:
    case PARAM_LIST:
        break;
    }
    return NULL;
}
