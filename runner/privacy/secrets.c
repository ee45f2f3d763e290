#include "runner/privacy/secrets.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/base/unicode.h"
#include "runner/base/utf8.h"
#include "runner/privacy/mask.h"
#include "runner/privacy/view.h"

#include <ctype.h>
#include <string.h>

enum {
    SHORT_SECRET = 4, /* shorter secrets match only as whole words, and not in base64 */
    CUT_SECRET = 8, /* from this length on, a prefix of a secret matches at the end of a cut text */
    GROUPED_DIGITS = 6, /* numbers from this length on may be written in groups */
    FRONT = 3,          /* shortest word that matches as a prefix of the text typed last */
    YOUTH = 2,          /* an action, and what the page sends after it */
    MAX_LAYERS = 2,     /* nested encodings */
    BASE64_WAYS = 3,    /* a text may begin at any byte of a group of three */
    BASE64_FORMS = BASE64_WAYS + BASE64_WAYS * BASE64_WAYS, /* then those of base64 in base64 */
};

struct secret {
    char *text, *shown;
    char *base64[BASE64_FORMS]; /* without the characters that also encode neighbouring bytes; NULL:
                                   none */
    size_t length;
    bool is_number; /* may be written in groups of digits */
    int youth;      /* how often secrets_age() must be called until its prefixes no longer match */
};

struct secrets {
    struct secret *items; /* sorted, the longest first */
    size_t count, capacity;
    char *run; /* single characters that were typed one after the other */
};

struct secrets *secrets_create(void)
{
    return xcalloc(1, sizeof(struct secrets));
}

static void secret_finish(struct secret *secret)
{
    for (size_t i = 0; i < BASE64_FORMS; i++) {
        free(secret->base64[i]);
    }
    free(secret->text);
    free(secret->shown);
}

void secrets_destroy(struct secrets *secrets)
{
    if (!secrets) {
        return;
    }
    for (size_t i = 0; i < secrets->count; i++) {
        secret_finish(&secrets->items[i]);
    }
    free(secrets->items);
    free(secrets->run);
    free(secrets);
}

/* Encodes the text after `before` other bytes, without the characters that these share. */
static char *in_base64(const char *text, size_t length, size_t before)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t first = (before * 8 + 5) / 6;
    size_t end = (before + length) * 8 / 6;
    char *encoded = xcalloc(end - first + 1, 1);
    for (size_t i = first; i < end; i++) {
        size_t byte = i * 6 / 8 - before;
        unsigned pair = (unsigned char)text[byte] << 8;
        pair |= byte + 1 < length ? (unsigned char)text[byte + 1] : 0;
        encoded[i - first] = alphabet[pair >> (10 - i * 6 % 8) & 0x3F];
    }
    return encoded;
}

static bool is_number(const char *text)
{
    size_t digits = 0;
    for (; isdigit((unsigned char)*text) || *text == ' ' || *text == '-'; text++) {
        digits += isdigit((unsigned char)*text) != 0;
    }
    return *text == '\0' && digits >= GROUPED_DIGITS;
}

/* Returns the text without white space around it; a number without any. Caller frees. */
static char *plain_text(const char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1])) {
        length--;
    }
    char *plain = xstrndup(text, length);
    if (is_number(plain)) {
        size_t end = 0;
        for (size_t i = 0; plain[i]; i++) {
            plain[end] = plain[i];
            end += isdigit((unsigned char)plain[i]) != 0;
        }
        plain[end] = '\0';
    }
    return plain;
}

/* Returns the index where a text is or would be inserted. */
static size_t place_of(const struct secrets *secrets, const char *text)
{
    size_t length = strlen(text);
    size_t i = 0;
    while (i < secrets->count &&
           (secrets->items[i].length > length ||
            (secrets->items[i].length == length && strcmp(secrets->items[i].text, text) != 0))) {
        i++;
    }
    return i;
}

static bool is_at(const struct secrets *secrets, size_t i, const char *text)
{
    return i < secrets->count && strcmp(secrets->items[i].text, text) == 0;
}

static void add_plain(struct secrets *secrets, const char *plain, const char *shown)
{
    size_t place = place_of(secrets, plain);
    if (!*plain || is_at(secrets, place, plain)) {
        return;
    }
    secrets->items =
        array_reserve(secrets->items, secrets->count, &secrets->capacity, sizeof(*secrets->items));
    struct secret *secret = &secrets->items[place];
    memmove(secret + 1, secret, (secrets->count++ - place) * sizeof(*secret));
    *secret = (struct secret){
        .length = strlen(plain),
        .is_number = is_number(plain),
        .shown = xstrdup(shown ? shown : mask_text),
    };
    for (size_t i = 0; i < BASE64_FORMS && secret->length >= SHORT_SECRET; i++) {
        const char *inner = i < BASE64_WAYS ? plain : secret->base64[i / BASE64_WAYS - 1];
        secret->base64[i] = in_base64(inner, strlen(inner), i % BASE64_WAYS);
    }
    secret->text = xstrdup(plain);
}

