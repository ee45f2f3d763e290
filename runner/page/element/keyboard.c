#include "runner/page/element/keyboard.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/names.h"
#include "runner/base/strbuf.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/show.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { ALT = 1, CONTROL = 2, META = 4, SHIFT = 8 };
enum { ON_THE_LEFT = 1, ON_THE_RIGHT = 2, ON_KEYPAD = 3 };

static const struct key named_keys[] = {
    { "Enter", "Enter", 13, "\r", 0 },
    { "Tab", "Tab", 9, "", 0 },
    { "Backspace", "Backspace", 8, "", 0 },
    { "Delete", "Delete", 46, "", 0 },
    { "Escape", "Escape", 27, "", 0 },
    { "Insert", "Insert", 45, "", 0 },
    { "ArrowLeft", "ArrowLeft", 37, "", 0 },
    { "ArrowUp", "ArrowUp", 38, "", 0 },
    { "ArrowRight", "ArrowRight", 39, "", 0 },
    { "ArrowDown", "ArrowDown", 40, "", 0 },
    { "Home", "Home", 36, "", 0 },
    { "End", "End", 35, "", 0 },
    { "PageUp", "PageUp", 33, "", 0 },
    { "PageDown", "PageDown", 34, "", 0 },
    { "CapsLock", "CapsLock", 20, "", 0 },
    { "ContextMenu", "ContextMenu", 93, "", 0 },
    { "Shift", "ShiftLeft", 16, "", 0 },
    { "Control", "ControlLeft", 17, "", 0 },
    { "Alt", "AltLeft", 18, "", 0 },
    { "Meta", "MetaLeft", 91, "", 0 },
    { "F1", "F1", 112, "", 0 },
    { "F2", "F2", 113, "", 0 },
    { "F3", "F3", 114, "", 0 },
    { "F4", "F4", 115, "", 0 },
    { "F5", "F5", 116, "", 0 },
    { "F6", "F6", 117, "", 0 },
    { "F7", "F7", 118, "", 0 },
    { "F8", "F8", 119, "", 0 },
    { "F9", "F9", 120, "", 0 },
    { "F10", "F10", 121, "", 0 },
    { "F11", "F11", 122, "", 0 },
    { "F12", "F12", 123, "", 0 },
    { "NumLock", "NumLock", 144, "", 0 },
    { "ScrollLock", "ScrollLock", 145, "", 0 },
    { "Pause", "Pause", 19, "", 0 },
    { "PrintScreen", "PrintScreen", 44, "", 0 },
};

/* Keys that exist twice, by code; the first one of each is also in the table above. */
static const struct key second_keys[] = {
    { "Shift", "ShiftLeft", 16, "", 0 },     { "Shift", "ShiftRight", 16, "", 0 },
    { "Control", "ControlLeft", 17, "", 0 }, { "Control", "ControlRight", 17, "", 0 },
    { "Alt", "AltLeft", 18, "", 0 },         { "Alt", "AltRight", 18, "", 0 },
    { "Meta", "MetaLeft", 91, "", 0 },       { "Meta", "MetaRight", 92, "", 0 },
    { "Enter", "NumpadEnter", 13, "\r", 0 }, { "0", "Numpad0", 96, "0", 0 },
    { "1", "Numpad1", 97, "1", 0 },          { "2", "Numpad2", 98, "2", 0 },
    { "3", "Numpad3", 99, "3", 0 },          { "4", "Numpad4", 100, "4", 0 },
    { "5", "Numpad5", 101, "5", 0 },         { "6", "Numpad6", 102, "6", 0 },
    { "7", "Numpad7", 103, "7", 0 },         { "8", "Numpad8", 104, "8", 0 },
    { "9", "Numpad9", 105, "9", 0 },         { "*", "NumpadMultiply", 106, "*", 0 },
    { "+", "NumpadAdd", 107, "+", 0 },       { "-", "NumpadSubtract", 109, "-", 0 },
    { ".", "NumpadDecimal", 110, ".", 0 },   { "/", "NumpadDivide", 111, "/", 0 },
};

/* Alternative spellings. */
static const struct {
    const char *name;
    const char *key;
} aliases[] = {
    { "Return", "Enter" }, { "Esc", "Escape" },       { "Del", "Delete" },
    { "Ctrl", "Control" }, { "Cmd", "Meta" },         { "Left", "ArrowLeft" },
    { "Up", "ArrowUp" },   { "Right", "ArrowRight" }, { "Down", "ArrowDown" },
};

