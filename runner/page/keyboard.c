#include "runner/page/keyboard.h"

#include "runner/base/json.h"
#include "runner/page/frames.h"
#include "runner/page/scripts.h"
#include "runner/page/show.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { ALT = 1, CONTROL = 2, META = 4, SHIFT = 8 };

/* Longer text without a delay is inserted: a key takes about a millisecond. */
enum { MAX_TYPED = 2000 };

/* A key of the US layout. Source: UI Events KeyboardEvent key and code values. */
struct key {
    char key[16];  /* KeyboardEvent.key */
    char code[16]; /* KeyboardEvent.code */
    int key_code;  /* the virtual key code of Windows, as the protocol wants it */
    char text[4];  /* what it types; "" for none */
    int modifiers; /* that it needs, SHIFT or 0 */
};

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
};

/* Other spellings that people use. */
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

/* The key that types an ASCII character; false for one that no key types. */
static bool character_key(char character, struct key *ret_key)
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

static bool find_key(const char *name, struct key *ret_key)
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
    if (strcasecmp(name, "Space") == 0) {
        name = " ";
    }
    return name[0] != '\0' && name[1] == '\0' && character_key(name[0], ret_key);
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

/* A chord such as Control+Shift+A: the keys in the order in which they go down. */
enum { MAX_CHORD = 5 };

struct chord {
    struct key keys[MAX_CHORD];
    size_t count;
};

static int chord_modifiers(const struct chord *chord)
{
    int bits = 0;
    for (size_t i = 0; i < chord->count; i++) {
        bits |= modifier_bit(chord->keys[i].key);
    }
    return bits;
}

/*
 * In a chord the letter's case says nothing: Control+A is what a person presses as Ctrl and A. Held
 * Shift makes the upper sign of a key.
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
        /* A plus that begins a name is the key itself. */
        size_t length = 1 + strcspn(text + 1, "+");
        if (length >= sizeof(name)) {
            return false;
        }
        memcpy(name, text, length);
        name[length] = '\0';
        struct key *key = &ret_chord->keys[ret_chord->count++];
        if (!find_key(name, key)) {
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

static json_t *key_event(const char *type, const struct key *key, int held)
{
    json_t *params =
        json_pack("{s:s, s:s, s:s, s:i, s:i}", "type", type, "key", key->key, "code", key->code,
                  "windowsVirtualKeyCode", key->key_code, "modifiers", held);
    bool is_text = key->text[0] && !(held & (CONTROL | META | ALT));
    if (is_text && strcmp(type, "keyDown") == 0) {
        json_object_set_new(params, "text", json_string(key->text));
    } else if (strcmp(type, "keyDown") == 0) {
        json_object_set_new(params, "type", json_string("rawKeyDown"));
    }
    return params;
}

/* Events that are on their way. */
enum { MAX_FLIGHT = 16 };

struct flight {
    int64_t ids[MAX_FLIGHT];
    size_t count;
};

static const char key_method[] = "Input.dispatchKeyEvent";

/* Waits until all have been handled. */
static bool land(struct page *page, struct flight *flight, struct br_error *err)
{
    bool is_fine = true;
    for (size_t i = 0; i < flight->count; i++) {
        struct br_error later;
        is_fine =
            cdp_receive(page->client, flight->ids[i], key_method, NULL, is_fine ? err : &later) &&
            is_fine;
    }
    flight->count = 0;
    return is_fine;
}

static void send_key(struct page *page, struct flight *flight, json_t *event, struct br_error *err)
{
    flight->ids[flight->count++] = cdp_send(page->client, page->session_id, key_method, event, err);
}

/* Sends the events of one key or chord at once; false when what had to land before it failed. */
static bool send_chord(struct page *page, struct flight *flight, const struct chord *chord,
                       struct br_error *err)
{
    int held = 0;
    if (flight->count + 2 * chord->count > MAX_FLIGHT && !land(page, flight, err)) {
        return false;
    }
    page_act(page);
    for (size_t i = 0; i < chord->count; i++) {
        held |= modifier_bit(chord->keys[i].key) | chord->keys[i].modifiers;
        send_key(page, flight, key_event("keyDown", &chord->keys[i], held), err);
    }
    for (size_t i = chord->count; i-- > 0;) {
        held &= ~modifier_bit(chord->keys[i].key);
        send_key(page, flight, key_event("keyUp", &chord->keys[i], held), err);
    }
    return true;
}

/* Whether it writes a character, such as that of a password. */
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
        return error_hint(err,
                          "keys are named as in \"Enter\", \"a\", \"Control+Shift+ArrowLeft\"");
    }
    show_focus(page, keys, is_typed(&chord));
    return send_chord(page, &flight, &chord, err) && land(page, &flight, err);
}

