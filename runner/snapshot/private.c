#include "runner/snapshot/state.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* Words of `autocomplete`; the last is a beginning. */
static const char *const tokens[] = { "cc-number", "cc-csc", "one-time-code", "current-password",
                                      "new-password" };
static const char expiry[] = "cc-exp";

/* Of names, without what stands between their words. */
static const char *const hints[] = {
    "cardnumber",       "cardnum",      "ccnumber", "ccnum",       "creditcard",
    "debitcard",        "securitycode", "cardcode", "onetimecode", "onetimepassword",
    "verificationcode", "passcode",     "password", "passwd"
};

/* Hints so short that they count as whole words only. */
static const char *const words[] = { "cvc", "cvv", "cvv2", "cvc2", "csc", "otp", "pan", "totp" };

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

static bool is_in(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, list[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* "cardNumber", "card-number", "Card number": all say the same. */
static bool has_hint(const char *text)
{
    char joined[128];
    char word[16];
    size_t length = 0;
    size_t in_word = 0;
    bool was_lower = false;
    for (;; text++) {
        bool is_letter = isalnum((unsigned char)*text);
        bool begins = is_letter && isupper((unsigned char)*text) && was_lower;
        if (!is_letter || begins) {
            word[in_word] = '\0';
            if (is_in(word, words, sizeof(words) / sizeof(words[0]))) {
                return true;
            }
            in_word = 0;
        }
        if (*text == '\0' || length == sizeof(joined) - 1) {
            break;
        }
        was_lower = islower((unsigned char)*text);
        if (is_letter) {
            joined[length++] = (char)tolower((unsigned char)*text);
            in_word += in_word < sizeof(word) - 1;
            word[in_word - 1] = joined[length - 1];
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

bool snapshot_is_private(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                         int node)
{
    static const uint8_t sources[] = { ATTRIBUTE_NAME, ATTRIBUTE_ID, ATTRIBUTE_ARIA_LABEL,
                                       ATTRIBUTE_AUTOCOMPLETE, ATTRIBUTE_PLACEHOLDER };
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    enum snapshot_role role = facts->meanings[node].role;
    bool is_typed = tag == TAG_INPUT || tag == TAG_TEXTAREA || tag == TAG_SELECT ||
                    role == ROLE_TEXTBOX || role == ROLE_SEARCHBOX || role == ROLE_SPINBUTTON ||
                    snapshot_has(&facts->attributes, node, ATTRIBUTE_CONTENTEDITABLE);
    if (!is_typed || role == ROLE_BUTTON || role == ROLE_CHECKBOX || role == ROLE_RADIO) {
        return false;
    }
    if (facts->tree->nodes[node].is_dotted || snapshot_is_input(facts, node, "password") ||
        has_token(snapshot_get(&facts->attributes, node, ATTRIBUTE_AUTOCOMPLETE))) {
        return true;
    }
    for (size_t i = 0; i < sizeof(sources); i++) {
        const char *text =
            snapshot_get(&facts->attributes, node, (enum snapshot_attribute_number)sources[i]);
        if (text && has_hint(text)) {
            return true;
        }
    }
    int label = facts->first_label[node];
    const char *text = label == SNAPSHOT_NONE ? NULL : snapshot_naming_content(naming, label);
    return text && has_hint(text);
}

bool snapshot_is_private_choice(const struct snapshot_tree *tree,
                                const struct snapshot_meaning *meanings, int node)
{
    const struct snapshot_node *nodes = tree->nodes;
    int list = nodes[node].tag == TAG_OPTION ? nodes[node].parent : SNAPSHOT_NONE;
    if (list != SNAPSHOT_NONE && nodes[list].tag == TAG_OPTGROUP) {
        list = nodes[list].parent;
    }
    return list != SNAPSHOT_NONE && meanings[list].is_private;
}