static const struct {
    char plain, shifted;
    const char *code;
    int key_code;
} punctuation[] = {
    { '`', '~', "Backquote", 192 },    { '1', '!', "Digit1", 49 },
    { '2', '@', "Digit2", 50 },        { '3', '#', "Digit3", 51 },
    { '4', '$', "Digit4", 52 },        { '5', '%', "Digit5", 53 },
    { '6', '^', "Digit6", 54 },        { '7', '&', "Digit7", 55 },
    { '8', '*', "Digit8", 56 },        { '9', '(', "Digit9", 57 },
    { '0', ')', "Digit0", 48 },        { '-', '_', "Minus", 189 },
    { '=', '+', "Equal", 187 },        { '[', '{', "BracketLeft", 219 },
    { ']', '}', "BracketRight", 221 }, { '\\', '|', "Backslash", 220 },
    { ';', ':', "Semicolon", 186 },    { '\'', '"', "Quote", 222 },
    { ',', '<', "Comma", 188 },        { '.', '>', "Period", 190 },
    { '/', '?', "Slash", 191 },        { ' ', ' ', "Space", 32 },
};

static const struct {
    const char *key;
    int bit;
} modifiers[] = { { "Alt", ALT }, { "Control", CONTROL }, { "Meta", META }, { "Shift", SHIFT } };

static void letter_key(char letter, struct key *ret_key)
{
    char upper = (char)toupper((unsigned char)letter);
    *ret_key = (struct key){
        .key = { letter },
        .code = { 'K', 'e', 'y', upper },
        .key_code = upper,
        .text = { letter },
        .modifiers = letter == upper ? SHIFT : 0,
    };
}

bool keyboard_find_character(char character, struct key *ret_key)
{
    if (isalpha((unsigned char)character)) {
        letter_key(character, ret_key);
        return true;
    }
    for (size_t i = 0; i < sizeof(punctuation) / sizeof(punctuation[0]); i++) {
        bool is_plain = punctuation[i].plain == character;
        if (is_plain || punctuation[i].shifted == character) {
            *ret_key = (struct key){
                .key = { character },
                .key_code = punctuation[i].key_code,
                .text = { character },
                .modifiers = is_plain ? 0 : SHIFT,
            };
            snprintf(ret_key->code, sizeof(ret_key->code), "%s", punctuation[i].code);
            return true;
        }
    }
    return false;
}

/* Finds a key by KeyboardEvent.code, which identifies the key, not the character. */
static bool find_code(const char *code, struct key *ret_key)
{
    for (size_t i = 0; i < sizeof(second_keys) / sizeof(second_keys[0]); i++) {
        if (strcasecmp(code, second_keys[i].code) == 0) {
            *ret_key = second_keys[i];
            return true;
        }
    }
    for (size_t i = 0; i < sizeof(punctuation) / sizeof(punctuation[0]); i++) {
        if (strcasecmp(code, punctuation[i].code) == 0) {
            return keyboard_find_character(punctuation[i].plain, ret_key);
        }
    }
    bool is_letter =
        strncasecmp(code, "Key", 3) == 0 && isalpha((unsigned char)code[3]) && !code[4];
    if (is_letter) {
        letter_key((char)tolower((unsigned char)code[3]), ret_key);
    }
    return is_letter;
}

bool keyboard_find_key(const char *name, struct key *ret_key)
{
    for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
        if (strcasecmp(name, aliases[i].name) == 0) {
            name = aliases[i].key;
        }
    }
    for (size_t i = 0; i < sizeof(named_keys) / sizeof(named_keys[0]); i++) {
        if (strcasecmp(name, named_keys[i].key) == 0) {
            *ret_key = named_keys[i];
            return true;
        }
    }
    return find_code(name, ret_key) ||
           (name[0] != '\0' && name[1] == '\0' && keyboard_find_character(name[0], ret_key));
}

static int modifier_bit(const char *key)
{
    for (size_t i = 0; i < sizeof(modifiers) / sizeof(modifiers[0]); i++) {
        if (strcmp(key, modifiers[i].key) == 0) {
            return modifiers[i].bit;
        }
    }
    return 0;
}

