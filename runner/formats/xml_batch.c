#include "runner/formats/xml_batch.h"

#include "runner/base/json.h"
#include "runner/base/names.h"
#include "runner/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool __attribute__((format(printf, 4, 5)))
fail(struct br_error *err, struct source_position position, enum br_code code, const char *format,
     ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return error_set(err, code, "line %u, column %u: %s", position.line, position.column, text);
}

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

size_t xml_white_length(const char *text, size_t length)
{
    size_t white = 0;
    while (white < length && is_white(text[white])) {
        white++;
    }
    return white;
}

static bool is_name(const char *text)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-";
    return *text && strchr(first, *text) && text[strspn(text, all)] == '\0';
}

static bool check_name(const char *what, const char *name, struct source_position position,
                       struct br_error *err)
{
    enum { SHOWN = 40 };
    size_t length = strlen(name);
    int shown = (int)utf8_cut(name, length < SHOWN ? length : SHOWN);
    if (length > XML_MAX_NAME) {
        return fail(err, position, BR_LIMIT_EXCEEDED, "%s \"%.*s...\" is over %d characters long",
                    what, shown, name, XML_MAX_NAME);
    }
    if (!is_name(name)) {
        return fail(err, position, BR_INVALID_ACTION,
                    "%s \"%.*s\" is no name: letters, digits, _ and -", what, shown, name);
    }
    return true;
}

/* `action` is the name of the type in the form with attributes. */
static bool is_type_name(const char *name)
{
    return strcmp(name, "type") == 0 || strcmp(name, "action") == 0;
}

static struct xml_element *innermost(struct xml_batch *batch)
{
    return batch->depth ? &batch->elements[batch->depth - 1] : NULL;
}

bool xml_batch_is_between(const struct xml_batch *batch)
{
    return batch->depth == 0 || batch->elements[batch->depth - 1].kind == XML_BATCH;
}

static void path_of_innermost(const struct xml_batch *batch, struct strbuf *path)
{
    for (size_t i = 0; i < batch->depth; i++) {
        if (batch->elements[i].kind == XML_VALUE) {
            strbuf_add_format(path, "%s%s", path->length ? "." : "", batch->elements[i].name);
        }
    }
}

static json_t *typed_value(const char *text)
{
    struct br_error ignored;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        return json_boolean(text[0] == 't');
    }
    json_t *value = NULL;
    if (*text && strchr("-0123456789{[", *text)) {
        value = json_parse(text, strlen(text), "value", &ignored);
    }
    return value ? value : json_string(text);
}

static bool begin_instruction(struct xml_batch *batch, struct source_position position,
                              struct br_error *err)
{
    if (batch->has_limit && batch->instruction_count == INSTRUCTION_MAX_COUNT) {
        return fail(err, position, BR_LIMIT_EXCEEDED, "more than %d instructions in a batch",
                    INSTRUCTION_MAX_COUNT);
    }
    batch->action = action_create("", position);
    batch->has_type = false;
    batch->was_ended = false;
    batch->parameter_count = 0;
    batch->instruction_count++;
    return true;
}

static bool end_instruction(struct xml_batch *batch, struct br_error *err)
{
    if (!batch->action) {
        return true;
    }
    if (!batch->has_type) {
        fail(err, batch->action->position, BR_INVALID_ACTION, "an instruction without a type");
        return error_hint(err, "say what it does first, such as <type>click</type>");
    }
    batch->is_refused = !batch->on_action(batch->data, TAKE(batch->action), err);
    return !batch->is_refused;
}

static bool count_parameter(struct xml_batch *batch, struct source_position position,
                            struct br_error *err)
{
    if (batch->parameter_count == INSTRUCTION_MAX_PARAMETERS) {
        return fail(err, position, BR_LIMIT_EXCEEDED, "more than %d parameters in an instruction",
                    INSTRUCTION_MAX_PARAMETERS);
    }
    batch->parameter_count++;
    return true;
}

static bool refuse_twice(struct xml_batch *batch, const char *path, struct source_position position,
                         struct br_error *err)
{
    const struct source_position first = action_param_position(batch->action, path);
    fail(err, position, BR_INVALID_ACTION, "\"%s\" is given twice, first at line %u, column %u",
         path, first.line, first.column);
    return error_hint(err, "remove one of them");
}

