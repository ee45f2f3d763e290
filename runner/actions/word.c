#include "runner/actions/word.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char *after(const char *word, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(word, prefix, length) == 0 ? word + length : NULL;
}

/* Adds the text as a string of CSS. */
static void add_css_text(struct strbuf *css, const char *text)
{
    strbuf_add_string(css, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            strbuf_add(css, "\\", 1);
        }
        if ((unsigned char)*text < 0x20) {
            strbuf_add_format(css, "\\%x ", (unsigned)*text);
        } else {
            strbuf_add(css, text, 1);
        }
    }
    strbuf_add_string(css, "\"");
}

/* Copies a text without the quotes around it. Caller frees. */
static char *unquoted(const char *text)
{
    size_t length = strlen(text);
    bool is_quoted = length > 2 && (*text == '"' || *text == '\'') && text[length - 1] == text[0];
    return is_quoted ? xstrndup(text + 1, length - 2) : xstrdup(text);
}

/* Returns the id in e12, @e12, ref=e12 and [ref=e12]; NULL: it is none. Caller frees. */
static char *node_of(const char *word)
{
    static const char *const prefixes[] = { "[ref=", "ref=", "@", "" };
    size_t i = 0;
    while (!after(word, prefixes[i])) {
        i++;
    }
    const char *id = after(word, prefixes[i]);
    size_t digits = *id == 'e' ? strspn(id + 1, "0123456789") : 0;
    return digits && strcmp(id + 1 + digits, i == 0 ? "]" : "") == 0 ? xstrndup(id, digits + 1)
                                                                     : NULL;
}

/* Parses "10,20"; with `separator` ' ' also "10 20". */
static bool is_place(const char *word, char separator, double *ret_x, double *ret_y)
{
    char *end = NULL;
    *ret_x = strtod(word, &end);
    if (end == word || word[strspn(word, "0123456789+-.eE, ")] != '\0' || isspace((int)*word) ||
        *end != separator) {
        return false;
    }
    const char *second = end + 1;
    *ret_y = strtod(second, &end);
    return end > second && *end == '\0' && (separator == ' ' || !isspace((int)*second)) &&
           isfinite(*ret_x) && isfinite(*ret_y);
}

static json_t *number(double value)
{
    return fabs(value) < 9e15 && value == floor(value) ? json_integer((json_int_t)value)
                                                       : json_real(value);
}

/* role=button[name="Save"], role=button */
static json_t *read_role(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    const char *name = after(text + length, "[name=");
    size_t rest = name ? strlen(name) : 0;
    if (!length || (text[length] && (rest < 2 || name[rest - 1] != ']'))) {
        return NULL;
    }
    json_t *ways = json_pack("{s:o}", "role", json_stringn(text, length));
    if (name) {
        /* [name="Save" i] ignores case, as names do anyway. */
        rest -= rest > 4 && strcmp(name + rest - 3, " i]") == 0 ? 3 : 1;
        CLEANUP_FREE char *quoted = xstrndup(name, rest);
        CLEANUP_FREE char *plain = unquoted(quoted);
        json_object_set_new(ways, "name", json_text(plain));
    }
    return ways;
}

/* Returns the parameters for a word with a known prefix; NULL if it has no such prefix. */
static json_t *read_prefix(const struct action_type *type, const char *word)
{
    static const char *const attributes[] = { "placeholder", "alt", "title", "id", "name" };
    const char *rest = NULL;
    for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
        rest = after(word, attributes[i]);
        if (rest && rest[0] == '=' && rest[1]) {
            CLEANUP_STRBUF struct strbuf css = STRBUF_INIT(STRBUF_UNCAPPED);
            CLEANUP_FREE char *value = unquoted(rest + 1);
            strbuf_add_format(&css, "[%s=", attributes[i]);
            add_css_text(&css, value);
            strbuf_add_string(&css, i < 3 ? " i]" : "]");
            return json_pack("{s:o}", "selector", json_text(css.data));
        }
    }
    if ((rest = after(word, "css=")) && *rest) {
        return json_pack("{s:o}", "selector", json_text(rest));
    }
    if ((rest = after(word, "role=")) && *rest) {
        return read_role(rest);
    }
    if ((rest = after(word, "label=")) && *rest) {
        CLEANUP_FREE char *name = unquoted(rest);
        const char *role = type->word_kind ? type->word_kind : "control";
        return json_pack("{s:s, s:o}", "role", role, "name", json_text(name));
    }
    if (((rest = after(word, "testid=")) || (rest = after(word, "data-testid="))) && *rest) {
        CLEANUP_FREE char *id = unquoted(rest);
        return json_pack("{s:o}", "testId", json_text(id));
    }
    if ((rest = after(word, "text=")) && *rest) {
        CLEANUP_FREE char *text = unquoted(rest);
        return json_pack("{s:o}", action_type_is_by_text(type) ? "text" : "element",
                         json_text(text));
    }
    return NULL;
}

