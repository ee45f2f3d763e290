#include "runner/actions/params.h"
#include "runner/base/json.h"

#include <string.h>

/* Typical values for parameters with these names, as JSON. */
static const struct {
    const char *name, *json;
} usual[] = {
    { "url", "\"http://localhost:3000/\"" },
    { "selector", "\"#go\"" },
    { "testId", "\"save\"" },
    { "text", "\"Save\"" },
    { "role", "\"button\"" },
    { "name", "\"Save\"" },
    { "frame", "\"iframe.editor\"" },
    { "to", "{\"selector\": \"#basket\"}" },
    { "targets", "[\"#go\", \"Buy*\"]" },
    { "files", "[\"photo.png\"]" },
    { "key", "\"Control+A\"" },
    { "expression", "\"document.title\"" },
    { "customCondition", "\"document.title !== ''\"" },
    { "expectedLogs", "[\"saved*\"]" },
    { "categories", "[\"console\", \"network\"]" },
    { "label", "\"log in\"" },
    { "locale", "\"de-DE\"" },
    { "timezone", "\"Europe/Berlin\"" },
    { "timeout", "5000" },
    { "sessionTimeoutMs", "60000" },
    { "retryDelay", "500" },
    { "ms", "500" },
    { "delay", "20" },
    { "quality", "60" },
    { "maxEdge", "1024" },
    { "maxBytes", "100000" },
    { "maxPixels", "1000000" },
    { "fields", "{\"email\": \"zoe@example.org\"}" },
    { "form", "{\"selector\": \"#checkout\"}" },
    { "action", "{\"type\": \"click\", \"selector\": \"#go\"}" },
};

static json_t *parsed(const char *json)
{
    return json_loads(json, JSON_DECODE_ANY, NULL);
}

/* Returns the last name of a path. */
static const char *last_part(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

static json_t *usual_value(const char *path)
{
    for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
        if (strcmp(last_part(path), usual[i].name) == 0) {
            return parsed(usual[i].json);
        }
    }
    return NULL;
}

/* Returns the typical text or array if the name has one of that type. */
static json_t *usual_or(const struct param *param, json_type type, const char *otherwise)
{
    json_auto_t *value = usual_value(param->name);
    return value && json_typeof(value) == type ? json_incref(value) : parsed(otherwise);
}

/* Returns the typical number if allowed, otherwise the allowed one nearest to 1. */
static json_t *number(const struct param *param)
{
    json_auto_t *value = usual_value(param->name);
    bool is_limited = param->min != 0 || param->max != 0;
    double usual_number = json_is_number(value) ? json_number_value(value) : 1;
    if (!is_limited || (usual_number >= param->min && usual_number <= param->max)) {
        return json_integer((json_int_t)usual_number);
    }
    double nearest = usual_number < param->min ? param->min : param->max;
    return param->kind == PARAM_INTEGER ? json_integer((json_int_t)nearest) : json_real(nearest);
}

/* Returns the required members; if there are none, the first. */
static json_t *members(const struct param *rows)
{
    json_t *object = json_object();
    for (const struct param *row = rows; row->name; row++) {
        if (row->is_required) {
            json_object_set_new(object, row->name, param_example(row));
        }
    }
    if (json_object_size(object) == 0 && rows->name) {
        json_object_set_new(object, rows->name, param_example(rows));
    }
    return object;
}

bool param_is_text(enum param_kind kind)
{
    return kind == PARAM_TEXT || kind == PARAM_NAME || kind == PARAM_NODE || kind == PARAM_URL ||
           kind == PARAM_KEYS || kind == PARAM_CHOICE;
}

json_t *param_written(const struct param *param, const char *written)
{
    return !written ? NULL : param_is_text(param->kind) ? json_string(written) : parsed(written);
}

json_t *param_example(const struct param *param)
{
    switch (param->kind) {
    case PARAM_TEXT:
    case PARAM_NAME:
    case PARAM_NODE:
    case PARAM_TEXTS:
        return usual_or(param, JSON_STRING, "\"text\"");
    case PARAM_URL:
        return parsed("\"http://localhost:3000/\"");
    case PARAM_KEYS:
        return parsed("\"Control+Shift+ArrowLeft\"");
    case PARAM_NUMBER:
    case PARAM_INTEGER:
    case PARAM_INTEGERS:
        return number(param);
    case PARAM_BOOLEAN:
        return json_true();
    case PARAM_CHOICE:
        return json_string(param->choices[0]);
    case PARAM_CHOICES:
        return json_pack("[s]", param->choices[0]);
    case PARAM_NAMES:
        return usual_or(param, JSON_ARRAY, "[\"text\"]");
    case PARAM_SELECTORS:
        return parsed("\".advert\"");
    case PARAM_RANGE:
        return parsed("{\"min\": 100, \"max\": 120}");
    case PARAM_POINT:
        return parsed("{\"x\": 10, \"y\": 5}");
    case PARAM_BOX:
        return parsed("{\"x\": 0, \"y\": 0, \"width\": 640, \"height\": 360}");
    case PARAM_TARGET:
    case PARAM_ACTION:
    case PARAM_HEADERS:
    case PARAM_FIELDS:
        return usual_or(param, JSON_OBJECT, "{}");
    case PARAM_VALUES:
        return usual_or(param, JSON_ARRAY, "[1, \"two\"]");
    case PARAM_CLOCK:
        return parsed("true");
    case PARAM_MEMBERS:
        return members(param->members);
    case PARAM_LIST:
        return json_pack("[o]", members(param->members));
    }
    return json_null();
}