static bool check_new_parameter(struct xml_batch *batch, const char *name,
                                struct source_position position, struct br_error *err)
{
    if (is_type_name(name)) {
        return !batch->has_type || refuse_twice(batch, "type", position, err);
    }
    return !json_object_get(batch->action->params, name) ||
           refuse_twice(batch, name, position, err);
}

static bool set_type(struct xml_batch *batch, const char *type, struct source_position position,
                     struct br_error *err)
{
    if (*type == '\0') {
        return fail(err, position, BR_INVALID_ACTION, "the type is empty");
    }
    if (!check_name("type", type, position, err)) {
        return false;
    }
    free(batch->action->type);
    batch->action->type = xstrdup(type);
    batch->has_type = true;
    action_add_source(batch->action, "type", type, position);
    return true;
}

static bool add_attribute(struct xml_batch *batch, const char *name, const char *text,
                          struct source_position position, struct br_error *err)
{
    if (!check_name("attribute", name, position, err) || !count_parameter(batch, position, err) ||
        !check_new_parameter(batch, name, position, err)) {
        return false;
    }
    size_t length = strlen(text);
    if (length > XML_MAX_VALUE_BYTES) {
        return fail(err, position, BR_LIMIT_EXCEEDED, "the value of \"%s\" is over %d bytes long",
                    name, XML_MAX_VALUE_BYTES);
    }
    size_t begin = xml_white_length(text, length);
    while (length > begin && is_white(text[length - 1])) {
        length--;
    }
    CLEANUP_FREE char *trimmed = xstrndup(text + begin, length - begin);
    if (is_type_name(name)) {
        return set_type(batch, trimmed, position, err);
    }
    action_add(batch->action, name, typed_value(trimmed), (struct source_position){ 0 });
    action_add_source(batch->action, name, trimmed, position);
    return true;
}

static void push(struct xml_batch *batch, enum xml_element_kind kind, const char *name,
                 struct source_position position)
{
    struct xml_element *element = &batch->elements[batch->depth++];
    *element = (struct xml_element){ .kind = kind, .position = position };
    memcpy(element->name, name, strlen(name) + 1);
    strbuf_clear(&batch->text);
    batch->has_cdata = false;
}

static bool open_batch(struct xml_batch *batch, const char *name, const char **attributes,
                       struct source_position position, struct br_error *err)
{
    if (batch->depth > 0) {
        fail(err, position, BR_INVALID_ACTION, "a <batch> inside of a <batch>");
        return error_hint(err, "close the previous one with </batch> first");
    }
    if (attributes[0]) {
        return fail(err, position, BR_INVALID_ACTION, "<batch> has no attributes");
    }
    if (!end_instruction(batch, err)) {
        return false;
    }
    push(batch, XML_BATCH, name, position);
    return true;
}

static bool open_instruction(struct xml_batch *batch, const char *name, const char **attributes,
                             struct source_position position, struct br_error *err)
{
    if (!end_instruction(batch, err) || !begin_instruction(batch, position, err)) {
        return false;
    }
    push(batch, XML_INSTRUCTION, name, position);
    for (size_t i = 0; attributes[i]; i += 2) {
        if (!add_attribute(batch, attributes[i], attributes[i + 1], position, err)) {
            return false;
        }
    }
    return true;
}

/* Makes the innermost element an object and checks that it may have this member. */
static bool check_new_member(struct xml_batch *batch, struct xml_element *parent, const char *name,
                             struct source_position position, struct br_error *err)
{
    bool has_text = batch->has_cdata ||
                    xml_white_length(batch->text.data, batch->text.length) < batch->text.length;
    if (!parent->members && has_text) {
        fail(err, position, BR_INVALID_ACTION, "<%s> behind text inside of <%s>", name,
             parent->name);
        return error_hint(err,
                          "write &lt; for a < that is meant as such, or use <![CDATA[...]]>; or "
                          "close <%s> with </%s> before",
                          parent->name, parent->name);
    }
    if (!parent->members) {
        parent->members = json_object();
    }
    if (json_object_get(parent->members, name)) {
        CLEANUP_STRBUF struct strbuf path = STRBUF_INIT(STRBUF_UNCAPPED);
        path_of_innermost(batch, &path);
        strbuf_add_format(&path, ".%s", name);
        return refuse_twice(batch, path.data, position, err);
    }
    return true;
}

