#include "runner/privacy/secrets.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "tests/slowness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns the text as shown; caller frees. */
static char *shown_of(const struct secrets *secrets, const char *text)
{
    char *shown = xstrdup(text);
    secrets_mask_owned(secrets, &shown);
    return shown;
}

struct example {
    const char *secret, *text, *shown;
};

static void check(const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct secrets *secrets = secrets_create();
        secrets_add(secrets, examples[i].secret, NULL);
        CLEANUP_FREE char *shown = shown_of(secrets, examples[i].text);
        assert_string_equal(shown, examples[i].shown);
        CLEANUP_FREE char *found = secrets_mask(secrets, examples[i].text);
        assert_int_equal(found != NULL, strcmp(examples[i].text, examples[i].shown) != 0);
        secrets_destroy(secrets);
    }
}

static void test_plain_texts(void **state)
{
    (void)state;
    static const struct example examples[] = {
        { "hunter2!", "it is hunter2!, says the page", "it is ***, says the page" },
        { "hunter2!", "hunter2!hunter2!", "******" },
        { "hunter2!", "Hunter2! hunter2", "Hunter2! hunter2" },
        { "Hunter-Two", "X-hunter-two: HUNTER-TWO", "X-***: HUNTER-TWO" },
        { "  hunter2!\n", "<hunter2!>", "<***>" },
        { "", "nothing", "nothing" },
        { "  ", "no thing", "no thing" },
        { "geheim€😀", "das ist geheim€😀.", "das ist ***." },
        /* Short secrets must be whole words. */
        { "123", "cvc=123&n=1234, a123, 123", "cvc=***&n=1234, a123, ***" },
        { "x1", "x1 x12 äx1 (x1)", "*** x12 äx1 (***)" },
        /* Texts that were cut. */
        { "correct horse", "typed correct hor", "typed ***" },
        { "correct horse", "{a: \"correct hor…\"}", "{a: \"***…\"}" },
        { "correct horse", "that is correct", "that is correct" },
        { "aaaaaaaa", "aaaaaaaaaaaaaaa", "***" },
    };
    check(examples, COUNT(examples));
}

static void test_encoded_texts(void **state)
{
    (void)state;
    static const char secret[] = "p@ss w\"rd+\\/ü%41&<";
    static const char *const texts[] = {
        "p%40ss%20w%22rd%2B%5C%2F%C3%BC%2541%26%3C", /* encodeURIComponent */
        "p%40ss%20w%22rd%2b%5c%2f%c3%bc%2541%26%3c", /* the same in lower case */
        "p@ss%20w%22rd+\\/%C3%BC%2541&%3C",          /* partly encoded */
        "p%40ss+w%22rd%2B%5C%2F%C3%BC%2541%26%3C",   /* URLSearchParams */
        "p%2540ss%2520w%2522rd%252B%255C%252F%25C3%25BC%252541%2526%253C", /* a URL in a URL */
        "p@ss w\\\"rd+\\\\/ü%41&<",                                        /* JSON.stringify */
        "p@ss w\\u0022rd+\\u005c\\/\\u00fc%41\\u0026\\u003C",           /* JSON of other programs */
        "p@ss w\\\\\\\"rd+\\\\\\\\/ü%41&<",                             /* JSON in JSON */
        "p%40ss%20w%5C%22rd%2B%5C%5C%2F%C3%BC%2541%26%3C",              /* JSON in a URL */
        "p@ss w&quot;rd+\\/ü%41&amp;&lt;",                              /* HTML */
        "p@ss%20w\\%22rd+\\\\/%C3%BC%41&%3C",                           /* JSON in a fragment */
        "p&#64;ss w&#x22;rd&#43;&#92;&sol;&uuml;&percnt;41&amp;&lt;",   /* character references */
        "p&commat;ss&#32w&QUOT;rd&plus;&bsol;&#0047;&#XFC;%41&amp&LT;", /* variants that HTML allows
                                                                         */
        "p%40ss+w%22rd%2B%5C%2F%FC%2541%26%3C",                         /* a form in latin-1 */
        "p@ss w\"rd+\\/\xfc%41&<",
        "p@ss w\"rd+\\/ü%41&<",
    };
    struct secrets *secrets = secrets_create();
    secrets_add(secrets, secret, NULL);
    for (size_t i = 0; i < COUNT(texts); i++) {
        CLEANUP_FREE char *text = xasprintf("http://h/?a=%s&b=c", texts[i]);
        CLEANUP_FREE char *shown = shown_of(secrets, text);
        assert_string_equal(shown, "http://h/?a=***&b=c");
    }
    secrets_destroy(secrets);
}

