#include "runner/privacy/mask.h"

#include "runner/base/clock.h"
#include "tests/slowness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void test_names(void **state)
{
    (void)state;
    static const char *const secret[] = {
        "password",   "Password",  "user[password]", "new_password", "X-Api-Key",   "accessToken",
        "csrf-token", "cvc",       "card[cvv]",      "cardNumber",   "card_number", "otp",
        "pin",        "sessionid", "oneTimeCode",
    };
    static const char *const plain[] = {
        "passwordless", "email", "monkey", "keyboard", "opinion", "number", "token_type", "",
    };
    for (size_t i = 0; i < COUNT(secret); i++) {
        assert_true(mask_is_secret_name(secret[i]));
    }
    for (size_t i = 0; i < COUNT(plain); i++) {
        assert_false(mask_is_secret_name(plain[i]));
    }
}

static void test_urls(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
        bool is_url;
    } cases[] = {
        { "http://h/?token=a b&x=1", "http://h/?token=***&x=1", true },
        { "http://h/?x=1&tok%65n=a#top", "http://h/?x=1&tok%65n=***#top", true },
        { "http://h/?user%5Bpassword%5D=a", "http://h/?user%5Bpassword%5D=***", true },
        { "http://h/;token=a?token=b#token=c", "http://h/;token=***#token=***", true },
        { "http://h/#/route?token=a&x=1", "http://h/#/route?token=***&x=1", true },
        { "http://h/?token=&x=token", "http://h/?token=***&x=token", true },
        { "http://h/?token", "http://h/?token", true },
        { "http://me:a@h/b@c", "http://me:***@h/b@c", true },
        { "http:/me:a:b@h", "http:/me:***@h", true },
        { "http:\\\\me:a@h", "http:\\\\me:***@h", true },
        { "http://me@h/?q=a:b@c", "http://me@h/?q=a:b@c", true },
        { "see http://h/?token=a, or <wss://me:b@h?pin=1> token=c",
          "see http://h/?token=*** or <wss://me:***@h?pin=***> token=c", false },
        { "token=a ?token=b me:c@h", "token=a ?token=b me:c@h", false },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
        mask_urls(&shown, cases[i].text, cases[i].is_url);
        assert_string_equal(shown.data, cases[i].shown);
    }
}

static void test_posted(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
    } cases[] = {
        { "", "" },
        { "x=1", "x=1" },
        { "user=me&password=a%40b+c&go=1", "user=me&password=***&go=1" },
        { "password=", "password=" },
        { "user%5Bpassword%5D=abc", "user%5Bpassword%5D=***" },
        { "password=abc", "password=***" },
        { "&&password=abc&&", "&&password=***&&" },
        { "name=x\r\npassword=abc\r\n", "name=x\r\npassword=***\r\n" },
        { "plain text, no fields", "plain text, no fields" },
        /* JSON. */
        { "{\"user\":\"me\",\"password\":\"a\\\"b\"}", "{\"user\":\"me\",\"password\":\"***\"}" },
        { " {\"pin\" : 1234, \"a\":{\"token\":[1,\"]\"],\"b\":true}}",
          " {\"pin\" : \"***\", \"a\":{\"token\":\"***\",\"b\":true}}" },
        { "[{\"otp\":null},{\"x\":\"password\"}]", "[{\"otp\":\"***\"},{\"x\":\"password\"}]" },
        { "{\"password\":\"cut o", "{\"password\":\"***\"" },
        { "{\"password\":", "{\"password\":\"***\"" },
        { "{\"passw", "{\"passw" },
        { "{\"a\":\"\\", "{\"a\":\"\\" },
        { "{\"amount\":1.10,  \"x\" :\n1e3}", "{\"amount\":1.10,  \"x\" :\n1e3}" },
        /* Multipart. */
        { "--b\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nme\r\n"
          "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\na\r\nb\r\n--b--\r\n",
          "--b\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nme\r\n"
          "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n***\r\n--b--\r\n" },
        { "--b\r\nContent-Disposition: form-data; name=\"otp\"; filename=\"x\"\r\n\r\ncut o",
          "--b\r\nContent-Disposition: form-data; name=\"otp\"; filename=\"x\"\r\n\r\n***" },
        { "--b\r\ncontent-disposition: form-data; na",
          "--b\r\ncontent-disposition: form-data; na" },
        { "--password=abc", "--password=***" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
        mask_posted(&shown, cases[i].text);
        assert_string_equal(shown.data, cases[i].shown);
    }
}