static bool open_value(struct xml_batch *batch, const char *name, const char **attributes,
                       struct source_position position, struct br_error *err)
{
    if (attributes[0]) {
        return fail(err, position, BR_INVALID_ACTION,
                    "<%s> has an attribute: only <browser_action> may", name);
    }
    struct xml_element *parent = innermost(batch);
    bool is_member = parent && parent->kind == XML_VALUE;
    if (!count_parameter(batch, position, err) ||
        !(is_member ? check_new_member(batch, parent, name, position, err)
                    : check_new_parameter(batch, name, position, err))) {
        return false;
    }
    push(batch, XML_VALUE, name, position);
    return true;
}

static bool refuse_unknown(const struct xml_batch *batch, const char *name,
                           struct source_position position, struct br_error *err)
{
    static const char *const known[] = { "batch", "browser_action", "type" };
    const char *nearest = names_nearest(name, known, sizeof(known) / sizeof(known[0]));
    fail(err, position, BR_INVALID_ACTION,
         "<%s> stands outside of an instruction, where only <batch>, <browser_action> and <type> "
         "are known",
         name);
    if (batch->was_ended) {
        return error_hint(err, "the instruction before it ended because its line ended and nothing "
                               "followed; write it in one piece, or inside <browser_action>");
    }
    return nearest ? error_hint(err, "did you mean <%s>?", nearest)
                   : error_hint(err,
                                "if it is an action, write <browser_action><type>%s</type> and its "
                                "parameters</browser_action>",
                                name);
}

/* Returns the text of the innermost element without the white space around it. Caller frees. */
static char *trimmed_text(const struct xml_batch *batch)
{
    const struct strbuf *text = &batch->text;
    size_t begin = xml_white_length(text->data, text->length);
    size_t end = text->length;
    if (batch->has_cdata && begin > batch->cdata_begin) {
        begin = batch->cdata_begin;
    }
    while (end > (batch->has_cdata ? batch->cdata_end : begin) && is_white(text->data[end - 1])) {
        end--;
    }
    return xstrndup(text->data + begin, end - begin);
}

static bool close_value(struct xml_batch *batch, struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf path = STRBUF_INIT(STRBUF_UNCAPPED);
    path_of_innermost(batch, &path);
    struct xml_element *element = innermost(batch);
    json_t *value = TAKE(element->members);
    CLEANUP_FREE char *text = value ? NULL : trimmed_text(batch);
    batch->depth--;

    struct xml_element *parent = innermost(batch);
    bool is_member = parent && parent->kind == XML_VALUE;
    if (!is_member && is_type_name(element->name)) {
        json_decref(value);
        return text ? set_type(batch, text, element->position, err)
                    : fail(err, element->position, BR_INVALID_ACTION,
                           "the type has elements inside of it");
    }
    if (!value) {
        value = batch->has_cdata ? json_string(text) : typed_value(text);
    }
    if (is_member) {
        json_object_set_new(parent->members, element->name, value);
    } else {
        action_add(batch->action, element->name, value, (struct source_position){ 0 });
    }
    action_add_source(batch->action, path.data, text, element->position);
    return true;
}

/* Names the missing end tags, innermost first. */
static bool hint_to_close(const struct xml_batch *batch, struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf ends = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = batch->depth; i > 0; i--) {
        strbuf_add_format(&ends, "</%s>", batch->elements[i - 1].name);
    }
    return error_hint(err, "write %s before", ends.data);
}

void xml_batch_init(struct xml_batch *batch, bool has_limit, instruction_on_action *on_action,
                    void *data)
{
    *batch = (struct xml_batch){
        .has_limit = has_limit,
        .on_action = on_action,
        .data = data,
        .text = STRBUF_INIT(XML_MAX_VALUE_BYTES),
    };
}

struct br_action *xml_batch_give_up(struct xml_batch *batch, bool keeps_batch)
{
    size_t kept = keeps_batch && batch->depth > 0 && batch->elements[0].kind == XML_BATCH ? 1 : 0;
    while (batch->depth > kept) {
        json_decref(batch->elements[--batch->depth].members);
    }
    return TAKE(batch->action);
}

bool xml_batch_end_bare(struct xml_batch *batch, struct br_error *err)
{
    batch->was_ended = true;
    return end_instruction(batch, err);
}

void xml_batch_finish(struct xml_batch *batch)
{
    br_action_destroy(xml_batch_give_up(batch, false));
    strbuf_finish(&batch->text);
}

