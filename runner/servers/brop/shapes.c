#include "runner/servers/brop/shapes.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <ctype.h>
#include <string.h>

/* A member that is renamed; `from` is its name in the record. */
struct renamed {
    const char *name, *from;
};

static void copy_members(const struct renamed *rows, size_t count, const json_t *from, json_t *to)
{
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_object_get(from, rows[i].from);
        if (value) {
            json_object_set(to, rows[i].name, value);
        }
    }
}

#define COPY(rows, from, to) copy_members(rows, sizeof(rows) / sizeof((rows)[0]), from, to)

json_t *brop_box(const json_t *box)
{
    double sides[4]; /* x, y, width, height */
    for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
        sides[i] = json_number_value(json_array_get(box, i));
    }
    double right = sides[0] + sides[2];
    double bottom = sides[1] + sides[3];
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "x", json_number(sides[0], 100),
                     "y", json_number(sides[1], 100), "width", json_number(sides[2], 100), "height",
                     json_number(sides[3], 100), "top", json_number(sides[1], 100), "right",
                     json_number(right, 100), "bottom", json_number(bottom, 100), "left",
                     json_number(sides[0], 100));
}

/* Returns the default type of a control. NULL: it has none. Static. */
static const char *usual_type(const json_t *record)
{
    static const char *const types[][2] = { { "input", "text" },
                                            { "button", "submit" },
                                            { "textarea", "textarea" } };
    const char *tag = json_member_string(record, "tag");
    for (size_t i = 0; tag && i < sizeof(types) / sizeof(types[0]); i++) {
        if (strcmp(types[i][0], tag) == 0) {
            return types[i][1];
        }
    }
    if (!tag || strcmp(tag, "select") != 0) {
        return NULL;
    }
    return json_member_bool(record, "multiple", false) ? "select-multiple" : "select-one";
}

static void add_usual_type(const json_t *record, json_t *element)
{
    const char *type = usual_type(record);
    if (type && !json_object_get(element, "type")) {
        json_object_set_new(element, "type", json_string(type));
    }
}

json_t *brop_element(const json_t *record)
{
    static const struct renamed members[] = {
        { "tagName", "tag" },
        { "id", "id" },
        { "textContent", "text" },
        { "innerHTML", "html" },
        { "isVisible", "visible" },
        { "isClickable", "clickable" },
        { "computedStyle", "styles" },
        { "attributes", "attributes" },
        { "parentTagName", "parent" },
        { "childrenCount", "children" },
        { "role", "role" },
        { "value", "value" },
        { "disabled", "disabled" },
        { "checked", "checked" },
        { "selected", "selected" },
        { "readOnly", "readOnly" },
        { "required", "required" },
        { "multiple", "multiple" },
        { "private", "private" },
        { "frame", "frame" },
        { "dataAttributes", "data" },
        { "validationMessage", "invalid" },
    };
    static const struct renamed from_attributes[] = {
        { "className", "class" },
        { "type", "type" },
        { "name", "name" },
        { "placeholder", "placeholder" },
        { "pattern", "pattern" },
        { "min", "min" },
        { "max", "max" },
        { "step", "step" },
        { "src", "src" },
        { "alt", "alt" },
        { "href", "href" },
        { "ariaLabel", "aria-label" },
        { "ariaDescribedBy", "aria-describedby" },
        { "ariaLabelledBy", "aria-labelledby" },
    };
    json_t *element = json_pack("{s:s, s:s, s:[]}", "id", "", "className", "", "classList");
    json_t *classes = json_object_get(record, "classes");
    COPY(members, record, element);
    COPY(from_attributes, json_object_get(record, "attributes"), element);
    add_usual_type(record, element);
    if (classes) {
        json_object_set(element, "classList", classes);
    }
    if (json_object_get(record, "options")) {
        json_object_set(element, "options", json_object_get(record, "options"));
    }
    json_object_set_new(element, "boundingBox", brop_box(json_object_get(record, "box")));
    return element;
}