/* With "ab", "abc" and so on before it, so that it begins at each byte of three. */
static void test_base64(void **state)
{
    (void)state;
    static const struct example examples[] = {
        { "hunter2!", "aHVudGVyMiE=", "***=" },
        { "hunter2!", "Basic YTpodW50ZXIyIQ==", "Basic YT***==" },
        { "hunter2!", "YWI6aHVudGVyMiE6eA==", "YWI6***6eA==" },
        { "hunter2!", "token=YWJjOmh1bnRlcjIhOng%3D.", "token=YWJjO***Ong%3D." },
        { "~~~~????", "fn5-fj8_Pz8", "***" },
        { "~~~~????", "fn5+fj8/Pz8", "***" },
        { "~~~~????", "fn5%2Bfj8%2FPz8%3D", "***%3D" },
        { "123", "MTIz", "MTIz" },
        { "hunter2!", "YUhWdWRHVnlNaUU9", "***9" },
        { "z\u00fcrich!", "evxyaWNoIQ==", "***==" },
    };
    check(examples, COUNT(examples));
    /* The rest does not reveal it. */
    struct secrets *secrets = secrets_create();
    secrets_add(secrets, "hunter2!", NULL);
    CLEANUP_FREE char *shown = shown_of(secrets, "YWJjOmh1bnRlcjIhOng=");
    assert_null(strstr(shown, "h1bn"));
    /* Base64 of "xhunter2!y" and similar, encoded twice, after other bytes. */
    static const char *const twice[] = { "ZUdoMWJuUmxjakloZVE9PQ==", "YTplR2gxYm5SbGNqSWhlUT09",
                                         "YWI6ZUdoMWJuUmxjakloZVE9PQ==" };
    for (size_t i = 0; i < COUNT(twice); i++) {
        CLEANUP_FREE char *inner = shown_of(secrets, twice[i]);
        assert_non_null(strstr(inner, "***"));
    }
    secrets_destroy(secrets);
}

static void test_numbers_in_groups(void **state)
{
    (void)state;
    static const struct example examples[] = {
        { "4111111111111234", "pay 4111 1111 1111 1234 now", "pay *** now" },
        { "4111 1111 1111 1234", "{\"n\":\"4111111111111234\"}", "{\"n\":\"***\"}" },
        { "4111-1111-1111-1234", "n=4111+1111+1111+1234&", "n=***&" },
        { "4111 1111 1111 1234", "4111%201111%201111%201234", "***" },
        { "123456", "code 123 456", "code ***" },
        { "1234", "12 34", "12 34" },
    };
    check(examples, COUNT(examples));
}

static void test_several(void **state)
{
    (void)state;
    struct secrets *secrets = secrets_create();
    secrets_add(secrets, "horse", NULL);
    secrets_add(secrets, "correct horse battery", "*** (21 characters)");
    secrets_add(secrets, "horse", "another");
    CLEANUP_FREE char *shown = shown_of(secrets, "horse, correct horse battery, horsehorse");
    assert_string_equal(shown, "***, *** (21 characters), ******");
    CLEANUP_FREE char *unchanged = secrets_mask(secrets, "house");
    assert_null(unchanged);
    char *none = NULL;
    secrets_mask_owned(secrets, &none);
    assert_null(none);
    assert_null(secrets_mask(NULL, "horse"));
    secrets_destroy(secrets);
    secrets_destroy(NULL);
}

/* The boxes of a one-time code. */
static void test_typed_one_by_one(void **state)
{
    (void)state;
    struct secrets *secrets = secrets_create();
    static const char *const digits[] = { "8", "3", "5", "1", "0", "7" };
    for (size_t i = 0; i < COUNT(digits); i++) {
        secrets_add_typed(secrets, digits[i]);
    }
    CLEANUP_FREE char *shown = shown_of(secrets, "code=835107&line=8:3:5, 8351");
    assert_string_equal(shown, "code=***&line=8:3:5, 8351");
    secrets_add_typed(secrets, "whole word");
    secrets_add_typed(secrets, "9");
    secrets_add_typed(secrets, "2");
    CLEANUP_FREE char *later = shown_of(secrets, "835107 whole word 9 2 92");
    assert_string_equal(later, "*** *** 9 2 92");
    secrets_destroy(secrets);
}

/* Pages may log each key. */
static void test_fronts(void **state)
{
    (void)state;
    struct secrets *secrets = secrets_create();
    static const char text[] = "{\"a\":\"key\"} q=keyb%6Fard&, keyboar monkey key-board keynote";
    secrets_add_typed(secrets, "keyboard cat");
    for (int i = 0; i < 2; i++) {
        CLEANUP_FREE char *shown = shown_of(secrets, text);
        assert_string_equal(shown, "{\"a\":\"***\"} q=***&, *** monkey ***-board keynote");
        secrets_age(secrets);
    }
    CLEANUP_FREE char *shown = shown_of(secrets, text);
    assert_string_equal(shown, text);
    secrets_destroy(secrets);
}

/* Pages may log anything. */
static void test_hostile_texts(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "%",   "%25", "\\",  "\\u", "\\ud83d", "&amp;", "&",    "+ ", "- 1",     "%5C",
        "aaa", "…",   "%00", "=",   "\\\\",    "%2",    "\xff", "_-", "\\u0000",
    };
    struct secrets *secrets = secrets_create();
    secrets_add(secrets, "aaaaaaaaaaaaaaaaaaaaab", NULL);
    secrets_add(secrets, "4111111111111111", NULL);
    secrets_add(secrets, "a\\\"%+&", NULL);
    for (size_t i = 0; i < COUNT(pieces); i++) {
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        while (text.length < 60000) {
            strbuf_add_string(&text, pieces[i]);
        }
        strbuf_add_string(&text, " 4111%201111 11%3111111");
        struct deadline deadline =
            deadline_in_ms(slow_ms(20000)); /* quadratic time would take minutes */
        CLEANUP_FREE char *shown = shown_of(secrets, text.data);
        assert_false(deadline_passed(deadline));
        assert_string_equal(shown + strlen(shown) - 3, "***");
    }
    secrets_destroy(secrets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_texts),   cmocka_unit_test(test_encoded_texts),
        cmocka_unit_test(test_base64),        cmocka_unit_test(test_numbers_in_groups),
        cmocka_unit_test(test_several),       cmocka_unit_test(test_typed_one_by_one),
        cmocka_unit_test(test_hostile_texts), cmocka_unit_test(test_fronts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