/*
 * Characters of windows-1252 from 0x80 on, where ISO 8859-1 has control characters; 0: undefined.
 */
static const unsigned windows_characters[] = {
    0x20AC, 0,      0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021, 0x2C6,  0x2030, 0x160,
    0x2039, 0x152,  0,      0x17D,  0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0,      0x17E,  0x178,
};

static unsigned windows_byte(unsigned character)
{
    for (size_t i = 0; i < sizeof(windows_characters) / sizeof(windows_characters[0]); i++) {
        if (windows_characters[i] == character) {
            return 0x80 + (unsigned)i;
        }
    }
    return character >= 0xA0 && character <= 0xFF ? character : 0;
}

/*
 * Encodes the text as a page in windows-1252 sends it, which browsers also use for "latin1";
 * characters outside it are sent as HTML references. NULL if the result is the same. Caller frees.
 */
static char *in_windows_1252(const char *text)
{
    CLEANUP_STRBUF struct strbuf bytes = STRBUF_INIT(STRBUF_UNCAPPED);
    size_t length = strlen(text);
    bool has_any = false;
    for (size_t at = 0; at < length;) {
        size_t sequence = utf8_sequence(text + at, length - at);
        const char *character = text + at;
        unsigned byte = sequence > 1 ? windows_byte(unicode_decode(&character)) : 0;
        has_any |= byte != 0;
        if (byte) {
            char one = (char)byte;
            strbuf_add(&bytes, &one, 1);
        } else {
            strbuf_add(&bytes, text + at, sequence ? sequence : 1);
        }
        at += sequence ? sequence : 1;
    }
    return has_any ? strbuf_take(&bytes) : NULL;
}

/* Hosts, types and header names are written in lower case. Caller frees. */
static char *in_lower_case(const char *text)
{
    char *lower = xstrdup(text);
    for (char *at = lower; *at; at++) {
        *at = (char)((unsigned char)*at < 0x80 ? tolower((unsigned char)*at) : *at);
    }
    return lower;
}

void secrets_add(struct secrets *secrets, const char *text, const char *shown)
{
    CLEANUP_FREE char *plain = plain_text(text);
    /* URLs do not encode again what looks encoded; decoding therefore decodes that as well. */
    CLEANUP_FREE char *decoded = view_percent_decoded(plain, strlen(plain));
    add_plain(secrets, plain, shown);
    CLEANUP_FREE char *sent = in_windows_1252(plain);
    CLEANUP_FREE char *lower = in_lower_case(plain);
    add_plain(secrets, decoded, shown);
    if (sent) {
        add_plain(secrets, sent, shown);
    }
    if (strlen(lower) >= SHORT_SECRET) {
        add_plain(secrets, lower, shown);
    }
}

static void drop(struct secrets *secrets, const char *text)
{
    size_t place = place_of(secrets, text);
    if (is_at(secrets, place, text)) {
        struct secret *secret = &secrets->items[place];
        secret_finish(secret);
        memmove(secret, secret + 1, (--secrets->count - place) * sizeof(*secret));
    }
}

static void make_young(struct secrets *secrets, const char *text)
{
    CLEANUP_FREE char *plain = plain_text(text);
    size_t place = place_of(secrets, plain);
    if (is_at(secrets, place, plain)) {
        secrets->items[place].youth = YOUTH;
    }
}

void secrets_age(struct secrets *secrets)
{
    for (size_t i = 0; i < secrets->count; i++) {
        secrets->items[i].youth -= secrets->items[i].youth > 0;
    }
}

void secrets_add_typed(struct secrets *secrets, const char *text)
{
    bool is_single = *text && text[1] == '\0';
    if (!is_single) {
        free(TAKE(secrets->run));
        secrets_add(secrets, text, NULL);
        make_young(secrets, text);
        return;
    }
    CLEANUP_FREE char *before = TAKE(secrets->run);
    secrets->run = xasprintf("%s%s", before ? before : "", text);
    if (strlen(secrets->run) > SHORT_SECRET) {
        CLEANUP_FREE char *lower = in_lower_case(before);
        drop(secrets, before);
        drop(secrets, lower);
    }
    if (strlen(secrets->run) >= SHORT_SECRET) {
        secrets_add(secrets, secrets->run, NULL);
    }
}

/* Searching. */

struct search {
    const struct secrets *secrets;
    /*
     * for each byte of the text: twice the number of a secret, counted from 1, plus 1 where the
     * secret begins
     */
    size_t *owners;
    bool has_found;
};

static void hide(struct search *search, const struct view *view, size_t start, size_t end,
                 size_t number)
{
    size_t first = view->starts[start];
    for (size_t i = first; i < view->ends[end - 1]; i++) {
        search->owners[i] = search->owners[i] ? search->owners[i] : 2 * number + (i == first);
    }
    search->has_found = true;
}

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || (unsigned char)byte >= 0x80;
}