/* Bytes of the UTF-8 character at text, 1 for a broken one. */
static size_t character_length(const char *text)
{
    size_t length = 1;
    while (((unsigned char)text[length] & 0xC0) == 0x80) {
        length++;
    }
    return length;
}

static bool insert(struct page *page, const char *text, size_t length, struct br_error *err)
{
    CLEANUP_FREE char *part = xstrndup(text, length);
    return page_command(page, "Input.insertText", json_pack("{s:o}", "text", json_text(part)), NULL,
                        err);
}

/*
 * Types the character at text, which a key does without being waited for, and returns its length; 0
 * with the error.
 */
static size_t type_character(struct page *page, struct flight *flight, const char *text,
                             struct br_error *err)
{
    struct chord chord = { .count = 1 };
    const char *name = *text == '\n' || *text == '\r' ? "Enter" : *text == '\t' ? "Tab" : NULL;
    if (name ? find_key(name, &chord.keys[0]) : character_key(*text, &chord.keys[0])) {
        bool is_pair = text[0] == '\r' && text[1] == '\n';
        return send_chord(page, flight, &chord, err) ? 1 + (size_t)is_pair : 0;
    }
    size_t length = character_length(text);
    return land(page, flight, err) && insert(page, text, length, err) ? length : 0;
}

/* What a private field holds, or is about to, is nobody's to read from now on. */
static void take_secrets(struct page *page, const char *phase, const char *text,
                         const json_t *answer)
{
    struct secrets *secrets = page->options.secrets;
    if (secrets && json_member_bool(answer, "isPrivate", false)) {
        const char *held = json_member_string(answer, "secret");
        if (held && strlen(held) > 1) {
            secrets_add(secrets, held, NULL); /* one character may be a box of a code */
        }
        if (strcmp(phase, "before") == 0) {
            secrets_add_typed(secrets, text);
        }
    }
}

/* Asks scripts/typed.js; takes ownership of more. False with the error when the text did not
 * arrive. */
static bool call_typed(struct page *page, const char *phase, const char *text, json_t *more,
                       json_t **ret_answer, struct br_error *err)
{
    json_auto_t *argument = more ? more : json_object();
    json_object_set_new(argument, "phase", json_string(phase));
    json_object_set_new(argument, "text", json_text(text));
    if (!frame_call(page, frame_acting(page), script_typed, argument, NULL, ret_answer, err)) {
        return false;
    }
    take_secrets(page, phase, text, *ret_answer);
    const char *warning = json_member_string(*ret_answer, "warning");
    const char *error = json_member_string(*ret_answer, "error");
    if (warning) {
        page_log(page, BR_LOG_WARNING, "input", "%s", warning);
    }
    if (error) {
        error_set(err, BR_UNKNOWN_ERROR, "%s", error);
        return error_hint(err, "it may be full, accept other characters only, or be controlled "
                               "by a script");
    }
    return true;
}

bool page_check_empty(struct page *page, struct br_error *err)
{
    json_auto_t *answer = NULL;
    return call_typed(page, "empty", "", NULL, &answer, err);
}

/* The frame that has the focus is the one that is asked from now on. */
static bool follow_focus(struct page *page, struct br_error *err)
{
    struct frame *frame = NULL;
    if (!frames_update(page, err) || !frame_follow_focus(page, &frame, err)) {
        return false;
    }
    frame_set_acting(page, frame);
    return true;
}

