#include "runner/servers/cdp/scope.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/url_parts.h"
#include "runner/hints/wording.h"
#include "runner/servers/cdp/rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Codes of JSON-RPC, as Chrome gives them. */
enum { SERVER_ERROR = -32000, NO_METHOD = -32601, INVALID_PARAMS = -32602 };

enum { MAX_REFUSAL = 200 };

struct context_set {
    json_t *ids; /* object */
};

struct context_set *context_set_create(void)
{
    struct context_set *set = xcalloc(1, sizeof(*set));
    set->ids = json_object();
    return set;
}

void context_set_destroy(struct context_set *set)
{
    if (set) {
        json_decref(set->ids);
        free(set);
    }
}

bool context_set_has(const struct context_set *set, const char *context_id)
{
    return json_object_get(set->ids, context_id);
}

static void context_set_put(struct context_set *set, const char *context_id, bool is_in)
{
    if (is_in) {
        json_object_set_new(set->ids, context_id, json_true());
    } else {
        json_object_del(set->ids, context_id);
    }
}

struct scope {
    struct scope_options options;
    char *context_id;
    struct context_set *own_set;  /* NULL: the set is shared */
    struct context_set *contexts; /* that the client sees beside the default one */
    json_t *ending;               /* object: ids of contexts that Chrome disposes with the client */
    json_t *browsers;             /* object: sessions with the browser itself */
    json_t *windows;              /* object: ids of windows that the client has received */
    bool has_downloads;
    bool ignores_certificates;
};

struct scope *scope_create(const struct scope_options *options)
{
    struct scope *scope = xcalloc(1, sizeof(*scope));
    scope->options = *options;
    scope->context_id = xstrdup(options->context_id);
    scope->own_set = options->contexts ? NULL : context_set_create();
    scope->contexts = options->contexts ? options->contexts : scope->own_set;
    scope->ending = json_object();
    scope->browsers = json_object();
    scope->windows = json_object();
    return scope;
}

void scope_destroy(struct scope *scope)
{
    const char *id;
    const json_t *ignored;
    if (scope) {
        json_object_foreach (scope->ending, id, ignored) {
            context_set_put(scope->contexts, id, false);
        }
        context_set_destroy(scope->own_set);
        json_decref(scope->ending);
        json_decref(scope->browsers);
        json_decref(scope->windows);
        free(scope->context_id);
        free(scope);
    }
}

static bool sees_context(const struct scope *scope, const char *context_id)
{
    return strcmp(context_id, scope->context_id) == 0 ||
           context_set_has(scope->contexts, context_id);
}

bool scope_sees(const struct scope *scope, const json_t *target)
{
    const char *type = json_member_string(target, "type");
    const char *context_id = json_member_string(target, "browserContextId");
    if (!context_id) {
        return type && strcmp(type, "browser") == 0;
    }
    return sees_context(scope, context_id);
}

void scope_add_browser_session(struct scope *scope, const char *session_id)
{
    json_object_set_new(scope->browsers, session_id, json_true());
}

bool scope_has_downloads(const struct scope *scope)
{
    return scope->has_downloads;
}

bool scope_ignores_certificates(const struct scope *scope)
{
    return scope->ignores_certificates;
}