bool xml_batch_open(struct xml_batch *batch, const char *name, const char **attributes,
                    struct source_position position, struct br_error *err)
{
    if (batch->depth == XML_MAX_DEPTH) {
        fail(err, position, BR_LIMIT_EXCEEDED, "elements lie over %d deep inside each other",
             XML_MAX_DEPTH);
        return error_hint(err, "write deeper levels as JSON");
    }
    if (!check_name("element", name, position, err)) {
        return false;
    }
    bool is_batch = strcmp(name, "batch") == 0;
    bool is_instruction = strcmp(name, "browser_action") == 0;
    if (!xml_batch_is_between(batch)) {
        const struct xml_element *parent = innermost(batch);
        if (is_batch || is_instruction) {
            fail(err, position, BR_INVALID_ACTION,
                 "<%s> inside of <%s>, which is open since line %u, column %u", name, parent->name,
                 parent->position.line, parent->position.column);
            return hint_to_close(batch, err);
        }
        return open_value(batch, name, attributes, position, err);
    }
    if (is_batch) {
        return open_batch(batch, name, attributes, position, err);
    }
    if (is_instruction) {
        return open_instruction(batch, name, attributes, position, err);
    }
    if (strcmp(name, "type") == 0) {
        return end_instruction(batch, err) && begin_instruction(batch, position, err) &&
               open_value(batch, name, attributes, position, err);
    }
    return batch->action ? open_value(batch, name, attributes, position, err)
                         : refuse_unknown(batch, name, position, err);
}

bool xml_batch_close(struct xml_batch *batch, const char *name, struct source_position position,
                     struct br_error *err)
{
    const struct xml_element *element = innermost(batch);
    if (!element) {
        return fail(err, position, BR_INVALID_ACTION, "</%s> closes nothing", name);
    }
    if (element->kind == XML_VALUE) {
        return close_value(batch, err);
    }
    batch->depth--;
    return end_instruction(batch, err);
}

bool xml_batch_text(struct xml_batch *batch, const char *text, size_t length,
                    struct source_position position, struct br_error *err)
{
    const struct xml_element *element = innermost(batch);
    if (element && element->kind == XML_VALUE && !element->members) {
        strbuf_add(&batch->text, text, length);
        return !batch->text.overflowed ||
               fail(err, element->position, BR_LIMIT_EXCEEDED,
                    "the value of <%s> is over %d bytes long", element->name, XML_MAX_VALUE_BYTES);
    }
    size_t white = xml_white_length(text, length);
    if (white == length) {
        return true;
    }
    /* Line ends arrive separately: the white space is within one line. */
    position.column += (unsigned)white;
    if (xml_batch_is_between(batch)) {
        fail(err, position, BR_INVALID_ACTION, "text outside of an instruction");
        return error_hint(err, "give instructions alone: no prose, and no ``` around them");
    }
    fail(err, position, BR_INVALID_ACTION, "text beside the elements inside of <%s>",
         element->name);
    return error_hint(err, "put the value of a parameter inside its element");
}

bool xml_batch_begin_cdata(struct xml_batch *batch, struct source_position position,
                           struct br_error *err)
{
    const struct xml_element *element = innermost(batch);
    if (!element || element->kind != XML_VALUE || element->members) {
        return fail(err, position, BR_INVALID_ACTION, "CDATA outside of a value");
    }
    if (!batch->has_cdata) {
        batch->has_cdata = true;
        batch->cdata_begin = batch->text.length;
    }
    return true;
}

void xml_batch_end_cdata(struct xml_batch *batch)
{
    batch->cdata_end = batch->text.length;
}

const struct xml_element *xml_batch_instruction(const struct xml_batch *batch)
{
    size_t outermost = batch->depth > 0 && batch->elements[0].kind == XML_BATCH ? 1 : 0;
    const struct xml_element *element = &batch->elements[outermost];
    return batch->depth > outermost && element->kind == XML_INSTRUCTION ? element : NULL;
}

const struct xml_element *xml_batch_innermost(const struct xml_batch *batch)
{
    return batch->depth ? &batch->elements[batch->depth - 1] : NULL;
}

bool xml_batch_end(struct xml_batch *batch, struct source_position position, struct br_error *err)
{
    const struct xml_element *element = xml_batch_innermost(batch);
    if (element) {
        fail(err, position, BR_INVALID_ACTION,
             "the input ends inside of <%s>, opened at line %u, column %u", element->name,
             element->position.line, element->position.column);
        return hint_to_close(batch, err);
    }
    return end_instruction(batch, err);
}