bool keyboard_enter_editor(struct page *page, bool is_cleared, struct br_error *err)
{
    json_auto_t *answer = NULL;
    if (!follow_focus(page, err) || !call_typed(page, "enter", "", NULL, &answer, err)) {
        return false;
    }
    if (!is_cleared) {
        return page_press(page, "Control+End", err);
    }
    return page_press(page, "Control+A", err) && page_press(page, "Delete", err) &&
           page_check_empty(page, err);
}

/* A text is typed line by line, and what came of each is asked. */
struct typing {
    const char *rest; /* of the text */
    const char *key;  /* what was pressed since the last line; NULL: nothing */
    int64_t delay_ms;
    bool is_inserted;   /* a line at once, as pasting would */
    unsigned documents; /* mark.documents when it began */
    bool was_navigating;
};

/* With is_ahead keys need not wait for those before them. */
static bool send_line(struct page *page, const struct typing *typing, const char *line,
                      bool is_ahead, struct br_error *err)
{
    struct flight flight = { 0 };
    if (typing->is_inserted) {
        return !*line || insert(page, line, strlen(line), err);
    }
    while (*line) {
        size_t length = type_character(page, &flight, line, err);
        bool is_waited_for = typing->delay_ms || !is_ahead;
        if (!length || (is_waited_for && !land(page, &flight, err)) ||
            (typing->delay_ms && !page_pause(page, typing->delay_ms, err))) {
            return false;
        }
        line += length;
    }
    return land(page, &flight, err);
}

static bool is_left(const struct page *page, const struct typing *typing)
{
    return page->mark.documents != typing->documents ||
           (page->is_navigating && !typing->was_navigating);
}

/* The line goes to what has the focus now. */
static bool type_line(struct page *page, const struct typing *typing, const char *line,
                      struct br_error *err)
{
    json_auto_t *before = NULL;
    json_auto_t *after = NULL;
    if (!follow_focus(page, err) ||
        !call_typed(page, "before", line, json_pack("{s:s*}", "key", typing->key), &before, err)) {
        return false;
    }
    show_focus(page, NULL, false);
    if (!json_member_bool(before, "isDone", false) &&
        !send_line(page, typing, line, json_member_bool(before, "isRoomy", false), err)) {
        return false;
    }
    bool is_last = !typing->rest[strlen(line)];
    return !*line || is_left(page, typing) ||
           call_typed(page, "after", line, json_pack("{s:b}", "isLast", is_last), &after, err);
}

/* The key of what stands between two lines, which may lead to another field, or elsewhere. */
static bool end_line(struct page *page, struct typing *typing, struct br_error *err)
{
    struct flight flight = { 0 };
    size_t length = type_character(page, &flight, typing->rest, err);
    if (!length || !land(page, &flight, err) ||
        (typing->delay_ms && !page_pause(page, typing->delay_ms, err))) {
        return false;
    }
    typing->key = *typing->rest == '\t' ? "\t" : "\n";
    typing->rest += length;
    page_receive_flush(page, page_send_flush(page));
    return !*typing->rest || !is_left(page, typing) ||
           error_set(
               err, BR_UNKNOWN_ERROR,
               "the page was left before the whole text was typed: %zu bytes of it are missing",
               strlen(typing->rest));
}

bool page_type(struct page *page, const char *text, int64_t delay_ms, struct br_error *err)
{
    struct typing typing = {
        .rest = text,
        .delay_ms = delay_ms,
        .documents = page->mark.documents,
        .was_navigating = page->is_navigating,
    };
    page_act(page);
    if (delay_ms == 0 && strlen(text) > MAX_TYPED) {
        page_log(page, BR_LOG_INFO, "input", "the text is long: it is inserted line by line");
        typing.is_inserted = true;
    }
    for (;;) {
        size_t length = strcspn(typing.rest, "\r\n\t");
        CLEANUP_FREE char *line = xstrndup(typing.rest, length);
        if ((*line || !is_left(page, &typing)) && !type_line(page, &typing, line, err)) {
            return false;
        }
        typing.rest += length;
        if (!*typing.rest) {
            return true;
        }
        if (!end_line(page, &typing, err)) {
            return false;
        }
    }
}