/* Linear time is short; quadratic time takes minutes. */
static void test_long_posts(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "a=b&",          "password=",      "{",    "[",       "\"",
        "\"password\":", "\"password\":[", "\\\"", "\r\n--b", "; name=\"pin\"\r\n\r\n",
    };
    static const char *const fronts[] = { "", "{", "--b\r\nContent-Disposition: x\r\n\r\n" };
    for (size_t i = 0; i < COUNT(pieces) * COUNT(fronts); i++) {
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
        strbuf_add_string(&text, fronts[i % COUNT(fronts)]);
        while (text.length < 1000000) {
            strbuf_add_string(&text, pieces[i / COUNT(fronts)]);
        }
        struct deadline deadline = deadline_in_ms(slow_ms(10000));
        mask_posted(&shown, text.data);
        assert_false(deadline_passed(deadline));
    }
}

#define JWT                                                                                        \
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"

static void test_credentials(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
    } cases[] = {
        { "", "" },
        { "token " JWT ".", "token ***." },
        { "\"" JWT "\"\nnext", "\"***\"\nnext" },
        { "key=ghp_A1b2C3d4E5f6G7h8I9j0K1 (new)", "key=*** (new)" },
        { "sk-proj-Abcdefgh1234567890ABCDEF, AKIAIOSFODNN7EXAMPLE", "***, ***" },
        { "Your verification code is 482913.", "Your verification code is ***." },
        { "Your one-time password: 482-913", "Your one-time password: ***" },
        { "123 456 is your code", "*** is your code" },
        { "OTP 4829 sent at 12:30", "OTP *** sent at 12:30" },
        { "heading 1 \"Your login code\" e4\n\n  text \"48291375\" e1234\nrow \"9911\"",
          "heading 1 \"Your login code\" e4\n\n  text \"***\" e1234\nrow \"9911\"" },
        { "Passcode\n482913\n", "Passcode\n***\n" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
        mask_credentials(&shown, cases[i].text);
        assert_string_equal(shown.data ? shown.data : "", cases[i].shown);
    }
}

static void test_no_credentials(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "HTTP code 2000, order 482913, zip code 90210",
        "class sk-loading-spinner-with-many-columns eyJ ghp_short",
        "sk-Aspinner", /* too short */
        "desk-Abcdefgh1234567890ABCDEFGH12",
        "textbox \"Verification code\" e1234 at 1200,340",
        "the code of laptops: 482913",
        "Your code has 3 digits, 123456789 rows and costs 1234.50",
        "Passcode\nPay 4829 now\n482913 was the order",
        "Passcode\n\n\n482913",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
        mask_credentials(&shown, texts[i]);
        assert_string_equal(shown.data, texts[i]);
    }
}

/* Linear time is short; quadratic time takes minutes. */
static void test_long_credentials(void **state)
{
    (void)state;
    static const char *const pieces[] = { "eyJ", "otp ", "otp\n", "1", "12345 ", "A1-", "sk-" };
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
        CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
        strbuf_add_string(&text, i == 3 ? "otp " : "");
        while (text.length < 1000000) {
            strbuf_add_string(&text, pieces[i]);
        }
        struct deadline deadline = deadline_in_ms(slow_ms(10000));
        mask_credentials(&shown, text.data);
        assert_false(deadline_passed(deadline));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_urls),
        cmocka_unit_test(test_posted),
        cmocka_unit_test(test_long_posts),
        cmocka_unit_test(test_credentials),
        cmocka_unit_test(test_no_credentials),
        cmocka_unit_test(test_long_credentials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
