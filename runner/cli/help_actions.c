#include "runner/cli/help_actions.h"

#include "runner/actions/actions.h"
#include "runner/actions/rules.h"
#include "runner/actions/schema_kinds.h"
#include "runner/actions/shared_params.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/cli/help.h"

#include <string.h>

void help_print_actions(FILE *file)
{
    fputs("Usage: browser-runner help ACTION\n\nActions:\n", file);
    for (size_t i = 0; action_types[i]; i++) {
        fprintf(file, "  %-11s", action_types[i]->name);
        help_print_wrapped(file, action_types[i]->text, 13, 13);
    }
    fputs("\nhelp actions NAME is about the action where a command has the same name, as check.\n",
          file);
}

static void add_choices(const struct param *row, struct strbuf *text)
{
    for (const char *const *choice = row->choices; choice && *choice; choice++) {
        strbuf_add_format(text, "%s%s", choice == row->choices ? " One of " : ", ", *choice);
    }
    strbuf_add_string(text, row->choices ? "." : "");
}

static void add_limits(const struct param *row, struct strbuf *text)
{
    bool is_number = row->kind == PARAM_NUMBER || row->kind == PARAM_INTEGER;
    if (is_number && (row->min != 0 || row->max != 0)) {
        strbuf_add_format(text, " %.15g to %.15g.", row->min, row->max);
    }
}

/* Rows of simple kinds need no sentence of their own. */
static void add_sentences(const struct param *row, struct strbuf *text)
{
    json_auto_t *kinds = row->text ? NULL : schema_kind_definitions();
    json_auto_t *schema = row->text ? NULL : schema_of_param(row);
    const char *reference = json_member_string(schema, "$ref");
    const char *of_kind =
        reference
            ? json_member_string(json_object_get(kinds, strrchr(reference, '/') + 1), "description")
            : NULL;
    strbuf_add_string(text, row->text ? row->text : of_kind ? of_kind : "");
}

static void print_row(FILE *file, const char *path, const struct param *row)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    add_sentences(row, &text);
    add_choices(row, &text);
    add_limits(row, &text);
    if (row->default_value) {
        strbuf_add_format(&text, " Default: %s.", row->default_value);
    } else if (row->is_required) {
        strbuf_add_string(&text, " Needed.");
    }
    if (row->example) {
        strbuf_add_format(&text, " Such as %s", row->example);
    }
    help_print_entry(file, path, text.data + strspn(text.data, " "));
}

/*
 * Prints the rows of an action, without those that it never accepts; type NULL: the members of a
 * row.
 */
static void print_rows(FILE *file, const struct action_type *type, const char *owner,
                       const struct param *rows)
{
    for (const struct param *row = rows; row && row->name; row++) {
        if (type && rules_refuse(type, row->name)) {
            continue;
        }
        CLEANUP_FREE char *path = xasprintf("%s%s", owner, row->name);
        CLEANUP_FREE char *inner = xasprintf("%s%s.", path, row->kind == PARAM_LIST ? "[]" : "");
        print_row(file, path, row);
        print_rows(file, NULL, inner, row->members);
    }
}

bool help_print_action(FILE *file, const char *name)
{
    const struct action_type *type = action_type_find(name);
    if (!type) {
        return false;
    }
    fprintf(file, "%s\n\n", name);
    help_print_wrapped(file, type->text, 0, 0);
    struct action_tables tables = action_type_tables(type);
    if (type->params) {
        fputs("\nParameters:\n", file);
        print_rows(file, type, "", type->params);
    }
    if (type->names != NAMES_NOTHING) {
        fputs("\nThe element or place:\n", file);
    }
    for (size_t i = 1; i + 1 < PARAM_TABLES; i++) {
        print_rows(file, type, "", tables.params[i]);
    }
    fputs("\nEvery action takes:\n", file);
    print_rows(file, type, "", shared_common_params);
    return true;
}