static int chord_modifiers(const struct chord *chord)
{
    int bits = 0;
    for (size_t i = 0; i < chord->count; i++) {
        bits |= modifier_bit(chord->keys[i].key);
    }
    return bits;
}

/*
 * In a chord the case of letters is ignored: Control+A means Ctrl and A. With Shift held, a key
 * gives its upper character.
 */
static void apply_modifiers(struct key *key, int held)
{
    if (strncmp(key->code, "Key", 3) == 0) {
        char letter = key->code[3];
        letter_key(held & SHIFT ? letter : (char)tolower((unsigned char)letter), key);
        return;
    }
    for (size_t i = 0; i < sizeof(punctuation) / sizeof(punctuation[0]) && held & SHIFT; i++) {
        if (strcmp(key->code, punctuation[i].code) == 0) {
            key->key[0] = punctuation[i].shifted;
            key->text[0] = punctuation[i].shifted;
        }
    }
}

static bool parse_chord(const char *text, struct chord *ret_chord)
{
    *ret_chord = (struct chord){ 0 };
    while (*text && ret_chord->count < MAX_CHORD) {
        char name[32];
        /* A plus at the beginning of a name is the key itself. */
        size_t length = 1 + strcspn(text + 1, "+");
        if (length >= sizeof(name)) {
            return false;
        }
        memcpy(name, text, length);
        name[length] = '\0';
        struct key *key = &ret_chord->keys[ret_chord->count++];
        if (!keyboard_find_key(name, key)) {
            return false;
        }
        if (ret_chord->count > 1) {
            apply_modifiers(key, chord_modifiers(ret_chord));
        }
        text += length;
        if (*text == '\0') {
            return true;
        }
        if (!modifier_bit(key->key)) {
            return false;
        }
        text++;
    }
    return false;
}

bool page_key_is_known(const char *keys)
{
    struct chord chord;
    return parse_chord(keys, &chord);
}

/* Returns the key meant by another common name; NULL: unknown. */
static const char *meant_key(const char *name)
{
    static const char *const words[][2] = {
        { "command", "Meta" },  { "win", "Meta" },        { "windows", "Meta" },
        { "super", "Meta" },    { "option", "Alt" },      { "opt", "Alt" },
        { "strg", "Control" },  { "prior", "PageUp" },    { "pgup", "PageUp" },
        { "pgdn", "PageDown" }, { "pgdown", "PageDown" }, { "spacebar", "Space" },
        { "ins", "Insert" },    { "bksp", "Backspace" },  { "kpenter", "NumpadEnter" },
    };
    enum { NAMED = sizeof(named_keys) / sizeof(named_keys[0]) };
    const char *known[NAMED];
    char bare[32];
    size_t length = 0;
    struct key key;
    for (const char *c = name; *c && length + 1 < sizeof(bare); c++) {
        if (*c != '_') {
            bare[length++] = *c;
        }
    }
    bare[length] = '\0';
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcasecmp(bare, words[i][0]) == 0) {
            return words[i][1];
        }
    }
    for (size_t i = 0; i < NAMED; i++) {
        known[i] = named_keys[i].key;
        if (keyboard_find_key(bare, &key) && strcmp(key.code, named_keys[i].code) == 0) {
            return known[i];
        }
    }
    /* Too many names are similar to a short text. */
    return length < 3 ? NULL : names_nearest(bare, known, NAMED);
}

char *page_keys_meant(const char *keys)
{
    CLEANUP_STRBUF struct strbuf held = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf last = STRBUF_INIT(STRBUF_UNCAPPED);
    for (const char *at = keys; *at;) {
        char name[32];
        struct key key;
        size_t length = 1 + strcspn(at + 1, "+- ");
        if (length >= sizeof(name)) {
            return NULL;
        }
        snprintf(name, sizeof(name), "%.*s", (int)length, at);
        const char *meant = keyboard_find_key(name, &key) ? name : meant_key(name);
        if (!meant || !keyboard_find_key(meant, &key)) {
            return NULL;
        }
        bool is_held = modifier_bit(key.key);
        strbuf_add_format(is_held ? &held : &last, "%s%s", is_held ? key.key : meant,
                          is_held ? "+" : "");
        at += length;
        const char *next = at + strspn(at, " ");
        next += *next == '+' || *next == '-';
        next += strspn(next, " ");
        if ((*at && !*next) || (*next && !is_held)) {
            return NULL; /* nothing after a separator, or something after the main key */
        }
        at = next;
    }
    strbuf_add_string(&held, last.data);
    return last.length && page_key_is_known(held.data) ? xstrdup(held.data) : NULL;
}