json_t *brop_clicked(const json_t *record)
{
    static const struct renamed members[] = { { "id", "id" }, { "text", "text" } };
    static const struct renamed from_attributes[] = {
        { "className", "class" }, { "type", "type" }, { "href", "href" }, { "name", "name" }
    };
    const char *tag = json_member_string(record, "tag");
    CLEANUP_FREE char *upper = xstrdup(tag ? tag : "");
    for (char *at = upper; *at; at++) {
        *at = (char)toupper((unsigned char)*at);
    }
    json_t *clicked =
        json_pack("{s:o, s:s, s:s}", "tagName", json_text(upper), "id", "", "className", "");
    COPY(members, record, clicked);
    COPY(from_attributes, json_object_get(record, "attributes"), clicked);
    add_usual_type(record, clicked);
    return clicked;
}

/* Returns fill_form's error about a field: "Field not found: NAME", or why it was not filled. */
static json_t *field_error(const json_t *field)
{
    const char *name = json_member_string(field, "field");
    const char *code = json_member_string(field, "code");
    const char *why = json_member_string(field, "why");
    /* A field that was found has a tag; what it misses may be an option. */
    bool is_missing =
        code && strcmp(code, "TARGET_NOT_FOUND") == 0 && !json_object_get(field, "tag");
    CLEANUP_FREE char *text =
        is_missing ? xasprintf("Field not found: %s", name ? name : "")
                   : xasprintf("%s: %s", name ? name : "", why ? why : "it was not filled");
    return json_text(text);
}

json_t *brop_filled(const json_t *result, const json_t *data)
{
    size_t index;
    json_t *field;
    json_t *filled = json_array();
    json_t *errors = json_array();
    json_t *warnings = json_array();
    const json_t *fields = json_object_get(result, "fields");
    json_array_foreach (fields, index, field) {
        if (!json_member_bool(field, "filled", false)) {
            json_array_append_new(errors, field_error(field));
            continue;
        }
        json_t *value = json_member_bool(field, "private", false)
                            ? json_string("***")
                            : json_incref(json_object_get(field, "value"));
        json_t *name = json_object_get(field, "name");
        json_t *key = json_object_get(field, "field");
        int among = (int)json_member_number(field, "among", 1);
        if (among > 1) {
            CLEANUP_FREE char *warning =
                xasprintf("%s: %d fields have this name, and the first one was filled",
                          json_string_value(key), among);
            json_array_append_new(warnings, json_text(warning));
        }
        json_array_append_new(filled, json_pack("{s:O*, s:O*, s:O*, s:o*}", "key", key, "fieldName",
                                                name ? name : key, "fieldType",
                                                json_object_get(field, "type"), "value", value));
    }
    if (!json_array_size(warnings)) {
        json_decref(TAKE(warnings));
    }
    return json_pack("{s:I, s:I, s:o, s:o, s:b, s:b, s:o*}", "filledFields",
                     (json_int_t)json_array_size(filled), "totalFields",
                     (json_int_t)json_object_size(data), "filled", filled, "errors", errors,
                     "submitted", json_member_bool(result, "submitted", false), "formFound",
                     json_member_bool(result, "formFound", false), "warnings", warnings);
}

/* Adds the names that are missing. */
static void add_names(json_t *names, const json_t *more)
{
    size_t index;
    size_t place;
    json_t *name;
    json_t *known;
    json_array_foreach (more, index, name) {
        bool is_new = true;
        json_array_foreach (names, place, known) {
            is_new &= !json_equal(known, name);
        }
        if (is_new) {
            json_array_append(names, name);
        }
    }
}

json_t *brop_detected(const json_t *result, bool has_places)
{
    size_t index;
    json_t *element;
    json_t *elements = json_array();
    json_t *layers = json_array();
    json_array_foreach (json_object_get(result, "elements"), index, element) {
        static const char *const dropped[] = { "id", "tag", "name", "box", "x", "y" };
        json_t *shown = json_copy(element);
        json_object_set(shown, "tagName", json_object_get(element, "tag"));
        json_object_set(shown, "text", json_object_get(element, "name"));
        if (has_places) {
            json_t *place = brop_box(json_object_get(element, "box"));
            json_object_set(place, "centerX", json_object_get(element, "x"));
            json_object_set(place, "centerY", json_object_get(element, "y"));
            json_object_set_new(shown, "coordinates", place);
        }
        for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++) {
            json_object_del(shown, dropped[i]);
        }
        add_names(layers, json_object_get(element, "layers"));
        json_array_append_new(elements, shown);
    }
    return json_pack("{s:o, s:O*, s:o}", "elements", elements, "total_detected",
                     json_object_get(result, "found"), "detection_layers", layers);
}