static void refuse(struct cdp_ruling *ruling, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void refuse(struct cdp_ruling *ruling, int code, const char *format, ...)
{
    va_list arguments;
    ruling->code = code;
    va_start(arguments, format);
    vsnprintf(ruling->message, sizeof(ruling->message), format, arguments);
    va_end(arguments);
}

/* Whether the command is for a session with the browser itself. */
static bool is_for_browser(const struct scope *scope, const struct raw_command *command)
{
    if (!command->session_id) {
        return !scope->options.is_page;
    }
    return json_object_get(scope->browsers, command->session_id);
}

static void judge_context(struct scope *scope, const struct raw_command *command, unsigned uses,
                          json_t *params, struct cdp_ruling *ruling)
{
    const json_t *given = json_object_get(params, "browserContextId");
    bool is_open = !given && (uses & USE_CONTEXT || is_for_browser(scope, command));
    const char *id = json_string_value(given);
    if (is_open && !scope->options.is_profile && *scope->context_id) {
        json_object_set_new(params, "browserContextId", json_string(scope->context_id));
    } else if (id && !sees_context(scope, id)) {
        refuse(ruling, SERVER_ERROR, "Failed to find browser context with id %.100s", id);
    }
    if ((uses & USE_DOWNLOADS) == USE_DOWNLOADS &&
        (!given || (id && strcmp(id, scope->context_id) == 0))) {
        scope->has_downloads = true;
    }
}

static char *window_key(const json_t *holder)
{
    return xasprintf("%" JSON_INTEGER_FORMAT,
                     json_integer_value(json_object_get(holder, "windowId")));
}

/* Ids of windows are small numbers, so a client could guess another's. */
static void judge_window(const struct scope *scope, const json_t *params, struct cdp_ruling *ruling)
{
    CLEANUP_FREE char *key = window_key(params);
    if (!json_object_get(scope->windows, key)) {
        refuse(ruling, SERVER_ERROR, "Browser window not found");
    }
}

static void note_window(struct scope *scope, const json_t *result)
{
    CLEANUP_FREE char *key = window_key(result);
    json_object_set_new(scope->windows, key, json_true());
}

static void judge_certificates(struct scope *scope, const json_t *params, struct cdp_ruling *ruling)
{
    const json_t *ignore = json_object_get(params, "ignore");
    if (!json_is_boolean(ignore)) {
        refuse(ruling, INVALID_PARAMS, "Invalid parameters: ignore is to be true or false");
        return;
    }
    scope->ignores_certificates = json_is_true(ignore);
    ruling->result = xstrdup("{}");
}

/* A debug URL of the address bar may end the browser (chrome://inducebrowsercrashforrealz). */
static void keep_from_address_bar(json_t *params)
{
    struct url_parts parts;
    const char *url = json_member_string(params, "url");
    const char *how = json_member_string(params, "transitionType");
    bool is_web = url && url_parts_read(url, &parts) &&
                  (strcmp(parts.scheme, "http") == 0 || strcmp(parts.scheme, "https") == 0);
    if (how && strcmp(how, "address_bar") == 0 && !is_web) {
        json_object_set_new(params, "transitionType", json_string("typed"));
    }
}

static void judge_new_context(const struct scope *scope, json_t *params, struct cdp_ruling *ruling)
{
    char server[64];
    int port = scope->options.way_out_port;
    if (!scope->options.is_profile) {
        json_object_set_new(params, "disposeOnDetach", json_true()); /* no other client sees it */
    }
    if (port == 0 && scope->options.has_rules) {
        refuse(ruling, SERVER_ERROR,
               "the rules about hosts would not hold in a context that is made here");
    }
    if (port == 0) {
        return;
    }
    if (json_object_get(params, "proxyServer")) {
        refuse(ruling, SERVER_ERROR,
               "proxyServer is not for a browser with rules about hosts: they would not hold");
        return;
    }
    snprintf(server, sizeof(server), "socks5://127.0.0.1:%d", port);
    json_object_set_new(params, "proxyServer", json_string(server));
    json_object_set_new(params, "proxyBypassList", json_string("<-loopback>"));
}

static void judge_dispose(struct scope *scope, const json_t *params, struct cdp_ruling *ruling)
{
    const char *id = json_member_string(params, "browserContextId");
    if (!id) {
        return; /* Chrome reports the missing parameter */
    }
    if (!context_set_has(scope->contexts, id)) {
        refuse(ruling, SERVER_ERROR, "Failed to find context with id %.100s", id);
        return;
    }
    context_set_put(scope->contexts, id, false);
}

static void judge_flat(const char *name, json_t *params, struct cdp_ruling *ruling)
{
    bool is_end = strcmp(name, "Target.setAutoAttach") == 0 &&
                  !json_is_true(json_object_get(params, "autoAttach"));
    if (!is_end && !json_is_true(json_object_get(params, "flatten"))) {
        refuse(ruling, INVALID_PARAMS, "%s needs \"flatten\": true at this endpoint", name);
    }
}

/* Whether the ruling depends on the parameters. */
static bool needs_params(const struct scope *scope, const struct method *method)
{
    enum {
        OF_PARAMS = USE_CONTEXT | USE_STORAGE | USE_TARGET | USE_FLAT | USE_DISPOSE | USE_CREATE |
                    USE_DOWNLOADS | USE_WINDOW | USE_TYPES | USE_CERTIFICATES
    };
    return method->uses & OF_PARAMS || (scope->options.is_read_only && method->code) ||
           rules_need_params(scope->options.policy, method);
}

/* Keeps the end of a long text, which has the rule and the cure. */
static void refuse_by_rule(struct br_error *err, struct cdp_ruling *ruling)
{
    wording_error(BR_WORDING_COMMAND_LINE, err);
    size_t length = strlen(err->message);
    size_t skipped = length > MAX_REFUSAL ? length - MAX_REFUSAL : 0;
    refuse(ruling, SERVER_ERROR, "%s%s", skipped ? "…" : "", err->message + skipped);
}

static bool obeys_rules(const struct scope *scope, const struct method *method, const char *name,
                        json_t *params, struct cdp_ruling *ruling)
{
    char rule[32] = "read-only";
    char member[64];
    struct br_error err = { 0 };
    if (scope->options.is_read_only && method && rules_find_code(method, params, member)) {
        refuse(ruling, SERVER_ERROR,
               "%.100s with %s is not allowed: this endpoint is for reading alone", name, member);
    } else if (!rules_allow(scope->options.policy, method, name, params, &err)) {
        rules_name(&err, rule);
        refuse_by_rule(&err, ruling);
    }
    if (ruling->code) {
        snprintf(ruling->rule, sizeof(ruling->rule), "%s", rule);
    }
    return !ruling->code;
}

static void judge_method(struct scope *scope, const struct raw_command *command,
                         const struct method *method, const char *name, json_t *params,
                         struct cdp_ruling *ruling)
{
    const char *target_id = json_member_string(params, "targetId");
    if (method->uses & USE_FLAT) {
        judge_flat(name, params, ruling);
    }
    if (method->uses & USE_HOLDS && scope->options.is_read_only) {
        json_object_set_new(params, "waitForDebuggerOnStart", json_false());
    }
    if (method->uses & USE_TARGET && target_id && scope->options.is_hidden &&
        scope->options.is_hidden(scope->options.data, target_id)) {
        refuse(ruling, INVALID_PARAMS, "No target with given id found");
    }
    if (method->uses & (USE_CONTEXT | USE_STORAGE)) {
        judge_context(scope, command, method->uses, params, ruling);
    }
    if (method->uses & USE_DISPOSE) {
        judge_dispose(scope, params, ruling);
    }
    if (method->uses & USE_CREATE) {
        judge_new_context(scope, params, ruling);
    }
    if (method->uses & USE_CERTIFICATES && is_for_browser(scope, command)) {
        judge_certificates(scope, params, ruling);
    }
    if (method->uses & USE_WINDOW) {
        judge_window(scope, params, ruling);
    }
    if (method->uses & USE_TYPES) {
        keep_from_address_bar(params);
    }
}

static void judge_params(struct scope *scope, const struct raw_command *command,
                         const struct method *method, const char *name, struct cdp_ruling *ruling)
{
    struct cdp_slice given = command->values[RAW_PARAMS];
    /* Chrome skips a NUL in front of a URL; a rule would see an empty string. */
    size_t flags = scope->options.policy ? 0 : JSON_ALLOW_NUL;
    json_auto_t *params =
        given.length ? json_loadb(given.text, given.length, flags, NULL) : json_object();
    if (!json_is_object(params)) {
        /* An array, or text that jansson does not read, such as half a surrogate pair. */
        refuse(ruling, INVALID_PARAMS, "the params of %.100s cannot be read", name);
    } else if (obeys_rules(scope, method, name, params, ruling)) {
        judge_method(scope, command, method, name, params, ruling);
    }
    if (ruling->tag == SCOPE_NEW_CONTEXT &&
        json_is_true(json_object_get(params, "disposeOnDetach"))) {
        ruling->tag = SCOPE_OWN_CONTEXT;
    }
    if (!ruling->code && !ruling->result) {
        ruling->params = json_dumps(params, JSON_COMPACT);
    }
}

static void judge(struct scope *scope, const struct raw_command *command, const char *name,
                  struct cdp_ruling *ruling)
{
    const struct method *method = method_find(name);
    unsigned uses = method ? method->uses : 0;
    ruling->tag = method ? (int)method->tag : 0;
    if (scope->options.is_read_only && !(uses & (USE_READS | USE_CLOSE))) {
        refuse(ruling, SERVER_ERROR, "%.100s is not allowed: this endpoint is for reading alone",
               name);
        snprintf(ruling->rule, sizeof(ruling->rule), "read-only");
    } else if (uses & USE_REFUSED) {
        refuse(ruling, SERVER_ERROR, "%.100s is not allowed at this endpoint", name);
    } else if (uses & USE_PAGE && is_for_browser(scope, command)) {
        refuse(ruling, SERVER_ERROR,
               "%.100s is for sessions of pages here, since all share the browser", name);
    } else if (uses & USE_CLOSE && (scope->options.is_read_only || !scope->options.may_close)) {
        ruling->result = xstrdup("{}");
    } else if (method && needs_params(scope, method)) {
        judge_params(scope, command, method, name, ruling);
    } else {
        obeys_rules(scope, method, name, NULL, ruling);
    }
    if (ruling->code) {
        ruling->tag = 0;
    }
}

/* The name of the method with its escapes resolved, as Chrome reads it; caller frees. */
static char *name_of(struct cdp_slice quoted, struct cdp_ruling *ruling)
{
    char *raw = xstrndup(quoted.text + 1, quoted.length - 2);
    if (!strchr(raw, '\\')) {
        return raw;
    }
    json_auto_t *text =
        json_loadb(quoted.text, quoted.length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    const char *resolved = json_string_value(text);
    if (!resolved || strlen(resolved) != json_string_length(text)) {
        refuse(ruling, NO_METHOD, "'%.100s' wasn't found", raw);
        free(raw);
        return NULL;
    }
    free(raw);
    return xstrdup(resolved);
}

void scope_judge(struct scope *scope, const struct raw_command *command, struct cdp_ruling *ruling)
{
    CLEANUP_FREE char *name = name_of(command->values[RAW_METHOD], ruling);
    if (!name) {
        return;
    }
    judge(scope, command, name, ruling);
}

static void filter_targets(struct scope *scope, json_t *targets)
{
    for (size_t i = json_array_size(targets); i-- > 0;) {
        const json_t *target = json_array_get(targets, i);
        bool is_shown = scope->options.is_shown
                            ? scope->options.is_shown(scope->options.data, target)
                            : scope_sees(scope, target);
        if (!is_shown) {
            json_array_remove(targets, i);
        }
    }
}

static void show_contexts(struct scope *scope, json_t *result)
{
    json_t *ids = json_object_get(result, "browserContextIds");
    for (size_t i = json_array_size(ids); i-- > 0;) {
        const char *id = json_string_value(json_array_get(ids, i));
        if (!id || !context_set_has(scope->contexts, id)) {
            json_array_remove(ids, i);
        }
    }
    if (json_object_get(result, "defaultBrowserContextId") && *scope->context_id) {
        json_object_set_new(result, "defaultBrowserContextId", json_string(scope->context_id));
    }
}

void scope_reply(struct scope *scope, int tag, json_t *reply)
{
    json_t *result = json_object_get(reply, "result");
    const char *made = json_member_string(result, "browserContextId");
    if (tag == SCOPE_TARGETS) {
        filter_targets(scope, json_object_get(result, "targetInfos"));
    } else if (tag == SCOPE_CONTEXTS && result) {
        show_contexts(scope, result);
    } else if (tag == SCOPE_WINDOW && json_object_get(result, "windowId")) {
        note_window(scope, result);
    } else if ((tag == SCOPE_NEW_CONTEXT || tag == SCOPE_OWN_CONTEXT) && made) {
        context_set_put(scope->contexts, made, true);
        if (tag == SCOPE_OWN_CONTEXT) {
            json_object_set_new(scope->ending, made, json_true());
        }
    }
}
