#include "runner/snapshot/semantics/private.h"

#include "runner/base/memory.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

enum {
    MAX_NAME = 1000, /* letters and digits of a text that are examined */
    MAX_LABELS = 20, /* of a field */
};

/* Values of `autocomplete`; the last one is a prefix. */
static const char *const tokens[] = { "cc-number", "cc-csc", "one-time-code", "current-password",
                                      "new-password" };
static const char expiry[] = "cc-exp";

/* Parts of names, without separators between words. */
static const char *const hints[] = { "cardnumber",      "cardnum",          "ccnumber",
                                     "ccnum",           "creditcard",       "debitcard",
                                     "securitycode",    "cardcode",         "onetimecode",
                                     "onetimepassword", "verificationcode", "passcode",
                                     "password",        "passphrase",       "passwd",
                                     "socialsecurity",  "socialinsurance",  "nationalinsurance" };

/* Hints so short that they must be one or two whole words. */
static const char *const words[] = { "cvc",    "cvv",    "csc",  "otp", "pan", "pwd", "totp",
                                     "cardno", "cardnr", "ccno", "pin", "ssn", "iban" };

static bool has_token(const char *value)
{
    const char *word = NULL;
    for (size_t length; value && (length = snapshot_word(&value, &word)) > 0;) {
        for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
            if (strlen(tokens[i]) == length && strncasecmp(word, tokens[i], length) == 0) {
                return true;
            }
        }
        if (strncasecmp(word, expiry, strlen(expiry)) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_word(const char *text, size_t length)
{
    while (length > 0 && isdigit((unsigned char)text[length - 1])) {
        length--; /* one of several boxes: "pin1" */
    }
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strlen(words[i]) == length && strncmp(text, words[i], length) == 0) {
            return true;
        }
    }
    return false;
}

/* "cardNumber", "card-number" and "Card number" are equivalent. */
static bool has_hint(const char *text)
{
    char joined[MAX_NAME + 1]; /* letters and digits in lower case */
    size_t length = 0;
    size_t before = 0; /* begin of the previous word, and of the current one */
    size_t begin = 0;
    bool was_lower = false;
    for (bool is_end = false; !is_end; text++) {
        is_end = *text == '\0' || length == MAX_NAME;
        bool is_letter = !is_end && isalnum((unsigned char)*text);
        bool begins = is_letter && isupper((unsigned char)*text) && was_lower;
        if ((!is_letter || begins) && length > begin) {
            if (is_word(joined + begin, length - begin) ||
                is_word(joined + before, length - before)) {
                return true;
            }
            before = begin;
            begin = length;
        }
        was_lower = islower((unsigned char)*text);
        if (is_letter) {
            joined[length++] = (char)tolower((unsigned char)*text);
        }
    }
    joined[length] = '\0';
    for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
        if (strstr(joined, hints[i])) {
            return true;
        }
    }
    return false;
}

/* Decides by type and autocomplete tokens, or by name. */
static bool is_declared(const struct snapshot_facts *facts, int node)
{
    static const uint8_t sources[] = { ATTRIBUTE_NAME,       ATTRIBUTE_ID,
                                       ATTRIBUTE_ARIA_LABEL, ATTRIBUTE_AUTOCOMPLETE,
                                       ATTRIBUTE_LABEL,      ATTRIBUTE_PLACEHOLDER };
    const struct snapshot_attributes *attributes = &facts->attributes;
    if (snapshot_is(attributes, node, ATTRIBUTE_TYPE, "password") ||
        has_token(snapshot_get(attributes, node, ATTRIBUTE_AUTOCOMPLETE))) {
        return true;
    }
    for (size_t i = 0; i < sizeof(sources); i++) {
        const char *text =
            snapshot_get(attributes, node, (enum snapshot_attribute_number)sources[i]);
        if (text && has_hint(text)) {
            return true;
        }
    }
    return false;
}

static bool is_labelled_so(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                           int node)
{
    int label = facts->first_label[node];
    for (int i = 0; i < MAX_LABELS && label != SNAPSHOT_NONE; i++) {
        const char *text = snapshot_naming_content(naming, label, label);
        if (text && has_hint(text)) {
            return true;
        }
        label = facts->next_label[label];
    }
    return false;
}

static bool is_field(enum snapshot_tag tag)
{
    return tag == TAG_INPUT || tag == TAG_TEXTAREA || tag == TAG_SELECT;
}

/* Returns the host of the page's shadow root that contains the node; NONE. */
static int host_of(const struct snapshot_facts *facts, int node)
{
    enum snapshot_shadow shadow = facts->tree->nodes[node].shadow;
    int scope = facts->scopes[node];
    bool is_hosted = (shadow == SNAPSHOT_OPEN || shadow == SNAPSHOT_CLOSED) &&
                     facts->tree->nodes[scope].kind == SNAPSHOT_ELEMENT;
    return is_hosted ? scope : SNAPSHOT_NONE;
}

static bool is_typed(const struct snapshot_facts *facts, int node)
{
    enum snapshot_role role = facts->semantics[node].role;
    return (is_field(facts->tree->nodes[node].tag) || role == ROLE_TEXTBOX ||
            role == ROLE_SEARCHBOX || role == ROLE_SPINBUTTON ||
            snapshot_has(&facts->attributes, node, ATTRIBUTE_CONTENTEDITABLE)) &&
           role != ROLE_BUTTON && role != ROLE_CHECKBOX && role != ROLE_RADIO;
}

/*
 * `fields` counts those of each host's shadow root: a host's name counts for its only field, and
 * for any field of a closed root.
 */
static bool is_private(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                       const int *fields, int node)
{
    const struct snapshot_layout *layout = snapshot_layout(facts->tree, node);
    int host = host_of(facts, node);
    bool is_stand_in = host != SNAPSHOT_NONE && is_field(facts->tree->nodes[node].tag) &&
                       (fields[host] == 1 || facts->tree->nodes[node].shadow == SNAPSHOT_CLOSED);
    return is_typed(facts, node) &&
           ((layout && layout->has_dots) || is_declared(facts, node) ||
            (is_stand_in && is_declared(facts, host)) || is_labelled_so(naming, facts, node));
}

void snapshot_private_find(struct snapshot_naming *naming, const struct snapshot_facts *facts)
{
    const struct snapshot_tree *tree = facts->tree;
    CLEANUP_FREE int *fields = xcalloc((size_t)tree->node_count + 1, sizeof(*fields));
    for (int i = 0; i < tree->order_count; i++) {
        int host = host_of(facts, tree->order[i]);
        if (host != SNAPSHOT_NONE) {
            fields[host] += is_field(tree->nodes[tree->order[i]].tag);
        }
    }
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        facts->semantics[node].is_private =
            tree->nodes[node].kind == SNAPSHOT_ELEMENT && is_private(naming, facts, fields, node);
    }
    for (int i = 0; i < tree->order_count; i++) {
        if (snapshot_is_private_choice(tree, facts->semantics, tree->order[i])) {
            facts->semantics[tree->order[i]].selected = CHECK_NONE;
        }
    }
}

bool snapshot_is_private_choice(const struct snapshot_tree *tree,
                                const struct node_semantics *semantics, int node)
{
    const struct snapshot_node *nodes = tree->nodes;
    int list = nodes[node].tag == TAG_OPTION ? nodes[node].parent : SNAPSHOT_NONE;
    if (list != SNAPSHOT_NONE && nodes[list].tag == TAG_OPTGROUP) {
        list = nodes[list].parent;
    }
    return list != SNAPSHOT_NONE && semantics[list].is_private;
}