/* Returns KeyboardEvent.location, which distinguishes keys of the same name. */
static int location_of(const char *code)
{
    static const char *const sided[] = { "Shift", "Control", "Alt", "Meta" };
    for (size_t i = 0; i < sizeof(sided) / sizeof(sided[0]); i++) {
        size_t length = strlen(sided[i]);
        if (strncmp(code, sided[i], length) == 0) {
            return strcmp(code + length, "Right") == 0 ? ON_THE_RIGHT : ON_THE_LEFT;
        }
    }
    return strncmp(code, "Numpad", strlen("Numpad")) == 0 ? ON_KEYPAD : 0;
}

static json_t *key_event(const char *type, const struct key *key, int held)
{
    json_t *params =
        json_pack("{s:s, s:s, s:s, s:i, s:i}", "type", type, "key", key->key, "code", key->code,
                  "windowsVirtualKeyCode", key->key_code, "modifiers", held);
    int location = location_of(key->code);
    if (location) {
        json_object_set_new(params, "location", json_integer(location));
        json_object_set_new(params, "isKeypad", json_boolean(location == ON_KEYPAD));
    }
    bool is_text = key->text[0] && !(held & (CONTROL | META | ALT));
    if (is_text && strcmp(type, "keyDown") == 0) {
        json_object_set_new(params, "text", json_string(key->text));
    } else if (strcmp(type, "keyDown") == 0) {
        json_object_set_new(params, "type", json_string("rawKeyDown"));
    }
    return params;
}

static const char key_method[] = "Input.dispatchKeyEvent";

bool keyboard_land(struct page *page, struct flight *flight, struct br_error *err)
{
    bool is_fine = true;
    for (size_t i = 0; i < flight->count; i++) {
        struct br_error later;
        bool has_landed =
            cdp_receive(page->client, flight->ids[i], key_method, NULL, is_fine ? err : &later);
        flight->landed += has_landed;
        is_fine = has_landed && is_fine;
    }
    flight->count = 0;
    return is_fine;
}

/* A pressed key is released even after a cancel. */
static void send_key(struct page *page, struct flight *flight, json_t *event, bool is_release,
                     struct br_error *err)
{
    int64_t id = page_send(page, key_method, json_incref(event), err);
    flight->ids[flight->count++] = id;
    if (id < 0 && is_release) {
        page_post(page, key_method, json_incref(event));
    }
    json_decref(event);
}

bool keyboard_send(struct page *page, struct flight *flight, const struct chord *chord,
                   struct br_error *err)
{
    int held = 0;
    if (flight->count + 2 * chord->count > MAX_FLIGHT && !keyboard_land(page, flight, err)) {
        return false;
    }
    page_act(page);
    for (size_t i = 0; i < chord->count; i++) {
        held |= modifier_bit(chord->keys[i].key) | chord->keys[i].modifiers;
        send_key(page, flight, key_event("keyDown", &chord->keys[i], held), false, err);
    }
    for (size_t i = chord->count; i-- > 0;) {
        held &= ~modifier_bit(chord->keys[i].key);
        send_key(page, flight, key_event("keyUp", &chord->keys[i], held), true, err);
    }
    return true;
}

/* Returns whether it types a character, such as one of a password. */
static bool is_typed(const struct chord *chord)
{
    const struct key *last = &chord->keys[chord->count - 1];
    return last->key[1] == '\0' && !(chord_modifiers(chord) & (CONTROL | META | ALT));
}

bool page_press(struct page *page, const char *keys, struct br_error *err)
{
    struct chord chord;
    struct flight flight = { 0 };
    if (!parse_chord(keys, &chord)) {
        error_set(err, BR_INVALID_ACTION, "\"%s\" is no key", keys);
        return error_hint(
            err,
            "keys are named as in \"Enter\", \"a\", \"Control+Shift+ArrowLeft\", \"NumpadEnter\"");
    }
    show_focus(page, keys, is_typed(&chord));
    return keyboard_send(page, &flight, &chord, err) && keyboard_land(page, &flight, err);
}