static void find_text(struct search *search, const struct view *view, size_t number)
{
    const struct secret *secret = &search->secrets->items[number - 1];
    const char *end = view->bytes + view->length;
    const char *at = view->bytes;
    while ((at = memmem(at, (size_t)(end - at), secret->text, secret->length))) {
        const char *behind = at + secret->length;
        bool is_part = (at > view->bytes && is_word(at[-1])) || is_word(*behind);
        if (secret->length >= SHORT_SECRET || !is_part) {
            hide(search, view, (size_t)(at - view->bytes), (size_t)(behind - view->bytes), number);
        }
        at = behind;
    }
}

/* Finds words that are a prefix of a recent secret. */
static void find_fronts(struct search *search, const struct view *view, size_t number)
{
    const struct secret *secret = &search->secrets->items[number - 1];
    const char *end = view->bytes + view->length;
    const char *at = view->bytes;
    while (secret->youth > 0 && secret->length > FRONT &&
           (at = memmem(at, (size_t)(end - at), secret->text, FRONT))) {
        size_t length = FRONT;
        while (length < secret->length && at[length] == secret->text[length]) {
            length++;
        }
        if (!is_word(at[length]) && (at == view->bytes || !is_word(at[-1]))) {
            size_t start = (size_t)(at - view->bytes);
            hide(search, view, start, start + length, number);
        }
        at += length;
    }
}

static bool is_base64(char byte)
{
    return isalnum((unsigned char)byte) || byte == '+' || byte == '/';
}

static void find_base64(struct search *search, const struct view *view, size_t number, size_t form)
{
    const struct secret *secret = &search->secrets->items[number - 1];
    const char *text = secret->base64[form];
    size_t length = text ? strlen(text) : 0;
    bool is_twice = form >= BASE64_WAYS;
    size_t way = form % BASE64_WAYS;
    bool shares_last = is_twice || (way + secret->length) % BASE64_WAYS != 0;
    const char *end = view->bytes + view->length;
    const char *at = view->bytes;
    while (text && (at = memmem(at, (size_t)(end - at), text, length))) {
        /* The neighbouring characters also encode bits of it. */
        size_t start = (size_t)(at - view->bytes);
        size_t behind = start + length;
        for (int i = 0; i < (is_twice ? 2 : 1); i++) {
            start -= (is_twice || way > 0) && start > 0 && is_base64(view->bytes[start - 1]);
            behind += shares_last && is_base64(view->bytes[behind]);
        }
        hide(search, view, start, behind, number);
        at += length;
    }
}

/* Finds a prefix of a secret where the text was cut at `end`. */
static void find_front(struct search *search, const struct view *view, size_t number, size_t end)
{
    const struct secret *secret = &search->secrets->items[number - 1];
    size_t length = secret->length < end ? secret->length : end;
    while (length >= CUT_SECRET && memcmp(view->bytes + end - length, secret->text, length) != 0) {
        length--;
    }
    if (length >= CUT_SECRET) {
        hide(search, view, end - length, end, number);
    }
}

static void search_view(struct search *search, const struct view *view)
{
    static const char cut_mark[] = "…";
    for (size_t number = 1; number <= search->secrets->count; number++) {
        if (view->is_grouped && !search->secrets->items[number - 1].is_number) {
            continue;
        }
        find_text(search, view, number);
        find_fronts(search, view, number);
        for (size_t form = 0; form < BASE64_FORMS; form++) {
            find_base64(search, view, number, form);
        }
        const char *cut = view->bytes;
        while ((cut = strstr(cut, cut_mark))) {
            find_front(search, view, number, (size_t)(cut - view->bytes));
            cut += strlen(cut_mark);
        }
        find_front(search, view, number, view->length);
    }
}

static void search_layers(struct search *search, const struct view *view, int left)
{
    search_view(search, view);
    for (size_t i = 0; left > 0 && i < VIEW_ENCODINGS; i++) {
        CLEANUP_VIEW struct view inner = { 0 };
        if (view_undo(view, i, &inner)) {
            search_layers(search, &inner, left - 1);
        }
    }
}

static char *shown_text(const struct search *search, const char *text)
{
    CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = 0; text[i];) {
        size_t owner = search->owners[i] / 2;
        size_t end = i + 1;
        while (text[end] && search->owners[end] == 2 * owner) {
            end++;
        }
        if (owner) {
            strbuf_add_string(&shown, search->secrets->items[owner - 1].shown);
        } else {
            strbuf_add(&shown, text + i, end - i);
        }
        i = end;
    }
    return strbuf_take(&shown);
}

char *secrets_mask(const struct secrets *secrets, const char *text)
{
    size_t length = strlen(text);
    if (!secrets || secrets->count == 0 || length == 0) {
        return NULL;
    }
    struct search search = { .secrets = secrets, .owners = xcalloc(length, sizeof(size_t)) };
    CLEANUP_VIEW struct view view;
    view_init(&view, text);
    search_layers(&search, &view, MAX_LAYERS);
    char *shown = search.has_found ? shown_text(&search, text) : NULL;
    free(search.owners);
    return shown;
}

void secrets_mask_owned(const struct secrets *secrets, char **text)
{
    char *shown = *text ? secrets_mask(secrets, *text) : NULL;
    if (shown) {
        free(*text);
        *text = shown;
    }
}