/* Returns the n-th quoted text (from 0); NULL: there is none. Caller frees. */
static char *quoted_in(const char *text, int n)
{
    for (; *text; text++) {
        const char *end = strchr("\"'`", *text) ? strchr(text + 1, *text) : NULL;
        if (end && n-- == 0) {
            return xstrndup(text + 1, (size_t)(end - text - 1));
        }
        text = end ? end : text;
    }
    return NULL;
}

static bool refuse(const struct br_action *action, const char *word, const char *what,
                   struct br_error *err)
{
    (void)word;
    return param_error(action, "element", err, "%s", what);
}

/* page.getByRole('button', { name: 'Save' }) and its relatives */
static bool check_locator(const struct br_action *action, const char *word, struct br_error *err)
{
    static const struct {
        const char *call, *form;
    } calls[] = {
        { "getByText(", "%s" },
        { "getByLabel(", "label=%s" },
        { "getByPlaceholder(", "placeholder=%s" },
        { "getByTestId(", "testid=%s" },
        { "getByTitle(", "title=%s" },
        { "getByAltText(", "alt=%s" },
        { "locator(", "%s" },
    };
    CLEANUP_FREE char *first = quoted_in(word, 0);
    CLEANUP_FREE char *second = quoted_in(word, 1);
    if (strstr(word, "getByRole(")) {
        refuse(action, word, "is code of Playwright", err);
        return second ? error_hint(err, "write it as 'role=%s[name=\"%s\"]'", first, second)
                      : error_hint(err, "write it as role=%s", first ? first : "button");
    }
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (strstr(word, calls[i].call) && first) {
            CLEANUP_STRBUF struct strbuf form = STRBUF_INIT(STRBUF_UNCAPPED);
            size_t length = strcspn(calls[i].form, "%");
            strbuf_add(&form, calls[i].form, length);
            strbuf_add_string(&form, first);
            refuse(action, word, "is code of Playwright", err);
            return error_hint(err, "write it as '%s'", form.data);
        }
    }
    return true;
}

/* Refuses what no page can match. */
static bool check_notation(const struct br_action *action, const char *word, struct br_error *err)
{
    double x = 0;
    double y = 0;
    const char *chain = strstr(word, ">>");
    const char *has_text = strstr(word, ":has-text(");
    has_text = has_text ? has_text : strstr(word, ":contains(");
    has_text = has_text ? has_text : strstr(word, ":text");
    if (is_place(word, ' ', &x, &y)) {
        refuse(action, word, "is no element", err);
        return error_hint(err, "write a place as %g,%g", x, y);
    }
    if (after(word, "xpath=") || after(word, "//") || after(word, "(//")) {
        refuse(action, word, "is XPath, which is not supported", err);
        return error_hint(
            err, "name it by its text, as 'role=button[name=\"Save\"]', or by a CSS selector");
    }
    if (chain) {
        CLEANUP_FREE char *before = xstrndup(word, (size_t)(chain - word));
        const char *nth = strstr(chain, "nth=");
        before[strcspn(before, " ")] = before[0] == ' ' ? before[0] : '\0';
        refuse(action, word, "has >>, which is not supported", err);
        return nth ? error_hint(err, "write it as '%s' with nth %s", before[0] ? before : "button",
                                nth + 4)
                   : error_hint(err, "write a > b or a b: open shadow roots are looked through, "
                                     "and frame names a frame");
    }
    if (has_text && strchr(has_text, '(')) {
        CLEANUP_FREE char *text = quoted_in(has_text, 0);
        refuse(action, word, "asks CSS for a text", err);
        return error_hint(err,
                          "write only the text%s%s, or a role with a name, as in "
                          "'role=button[name=\"%s\"]'",
                          text ? ", " : "", text ? text : "", text ? text : "Save");
    }
    return check_locator(action, word, err);
}

static bool takes_place(const struct action_type *type)
{
    return type->names == NAMES_PLACE || type->names == NAMES_PLACE_OR_NOTHING;
}

bool word_resolve(struct br_action *action, const struct action_type *type, struct br_error *err)
{
    double x = 0;
    double y = 0;
    const char *word = param_text(action, "element", NULL);
    if (type->names == NAMES_NOTHING || !word) {
        return true;
    }
    CLEANUP_FREE char *node = node_of(word);
    json_auto_t *ways = node ? json_pack("{s:s}", "node", node)
                        : takes_place(type) && is_place(word, ',', &x, &y)
                            ? json_pack("{s:o, s:o}", "x", number(x), "y", number(y))
                            : read_prefix(type, word);
    if (!ways) {
        return check_notation(action, word, err);
    }
    const char *name;
    json_t *value;
    json_object_foreach (ways, name, value) {
        if (strcmp(name, "element") != 0 && param_is_given(action, name)) {
            return param_error(action, name, err, "is given twice: element says it, too");
        }
    }
    json_object_del(action->params, "element");
    json_object_update(action->params, ways);
    return true;
}
