#include "runner/formats/xml.h"

#include "runner/base/error.h"
#include "runner/base/strbuf.h"
#include "runner/formats/xml_batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/*
 * The result of reading: one line per action, such as `click@1:5 {"selector":"#go"}`, and the
 * error.
 */
struct reading {
    struct strbuf actions;
    size_t count;
    bool is_ok;
    struct br_error error;
};

static bool on_action(void *data, struct br_action *action, struct br_error *err)
{
    struct reading *reading = data;
    (void)err;
    char *params = json_dumps(action->params, JSON_COMPACT);
    strbuf_add_format(&reading->actions, "%s@%u:%u %s\n", action->type, action->position.line,
                      action->position.column, params);
    free(params);
    br_action_destroy(action);
    reading->count++;
    return true;
}

/* Reads a text in pieces of `piece` bytes, the first one of `first`. */
static struct reading read_pieces(const char *text, size_t length, size_t first, size_t piece)
{
    struct reading reading = { .actions = STRBUF_INIT(STRBUF_UNCAPPED), .is_ok = true };
    struct xml_reader *reader = xml_reader_create(NULL, on_action, &reading);
    for (size_t done = 0; done < length && reading.is_ok;) {
        size_t size = done == 0 ? first : piece;
        size = size < length - done ? size : length - done;
        reading.is_ok = xml_reader_feed(reader, text + done, size, &reading.error);
        done += size;
    }
    reading.is_ok = reading.is_ok && xml_reader_end(reader, &reading.error);
    xml_reader_destroy(reader);
    return reading;
}

static struct reading read_text(const char *text, size_t length)
{
    return read_pieces(text, length, length, length);
}

static void assert_actions(const char *text, const char *expected)
{
    size_t length = strlen(text);
    for (size_t first = 1; first <= length; first++) {
        struct reading reading = read_pieces(text, length, first, length);
        if (!reading.is_ok) {
            fail_msg("split at %zu: %s\n%s", first, reading.error.message, text);
        }
        assert_string_equal(reading.actions.data, expected);
        strbuf_finish(&reading.actions);
    }
    struct reading reading = read_pieces(text, length, 1, 1);
    assert_true(reading.is_ok);
    assert_string_equal(reading.actions.data, expected);
    strbuf_finish(&reading.actions);
}

static void test_forms(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        { "<batch>\n"
          "  <browser_action><type>start</type><url>http://localhost:3000/</url></browser_action>\n"
          "  <browser_action><type>click</type><xRange>{\"min\":100,\"max\":120}</xRange>"
          "</browser_action>\n"
          "</batch>\n",
          "start@2:3 {\"url\":\"http://localhost:3000/\"}\n"
          "click@3:3 {\"xRange\":{\"min\":100,\"max\":120}}\n" },
        { "<browser_action><type>back</type></browser_action>"
          "<browser_action><type>stop</type></browser_action>",
          "back@1:1 {}\nstop@1:51 {}\n" },
        { "<type>navigate</type><url>about:blank</url>",
          "navigate@1:1 {\"url\":\"about:blank\"}\n" },
        { "<type>navigate</type>\n<url>about:blank</url>\n<type>stop</type>",
          "navigate@1:1 {\"url\":\"about:blank\"}\nstop@3:1 {}\n" },
        { "<type>back</type><browser_action><type>stop</type></browser_action><type>tab</type>",
          "back@1:1 {}\nstop@1:18 {}\ntab@1:68 {}\n" },
        { "<batch><type>back</type></batch><type>tab</type><batch/><type>stop</type><batch></"
          "batch>",
          "back@1:8 {}\ntab@1:33 {}\nstop@1:57 {}\n" },
        { "<browser_action><url>x</url><type>navigate</type></browser_action>",
          "navigate@1:1 {\"url\":\"x\"}\n" },
        { "<browser_action action=\"click\" selector=\"#go\" />",
          "click@1:1 {\"selector\":\"#go\"}\n" },
        { "<browser_action type='click' nth='2' visualVerify=' true '/>",
          "click@1:1 {\"nth\":2,\"visualVerify\":true}\n" },
        { "<browser_action type='click'><selector>#go</selector></browser_action>",
          "click@1:1 {\"selector\":\"#go\"}\n" },
        { "<browser_action selector='#go'><action>click</action></browser_action>",
          "click@1:1 {\"selector\":\"#go\"}\n" },
        { "<browser_action type='type' text='a&#10;b&quot;&lt;'/>",
          "type@1:1 {\"text\":\"a\\nb\\\"<\"}\n" },
        { "<type>click</type><xRange> <min>1</min> <max>2.5</max> </xRange>",
          "click@1:1 {\"xRange\":{\"min\":1,\"max\":2.5}}\n" },
        { "<type>drag</type><to><a><b><c><d>deep</d></c></b></a></to>",
          "drag@1:1 {\"to\":{\"a\":{\"b\":{\"c\":{\"d\":\"deep\"}}}}}\n" },
        { "\xEF\xBB\xBF<type>stop</type>", "stop@1:1 {}\n" },
        { "\xEF\xBB\xBF \n<?xml version=\"1.0\" encoding=\"utf-8\"?><type>stop</type>",
          "stop@2:39 {}\n" },
        { "<?xml version='1.0'?><!-- one --><?php echo ?>\n<type>st<!-- two -->op</type><!-- - -->",
          "stop@2:1 {}\n" },
        { "<?xml version='1.0' encoding = 'US-ASCII' standalone='yes'?><type>stop</type>",
          "stop@1:61 {}\n" },
        { "<type> stop\n</type>\n", "stop@1:1 {}\n" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_actions(cases[i].text, cases[i].expected);
    }
}

/* One parameter `v`: its value as JSON, and its original text. */
static void test_typing(void **state)
{
    (void)state;
    static const struct {
        const char *inside, *json, *text;
    } cases[] = {
        { "true", "true", "true" },
        { "false", "false", "false" },
        { "TRUE", "\"TRUE\"", "TRUE" },
        { "null", "\"null\"", "null" },
        { "42", "42", "42" },
        { " -1.50\n", "-1.5", "-1.50" },
        { "1e3", "1000.0", "1e3" },
        { "042", "\"042\"", "042" },
        { "+1", "\"+1\"", "+1" },
        { ".5", "\".5\"", ".5" },
        { "0x10", "\"0x10\"", "0x10" },
        { "1 2", "\"1 2\"", "1 2" },
        { "-", "\"-\"", "-" },
        { "1e999", "\"1e999\"", "1e999" },
        { "Infinity", "\"Infinity\"", "Infinity" },
        { "[\"a\", 1]", "[\"a\",1]", "[\"a\", 1]" },
        { "{\"a\":\n1}", "{\"a\":1}", "{\"a\":\n1}" },
        { "{a:1}", "\"{a:1}\"", "{a:1}" },
        { "[class~=x]", "\"[class~=x]\"", "[class~=x]" },
        { "\"a\"", "\"\\\"a\\\"\"", "\"a\"" },
        { "", "\"\"", "" },
        { " \n\t", "\"\"", "" },
        { "  two  words ", "\"two  words\"", "two  words" },
        { "&lt;b&gt;&amp;&quot;&apos;&#x41;", "\"<b>&\\\"'A\"", "<b>&\"'A" },
        { "\xC2\xA0x", "\"\xC2\xA0x\"", "\xC2\xA0x" },
        { "<![CDATA[42]]>", "\"42\"", "42" },
        { "<![CDATA[{\"a\":1}]]>", "\"{\\\"a\\\":1}\"", "{\"a\":1}" },
        { "\n <![CDATA[ a < b && c ]]> \n", "\" a < b && c \"", " a < b && c " },
        { " x <![CDATA[ y ]]> z ", "\"x  y  z\"", "x  y  z" },
        { " <![CDATA[]]> ", "\"\"", "" },
        { " <![CDATA[ a]]> - <![CDATA[b ]]> ", "\" a - b \"", " a - b " },
        { "a\r\nb", "\"a\\nb\"", "a\nb" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *text =
            xasprintf("<type>t</type><v>%s</v><w><v>%s</v></w>", cases[i].inside, cases[i].inside);
        char *expected =
            xasprintf("t@1:1 {\"v\":%s,\"w\":{\"v\":%s}}\n", cases[i].json, cases[i].json);
        assert_actions(text, expected);
        free(expected);
        free(text);
    }
}

static bool keep_action(void *data, struct br_action *action, struct br_error *err)
{
    struct br_action **kept = data;
    (void)err;
    br_action_destroy(*kept);
    *kept = action;
    return true;
}

static void test_sources(void **state)
{
    (void)state;
    CLEANUP_ACTION struct br_action *action = NULL;
    struct br_error err;
    struct xml_reader *reader = xml_reader_create(NULL, keep_action, &action);
    const char input[] =
        "\r\n<browser_action nth=' 1.50 '>\r\n  <!-- \xE2\x82\xAC\xF0\x9F\x98\x80 -->"
        "<type>drag</type>\r\n\t<to> <text>1.0</text><x><![CDATA[ 7 ]]></x></to>"
        "</browser_action>";
    assert_true(xml_reader_feed(reader, input, strlen(input), &err));
    assert_true(xml_reader_end(reader, &err));
    xml_reader_destroy(reader);
    static const struct {
        const char *path, *text;
        unsigned line, column;
    } cases[] = {
        { "type", "drag", 3, 14 },  { "nth", "1.50", 2, 1 },  { "to", NULL, 4, 2 },
        { "to.text", "1.0", 4, 7 }, { "to.x", " 7 ", 4, 23 }, { "to.y", NULL, 2, 1 },
        { "unknown", NULL, 2, 1 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct source_position position = action_param_position(action, cases[i].path);
        const char *source = action_param_text(action, cases[i].path);
        if (cases[i].text) {
            assert_non_null(source);
            assert_string_equal(source, cases[i].text);
        } else {
            assert_null(source);
        }
        assert_int_equal(position.line, cases[i].line);
        assert_int_equal(position.column, cases[i].column);
    }
}

struct bad {
    const char *text, *message;
    const char *hint; /* a part of it; or NULL */
};

static const struct bad bad_inputs[] = {
    { "", "no instruction found", NULL },
    { " \n\t", "no instruction found", NULL },
    { "\xEF\xBB\xBF", "no instruction found", NULL },
    { "<batch></batch>", "no instruction found", NULL },
    { "<?xml version='1.0'?><!-- nothing -->", "no instruction found", NULL },
    /* Text outside of instructions. */
    { "hello", "line 1, column 1: text outside of an instruction", NULL },
    { "<batch>\n  so </batch>", "line 2, column 3: text outside of an instruction", NULL },
    { "<type>back</type> &lt;", "line 1, column 19: text outside of an instruction", NULL },
    { "<![CDATA[]]>", "line 1, column 1: CDATA outside of a value", NULL },
    { "<browser_action><type>a</type>x</browser_action>",
      "line 1, column 31: text beside the elements inside of <browser_action>", NULL },
    { "<url>x</url>",
      "line 1, column 1: <url> stands outside of an instruction, where only <batch>, "
      "<browser_action> and <type> are known",
      NULL },
    { "<batch>\n<browser_acton><type>a</type></browser_acton></batch>",
      "line 2, column 1: <browser_acton> stands outside of an instruction, where only <batch>, "
      "<browser_action> and <type> are known",
      "did you mean <browser_action>?" },
    { "<bacth/>",
      "line 1, column 1: <bacth> stands outside of an instruction, where only <batch>, "
      "<browser_action> and <type> are known",
      "did you mean <batch>?" },
    { "<batch><batch>", "line 1, column 8: a <batch> inside of a <batch>", NULL },
    { "<batch a='1'/>", "line 1, column 1: <batch> has no attributes", NULL },
    { "<browser_action>\n <browser_action>",
      "line 2, column 2: <browser_action> inside of <browser_action>, which is open since line 1, "
      "column 1",
      NULL },
    { "<type>a</type><url><batch>",
      "line 1, column 20: <batch> inside of <url>, which is open since line 1, column 15", NULL },
    /* Types and parameters. */
    { "<type>a</type>\n<browser_action><url>x</url></browser_action>",
      "line 2, column 1: an instruction without a type", NULL },
    { "<browser_action/>", "line 1, column 1: an instruction without a type", NULL },
    { "<type> </type>", "line 1, column 1: the type is empty", NULL },
    { "<type>go there</type>",
      "line 1, column 1: type \"go there\" is no name: letters, digits, _ and -", NULL },
    { "<type><a>1</a></type>", "line 1, column 1: the type has elements inside of it", NULL },
    { "<type lang='en'>a</type>",
      "line 1, column 1: <type> has an attribute: only <browser_action> may", NULL },
    { "<browser_action type='a' action='b'/>",
      "line 1, column 1: \"type\" is given twice, first at line 1, column 1", NULL },
    { "<browser_action action='a'>\n<type>a</type></browser_action>",
      "line 2, column 1: \"type\" is given twice, first at line 1, column 1", NULL },
    { "<type>a</type><url>1</url>\n<url>1</url>",
      "line 2, column 1: \"url\" is given twice, first at line 1, column 15", NULL },
    { "<browser_action type='a' url='1'><url>1</url></browser_action>",
      "line 1, column 34: \"url\" is given twice, first at line 1, column 1", NULL },
    { "<browser_action type='a' type='b'/>", "line 1, column 26: \"type\" is given twice", NULL },
    { "<type>a</type><to><x>1</x><y>1</y><x>1</x></to>",
      "line 1, column 35: \"to.x\" is given twice, first at line 1, column 19", NULL },
    { "<type>a</type><to>text<x>1</x></to>", "line 1, column 23: <x> behind text inside of <to>",
      NULL },
    { "<type>a</type><to><![CDATA[]]><x>1</x></to>",
      "line 1, column 31: <x> behind text inside of <to>", NULL },
    { "<type>a</type><to><x>1</x>  text</to>",
      "line 1, column 29: text beside the elements inside of <to>", NULL },
    { "<type>a</type><a.b>1</a.b>",
      "line 1, column 15: element \"a.b\" is no name: letters, digits, _ and -", NULL },
    { "<type>a</type><\xC3\xA9>1</\xC3\xA9>",
      "line 1, column 15: element \"\xC3\xA9\" is no name: letters, digits, _ and -", NULL },
    { "<browser_action xml:lang='1'/>",
      "line 1, column 1: attribute \"xml:lang\" is no name: letters, digits, _ and -", NULL },
    /* XML that is not well-formed. */
    { "<batch>\n <type>a</type>\n <url>x</ur>",
      "line 3, column 8: mismatched tag: </ur> where <url>, opened at line 3, column 2, has to be "
      "closed",
      NULL },
    { "<type>a</type></type>", "line 1, column 15: </type> closes nothing", NULL },
    { "<type>a</type></_>", "line 1, column 15: </_> closes nothing", NULL },
    { "<type>a</type>\n<batch>\n",
      "line 3, column 1: the input ends inside of <batch>, opened at line 2, column 1", NULL },
    { "<type>a</type><url>http",
      "line 1, column 24: the input ends inside of <url>, opened at line 1, column 15", NULL },
    { "<type>a</type>\n<browser_action ty",
      "line 2, column 1: the input ends inside what begins here: \"<browser_action ty\"", NULL },
    { "<type>a</type><!-- never",
      "line 1, column 15: the input ends inside what begins here: "
      "\"<!-- never\"",
      NULL },
    { "<?xml version='1.0'",
      "line 1, column 1: the input ends inside what begins here: "
      "\"<?xm- version='1.0'\"",
      NULL },
    { "<browser_action type=click/>", "line 1, column 22: not well-formed near \"click/>\"", NULL },
    { "<type>a</type><url>http://x/?a=1&b=2</url>", "line 1, column 33: a & that begins no entity",
      "&amp;" },
    { "<type>a</type><url>\xC3\xA9?a & b</url>", "line 1, column 24: a & that begins no entity",
      "&amp;" },
    { "<type>a</type><url>a&\xC3\xA9\xC3\xA9 b</url>",
      "line 1, column 21: a & that begins no entity", "&amp;" },
    { "<browser_action type='a' url='x&y=z'/>", "line 1, column 32: a & that begins no entity",
      "&amp;" },
    { "<type>a</type><expression>1 < 2</expression>",
      "line 1, column 29: a < that begins no element", "&lt;" },
    { "<type>a</type><text>&nbsp;</text>", "line 1, column 21: unknown entity &nbsp;", "&lt;" },
    { "<type>a</type><text>\n&#0;</text>",
      "line 2, column 1: reference to invalid character number", NULL },
    { "<type>a</type>\n<?xml version='1.0'?>",
      "line 2, column 1: <?xml ...?> stands only at the beginning of the input", NULL },
    { "<?xml version='1.0' encoding='ISO-8859-1'?><type>a</type>",
      "line 1, column 1: encoding \"ISO-8859-1\" is not read: only UTF-8 is", NULL },
    { "<!DOCTYPE batch><type>a</type>", "line 1, column 1: a DOCTYPE is refused", NULL },
    { "<?xml version='1.0'?>\n<!DOCTYPE b [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>"
      "<type>&b;</type>",
      "line 2, column 1: a DOCTYPE is refused", NULL },
    { "<type>a</type><!ELEMENT a ANY>",
      "line 1, column 15: a <! that begins neither a comment nor CDATA", NULL },
    /* Bytes that are not text. */
    { "<type>caf\xE9</type>", "line 1, column 10: byte 0xE9 is not allowed in XML", "UTF-8" },
    { "<type>\xED\xA0\x80</type>", "line 1, column 7: byte 0xED is not allowed in XML", "UTF-8" },
    { "<type>\x01</type>", "line 1, column 7: byte 0x01 is not allowed in XML", "UTF-8" },
    { "\xFF\xFE<\0t\0", "line 1, column 1: byte 0xFF is not allowed in XML", "UTF-8" },
    { "\xEF\xBB<", "line 1, column 1: byte 0xEF is not allowed in XML", "UTF-8" },
    { "\x89PNG\r\n\x1A\n", "line 1, column 1: byte 0x89 is not allowed in XML", "UTF-8" },
    /* Lines and columns. */
    { "  x", "line 1, column 3: text outside of an instruction", NULL },
    { "\xEF\xBB\xBF  x", "line 1, column 3: text outside of an instruction", NULL },
    { "\r\n\r\n x", "line 3, column 2: text outside of an instruction", NULL },
    { "\n\r\rx", "line 4, column 1: text outside of an instruction", NULL },
    { "<?xml version='1.0'?> x", "line 1, column 23: text outside of an instruction", NULL },
    { "<!-- \xE2\x82\xAC\xF0\x9F\x98\x80 -->x", "line 1, column 12: text outside of an instruction",
      NULL },
    { "<!--\r\n-->\r\n<type>\xC3\xA9</url>",
      "line 3, column 8: mismatched tag: </url> where <type>, opened at line 3, column 1, has to "
      "be "
      "closed",
      NULL },
};

static void test_bad_input(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(bad_inputs) / sizeof(bad_inputs[0]); i++) {
        const struct bad *bad = &bad_inputs[i];
        struct reading reading = read_text(bad->text, strlen(bad->text));
        assert_false(reading.is_ok);
        assert_string_equal(reading.error.message, bad->message);
        assert_int_equal(reading.error.code, BR_INVALID_ACTION);
        if (bad->hint && !strstr(reading.error.hint, bad->hint)) {
            fail_msg("%s\n%s", reading.error.message, reading.error.hint);
        }
        strbuf_finish(&reading.actions);
    }
}

/* However the input is split, the actions and the place of the error are the same. */
static void test_bad_input_in_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(bad_inputs) / sizeof(bad_inputs[0]); i++) {
        const char *text = bad_inputs[i].text;
        size_t length = strlen(text);
        struct reading whole = read_text(text, length);
        size_t place = strcspn(whole.error.message, ":");
        for (size_t first = 1; first < length; first++) {
            struct reading pieces = read_pieces(text, length, first, 1);
            assert_false(pieces.is_ok);
            assert_int_equal(pieces.error.code, whole.error.code);
            assert_memory_equal(pieces.error.message, whole.error.message, place);
            assert_string_equal(pieces.actions.data, whole.actions.data);
            strbuf_finish(&pieces.actions);
        }
        strbuf_finish(&whole.actions);
    }
}

static void test_nul_bytes(void **state)
{
    (void)state;
    struct reading reading = read_text("<type>a\0b</type>", 16);
    assert_false(reading.is_ok);
    assert_string_equal(reading.error.message, "line 1, column 8: byte 0x00 is not allowed in XML");
    strbuf_finish(&reading.actions);
}

static char *repeated(const char *before, const char *text, size_t count, const char *behind)
{
    struct strbuf buf = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&buf, before);
    for (size_t i = 0; i < count; i++) {
        strbuf_add_string(&buf, text);
    }
    strbuf_add_string(&buf, behind);
    return strbuf_take(&buf);
}

static void assert_limit(char *at_limit, char *beyond, const char *message)
{
    struct reading reading = read_text(at_limit, strlen(at_limit));
    if (!reading.is_ok) {
        fail_msg("%s", reading.error.message);
    }
    strbuf_finish(&reading.actions);
    reading = read_text(beyond, strlen(beyond));
    assert_false(reading.is_ok);
    assert_non_null(strstr(reading.error.message, message));
    assert_int_equal(reading.error.code, BR_LIMIT_EXCEEDED);
    strbuf_finish(&reading.actions);
    free(at_limit);
    free(beyond);
}

static void test_limits(void **state)
{
    (void)state;
    assert_limit(repeated("<type>a</type><v>", "x", XML_MAX_VALUE_BYTES, "</v>"),
                 repeated("<type>a</type><v>", "x", XML_MAX_VALUE_BYTES + 1, "</v>"),
                 "line 1, column 15: the value of <v> is over 1048576 bytes long");
    assert_limit(repeated("<browser_action type='a' v='", "x", XML_MAX_VALUE_BYTES, "'/>"),
                 repeated("<browser_action type='a' v='", "x", XML_MAX_VALUE_BYTES + 1, "'/>"),
                 "line 1, column 1: the value of \"v\" is over 1048576 bytes long");
    assert_limit(repeated("<batch>\n", "<type>a</type>", INSTRUCTION_MAX_COUNT, "</batch>"),
                 repeated("<batch>\n", "<type>a</type>", INSTRUCTION_MAX_COUNT + 1, "</batch>"),
                 "line 2, column 140001: more than 10000 instructions in a batch");
    assert_limit(xstrdup("<batch><browser_action><type>a</type>"
                         "<v><v><v><v><v><v>1</v></v></v></v></v></v></browser_action></batch>"),
                 xstrdup("<batch><browser_action><type>a</type>"
                         "<v><v><v><v><v><v><v>1</v></v></v></v></v></v></v></browser_action>"),
                 "line 1, column 56: elements lie over 8 deep inside each other");
    assert_limit(
        repeated("<type>a</type><", "n", XML_MAX_NAME, "/>"),
        repeated("<type>a</type><", "n", XML_MAX_NAME + 1, "/>"),
        "line 1, column 15: element \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...\" is over "
        "64 characters long");
    assert_limit(
        repeated("<type>", "n", XML_MAX_NAME, "</type>"),
        repeated("<type>", "n", XML_MAX_NAME + 1, "</type>"),
        "line 1, column 1: type \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...\" is over 64 "
        "characters long");
    assert_limit(repeated("<type>a</type>\n<!--", " ", XML_MAX_TAG_BYTES - 7, "-->"),
                 repeated("<type>a</type>\n<!--", " ", XML_MAX_TAG_BYTES + 64 * 1024, "-->"),
                 "line 2, column 1: a tag or comment is over 2 MiB long");
    assert_limit(repeated("<type>a</type>", " ", INSTRUCTION_MAX_BYTES - 14, ""),
                 repeated("<type>a</type>\n", " ", 11 * 1024 * 1024, ""),
                 "the batch is over 10 MiB long");
}

static void test_limit_of_parameters(void **state)
{
    (void)state;
    struct strbuf buf = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&buf, "<type>a</type>\n");
    for (int i = 0; i < INSTRUCTION_MAX_PARAMETERS - 1; i++) {
        strbuf_add_format(&buf, "<v%d/>", i);
    }
    struct reading reading = read_text(buf.data, buf.length);
    assert_true(reading.is_ok);
    strbuf_finish(&reading.actions);
    strbuf_add_string(&buf, "\n<last/>");
    reading = read_text(buf.data, buf.length);
    assert_false(reading.is_ok);
    assert_int_equal(reading.error.code, BR_LIMIT_EXCEEDED);
    assert_string_equal(reading.error.message,
                        "line 3, column 1: more than 64 parameters in an instruction");
    strbuf_finish(&reading.actions);
    strbuf_finish(&buf);
}

static void test_deep_nesting_without_end(void **state)
{
    (void)state;
    char *text = repeated("<type>a</type>", "<a>", 1000000, "");
    struct reading reading = read_text(text, strlen(text));
    assert_false(reading.is_ok);
    assert_int_equal(reading.error.code, BR_LIMIT_EXCEEDED);
    strbuf_finish(&reading.actions);
    free(text);
}

/* Each instruction is delivered before more input is fed. */
static void test_conversation(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t delivered;
    } steps[] = {
        { "<?xml version='1.0'?><batch>", 0 },
        { "<browser_action><type>start</type><url>about:blank</url></browser_action", 0 },
        { ">", 1 },
        { "\n<browser_action action='click' selector='#a'/", 1 },
        { ">", 2 },
        { "<type>back</type>", 2 },
        { "<timeout>5</timeout>", 2 },
        { "<type", 2 },
        { ">", 3 },
        { "reload</type>", 3 },
        { "</batch>", 4 },
    };
    struct reading reading = { .actions = STRBUF_INIT(STRBUF_UNCAPPED) };
    struct br_error err;
    struct xml_reader *reader = xml_reader_create(NULL, on_action, &reading);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        assert_true(xml_reader_feed(reader, steps[i].bytes, strlen(steps[i].bytes), &err));
        assert_int_equal(reading.count, steps[i].delivered);
    }
    assert_true(xml_reader_end(reader, &err));
    assert_int_equal(reading.count, 4);
    xml_reader_destroy(reader);
    strbuf_finish(&reading.actions);
}

/* A stream has no limit like a batch; a single instruction still has one. */
static void test_stream(void **state)
{
    (void)state;
    enum { SPACES = 1000, TIMES = INSTRUCTION_MAX_BYTES / SPACES + 1000 };
    static const char *const pieces[] = {
        "<browser_action action='back'/>",
        "<type>back</type><timeout>5</timeout>",
        "<browser_action><type>back</type></browser_action><!-- -->",
    };
    const struct instruction_options options = { .is_stream = true };
    char spaces[SPACES];
    memset(spaces, ' ', sizeof(spaces));
    for (size_t form = 0; form < sizeof(pieces) / sizeof(pieces[0]); form++) {
        struct reading reading = { .actions = STRBUF_INIT(STRBUF_UNCAPPED) };
        struct xml_reader *reader = xml_reader_create(&options, on_action, &reading);
        struct br_error err;
        for (int i = 0; i < TIMES; i++) {
            if (!xml_reader_feed(reader, pieces[form], strlen(pieces[form]), &err) ||
                !xml_reader_feed(reader, spaces, sizeof(spaces), &err)) {
                fail_msg("%s", err.message);
            }
        }
        assert_true(xml_reader_end(reader, &err));
        assert_int_equal(reading.count, TIMES);
        xml_reader_destroy(reader);
        strbuf_finish(&reading.actions);
    }
}

static void test_stream_with_endless_instruction(void **state)
{
    (void)state;
    enum { SPACES = 100 * 1000 };
    static const struct {
        const char *text;
        size_t limit;
        const char *message;
    } beginnings[] = {
        { "<type>back</type>", INSTRUCTION_MAX_BYTES, "an instruction is over 10 MiB long" },
        { "<browser_action><type>back</type>", INSTRUCTION_MAX_BYTES,
          "an instruction is over 10 MiB long" },
        { "<browser_action ", XML_MAX_TAG_BYTES,
          "line 1, column 1: a tag or comment is over 2 MiB long" },
        { "<batch></batch><!-- ", XML_MAX_TAG_BYTES,
          "line 1, column 16: a tag or comment is over 2 MiB long" },
    };
    const struct instruction_options options = { .is_stream = true };
    char *spaces = repeated("", " ", SPACES, "");
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
        struct reading reading = { .actions = STRBUF_INIT(STRBUF_UNCAPPED) };
        struct xml_reader *reader = xml_reader_create(&options, on_action, &reading);
        struct br_error err;
        size_t fed = 0;
        assert_true(xml_reader_feed(reader, beginnings[i].text, strlen(beginnings[i].text), &err));
        while (xml_reader_feed(reader, spaces, SPACES, &err)) {
            fed += SPACES;
            assert_true(fed <= beginnings[i].limit);
        }
        assert_true(fed > beginnings[i].limit - 2 * SPACES);
        assert_int_equal(err.code, BR_LIMIT_EXCEEDED);
        assert_non_null(strstr(err.message, beginnings[i].message));
        xml_reader_destroy(reader);
        strbuf_finish(&reading.actions);
    }
    free(spaces);
}

static bool refuse_second(void *data, struct br_action *action, struct br_error *err)
{
    size_t *count = data;
    br_action_destroy(action);
    return ++*count < 2 || error_set(err, BR_TIMEOUT, "enough");
}

static void test_refusal_by_receiver(void **state)
{
    (void)state;
    static const char *const inputs[] = {
        "<type>a</type><type>b</type><type>c</type><type>d</type>",
        "<browser_action type='a'/><browser_action type='b'/><browser_action type='c'/>",
        "<batch><type>a</type><type>b</type></batch><type>c</type>",
    };
    for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
        size_t count = 0;
        struct br_error err;
        struct xml_reader *reader = xml_reader_create(NULL, refuse_second, &count);
        assert_false(xml_reader_feed(reader, inputs[i], strlen(inputs[i]), &err));
        assert_int_equal(count, 2);
        assert_string_equal(err.message, "enough");
        /* The error is permanent. */
        err = (struct br_error){ 0 };
        assert_false(xml_reader_feed(reader, " ", 1, &err));
        assert_string_equal(err.message, "enough");
        err = (struct br_error){ 0 };
        assert_false(xml_reader_end(reader, &err));
        assert_int_equal(err.code, BR_TIMEOUT);
        assert_int_equal(count, 2);
        xml_reader_destroy(reader);
    }
    xml_reader_destroy(NULL);
}

/* Writes `! click line 1, column 5`: the type as far as it was read, and the place. */
static bool on_mistake(void *data, struct br_action *action, const struct br_error *why,
                       struct br_error *err)
{
    struct reading *reading = data;
    (void)err;
    strbuf_add_format(&reading->actions, "! %s%s%.*s\n", action->type, *action->type ? " " : "",
                      (int)strcspn(why->message, ":"), why->message);
    br_action_destroy(action);
    reading->error = *why;
    return true;
}

static const struct instruction_options recovering = { .is_stream = true,
                                                       .on_mistake = on_mistake };

static struct reading recover(const char *text, size_t length, size_t first, size_t piece)
{
    struct reading reading = { .actions = STRBUF_INIT(STRBUF_UNCAPPED), .is_ok = true };
    struct xml_reader *reader = xml_reader_create(&recovering, on_action, &reading);
    for (size_t done = 0; done < length && reading.is_ok;) {
        size_t size = done == 0 ? first : piece;
        size = size < length - done ? size : length - done;
        reading.is_ok = xml_reader_feed(reader, text + done, size, &reading.error);
        done += size;
    }
    reading.is_ok = reading.is_ok && xml_reader_end(reader, &reading.error);
    xml_reader_destroy(reader);
    return reading;
}

#define GO  "<browser_action><type>go</type></browser_action>"
#define END "<browser_action><type>end</type></browser_action>"

/*
 * One error per mistake; reading continues after it, and nothing of the wrong instruction is used.
 */
static void test_recovery(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
        const char *message, *hint; /* parts of the last error; or NULL */
    } cases[] = {
        /* Typical errors of models. */
        { "<batch>\n<browser_action><type>navigate</type><url>http://x/?a=1&b=2</url>"
          "</browser_action>\n" END "</batch>",
          "! navigate line 2, column 56\nend@3:1 {}\n", "a & that begins no entity", "&amp;" },
        { "<browser_action><type>evaluate</type><expression>1 < "
          "2</expression></browser_action>" END,
          "! evaluate line 1, column 52\nend@1:85 {}\n", "a < that begins no element", "CDATA" },
        { "<browser_action><type>evaluate</type><expression>for (i=0;i<n;i++) { a<b && c }"
          "</expression></browser_action>\r\n" END,
          "! evaluate line 1, column 62\nend@2:1 {}\n", "", "CDATA" },
        { "<browser_action><type>evaluate</type><expression>b.innerHTML = '<p>x</p>'</expression>"
          "</browser_action>" END,
          "! evaluate line 1, column 65\nend@1:104 {}\n", "<p> behind text", "CDATA" },
        { "```xml\n" GO "\n```\n" END, "! line 1, column 1\ngo@2:1 {}\nend@4:1 {}\n",
          "text outside of an instruction", "```" },
        { "```xml\n<type>go</type><a>1</a>\n```\n```xml\n<type>end</type>\n```",
          "! line 1, column 1\n! go line 4, column 1\nend@5:1 {}\n", NULL, NULL },
        { "```\n<type>go</type>\n```\n", "! line 1, column 1\ngo@2:1 {}\n", NULL, NULL },
        { GO "\n```\n" END, "go@1:1 {}\n! line 2, column 1\nend@3:1 {}\n", NULL, NULL },
        { "Sure! I'd write AT&T's <b>page</b>: 1 < 2\n\n" GO "\nDone?" END,
          "! line 1, column 1\ngo@3:1 {}\n! line 4, column 1\nend@4:6 {}\n", NULL, "prose" },
        { "Here:\n<type>go</type><v>1</v>", "! line 1, column 1\ngo@2:1 {\"v\":1}\n", NULL, NULL },
        { "<?xml version='1.0'?>\n" GO "\n<?xml version='1.0'?>\n" END,
          "go@2:1 {}\n! line 3, column 1\nend@4:1 {}\n", "only at the beginning", "remove" },
        { "<?xml version='1.0'?><type>go</type><?xml version='1.0'?><type>end</type>",
          "go@1:22 {}\n! line 1, column 37\nend@1:58 {}\n", NULL, NULL },
        { "<click><selector>#a</selector></click>" END, "! line 1, column 1\nend@1:39 {}\n",
          "<click> stands outside", "<browser_action><type>click</type>" },
        { "<click><selector>#a</selector></click><type>end</type>",
          "! line 1, column 1\nend@1:39 {}\n", NULL, NULL },
        { "<click>#a</click><fill>b</fill>" END,
          "! line 1, column 1\n! line 1, column 18\nend@1:32 {}\n", NULL, NULL },
        { "<browser_action><type>go</type><a>1 < 2</a></browser_action><click>#a</click>" END,
          "! go line 1, column 37\n! line 1, column 61\nend@1:78 {}\n", NULL, NULL },
        { "<click selector='#a'/><type>end</type>", "! line 1, column 1\nend@1:23 {}\n", NULL,
          NULL },
        { "<click selector=#a/><type>end</type>", "! line 1, column 17\nend@1:21 {}\n",
          "not well-formed", "quote" },
        { "<action><type>go</type><v>1</v></action><type>end</type>",
          "! line 1, column 1\nend@1:41 {}\n", NULL, NULL },
        { "<actions>" GO END "</actions>" END,
          "! line 1, column 1\ngo@1:10 {}\nend@1:58 {}\nend@1:117 {}\n", NULL, NULL },
        { "<actions><browser_action type='a'/><type>go</type></actions>" END,
          "! line 1, column 1\na@1:10 {}\ngo@1:36 {}\nend@1:61 {}\n", NULL, NULL },
        { "x<browser_action tyxe='a'/>" END,
          "! line 1, column 1\n! line 1, column 2\nend@1:28 {}\n", "without a type", "<type>" },
        { "<browser_action></browser_action>" END, "! line 1, column 1\nend@1:34 {}\n",
          "without a type", "<type>" },
        /* Missing end tags. */
        { "<browser_action><type>click</type><selector>#a</selector>\n" END,
          "! click line 2, column 1\nend@2:1 {}\n", "inside of <browser_action>",
          "</browser_action>" },
        { "<browser_action><type>click</type><selector>#a</browser_action>" END,
          "! click line 1, column 47\nend@1:64 {}\n", "</browser_action> where <selector>",
          "</selector>" },
        { "<browser_action><type>click</type><selector>#a\n" END,
          "! click line 2, column 1\nend@2:1 {}\n", NULL, "</selector>" },
        { "<batch><browser_action><type>click</type></batch><batch>" END "</batch>",
          "! click line 1, column 42\nend@1:57 {}\n", NULL, NULL },
        { "<batch>" GO "<batch>" END "</batch>", "go@1:8 {}\n! line 1, column 56\nend@1:63 {}\n",
          NULL, "</batch>" },
        { "<batch><batch>" GO "</batch></batch>" END,
          "! line 1, column 8\ngo@1:15 {}\nend@1:79 {}\n", NULL, NULL },
        { "<type>go</type><url>x<type>back</type><type>end</type>",
          "! go line 1, column 22\nback@1:22 {}\nend@1:39 {}\n", NULL, NULL },
        { "<type>go</type><url>x</ur><type>end</type>", "! go line 1, column 22\nend@1:27 {}\n",
          NULL, NULL },
        { "<browser_action action='go />\n<browser_action action='end'/>",
          "! line 2, column 1\nend@2:1 {}\n", NULL, NULL },
        { "<batch>" GO, "go@1:8 {}\n! line 1, column 56\n", "the input ends inside of <batch>",
          "</batch>" },
        { GO "<browser_action><type>click</type", "go@1:1 {}\n! line 1, column 76\n",
          "the input ends", NULL },
        { GO "<browser_action><type>click</type><a>b", "go@1:1 {}\n! click line 1, column 87\n",
          "the input ends", NULL },
        { GO "</browser_action>" END, "go@1:1 {}\n! line 1, column 49\nend@1:66 {}\n",
          "closes nothing", NULL },
        /* The batch continues, and its end is recognised. */
        { "<batch>x" GO "</batch><batch>" END "</batch>",
          "! line 1, column 8\ngo@1:9 {}\nend@1:72 {}\n", NULL, NULL },
        { "<batch>x</batch>" END, "! line 1, column 8\nend@1:17 {}\n", NULL, NULL },
        { "<batch a='1'>" GO "</batch>" END, "! line 1, column 1\ngo@1:14 {}\nend@1:70 {}\n",
          "no attributes", NULL },
        /* Two mistakes in one instruction give one error. */
        { GO "<browser_action type='a' type='b'/>" END,
          "go@1:1 {}\n! line 1, column 74\nend@1:84 {}\n", NULL, NULL },
        { "<browser_action type=a><b.c/>&<</browser_action>" END,
          "! line 1, column 22\nend@1:49 {}\n", NULL, "quote" },
        { "<type>go</type><browser_action type=a/>" END,
          "go@1:1 {}\n! line 1, column 37\nend@1:40 {}\n", NULL, NULL },
        { "<type>go</type> and <type>end</type>", "! go line 1, column 17\nend@1:21 {}\n", NULL,
          NULL },
        /* A wrong instruction is not run in part, nor is text that only looks like one. */
        { "<browser_action>x<type>go</type></browser_action><type>end</type>",
          "! line 1, column 17\nend@1:50 {}\n", NULL, NULL },
        { "<browser_action><b.c/><v><![CDATA[" GO "]]></v></browser_action>" END,
          "! line 1, column 17\nend@1:107 {}\n", NULL, NULL },
        { "<browser_action><v><![CDATA[\x01" GO "]]></v></browser_action>" END,
          "! line 1, column 29\nend@1:102 {}\n", NULL, NULL },
        { "<!-- a -- b " GO " --->" END, "! line 1, column 10\nend@1:66 {}\n", NULL, NULL },
        { "x <!-- " GO " --> <?php " GO " ?>" END, "! line 1, column 1\nend@1:118 {}\n", NULL,
          NULL },
        { "<!DOCTYPE b [<!ENTITY a '" GO "'><!ENTITY b '&a;&a;'>]>\n" END,
          "! line 1, column 1\nend@2:1 {}\n", "DOCTYPE", "remove" },
        { "<browser_action><type>t</type><text>&nbsp;</text></browser_action>" END,
          "! t line 1, column 37\nend@1:67 {}\n", "&nbsp;", "&lt;" },
        { "\xFF\xFE\x01" GO, "! line 1, column 1\ngo@1:4 {}\n", NULL, NULL },
        { "caf\xC3\xA9 <type>caf\xE9</type>\r\n\r\n " END,
          "! line 1, column 1\n! line 1, column 15\nend@3:2 {}\n", "0xE9", "UTF-8" },
        { "<browser_action><a><a><a><a><a><a><a><a><type>go</type></a></browser_action>" END,
          "! line 1, column 38\nend@1:77 {}\n", "deep", NULL },
        { "x", "! line 1, column 1\n", NULL, NULL },
        { "< <", "! line 1, column 1\n", NULL, NULL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const size_t length = strlen(cases[i].text);
        for (size_t first = 1; first <= length; first++) {
            struct reading reading = recover(cases[i].text, length, first, first % 2 ? length : 1);
            assert_true(reading.is_ok);
            if (strcmp(reading.actions.data, cases[i].expected) != 0) {
                fail_msg("split at %zu of %s\n%s\n%s", first, cases[i].text, reading.actions.data,
                         reading.error.message);
            }
            strbuf_finish(&reading.actions);
        }
        struct reading reading = recover(cases[i].text, length, length, length);
        if ((cases[i].message && !strstr(reading.error.message, cases[i].message)) ||
            (cases[i].hint && !strstr(reading.error.hint, cases[i].hint))) {
            fail_msg("%s\n%s\n%s", cases[i].text, reading.error.message, reading.error.hint);
        }
        strbuf_finish(&reading.actions);
    }
}

/* A mistake is reported before more input is fed. */
static void test_mistake_is_told_at_once(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *told;
    } steps[] = {
        { "<batch>\n", "" },
        { "H", "! line 2, column 1\n" },
        { "ere it is:\n", "" },
        { GO, "go@3:1 {}\n" },
        { "<browser_action><type>navigate</type><url>http://x/?a=1&b", "" },
        { "=", "! navigate line 3, column 104\n" },
        { "2</url></browser_action>", "" },
        { "\n" GO, "go@4:1 {}\n" },
        { "<browser_action><type>click</type><a>1</a", "" },
        { "><", "" },
        { "browser_action ", "" },
        { ">", "! click line 4, column 91\n" },
        { "<type>end</type></browser_action>", "end@4:91 {}\n" },
        { "</batch>", "" },
    };
    struct reading reading = { .actions = STRBUF_INIT(STRBUF_UNCAPPED) };
    struct br_error err;
    struct xml_reader *reader = xml_reader_create(&recovering, on_action, &reading);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        assert_true(xml_reader_feed(reader, steps[i].bytes, strlen(steps[i].bytes), &err));
        assert_string_equal(reading.actions.data, steps[i].told);
        strbuf_clear(&reading.actions);
    }
    assert_true(xml_reader_end(reader, &err));
    assert_int_equal(reading.actions.length, 0);
    xml_reader_destroy(reader);
    strbuf_finish(&reading.actions);
}

/* Exceeding a size is a mistake like others; skipped input has no size limit. */
static void test_recovery_from_size(void **state)
{
    (void)state;
    static const struct {
        const char *before, *spaces_behind;
        size_t megabytes;
    } cases[] = {
        { "<browser_action><type>a</type>", " ", 12 },
        { "<browser_action><type>a</type><v>x", "x", 3 },
        { "<browser_action><type>a</type><v><![CDATA[", "x", 3 },
        { "<browser_action ", " ", 3 },
        { "<!-- ", " ", 5 },
        { "x <!-- ", " ", 20 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *text = repeated(cases[i].before, cases[i].spaces_behind,
                              cases[i].megabytes * 1024 * 1024, "</v>" GO END);
        struct reading reading = recover(text, strlen(text), 1000, 100000);
        assert_true(reading.is_ok);
        assert_string_not_equal(reading.error.message, "");
        const char *first_go = strstr(reading.actions.data, "\ngo@");
        assert_non_null(first_go);
        assert_null(strchr(reading.actions.data + 1, '!'));
        strbuf_finish(&reading.actions);
        free(text);
    }
}

static bool refuse_mistake(void *data, struct br_action *action, const struct br_error *why,
                           struct br_error *err)
{
    (void)data;
    (void)why;
    br_action_destroy(action);
    return error_set(err, BR_TIMEOUT, "enough");
}

static void test_refusal_of_mistakes(void **state)
{
    (void)state;
    const struct instruction_options options = { .on_mistake = refuse_mistake };
    size_t count = 0;
    struct br_error err;
    struct xml_reader *reader = xml_reader_create(&options, refuse_second, &count);
    assert_false(xml_reader_feed(reader, GO "x" GO, strlen(GO "x" GO), &err));
    assert_string_equal(err.message, "enough");
    assert_false(xml_reader_end(reader, &err));
    assert_int_equal(count, 1);
    xml_reader_destroy(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_typing),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_bad_input_in_pieces),
        cmocka_unit_test(test_nul_bytes),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_limit_of_parameters),
        cmocka_unit_test(test_deep_nesting_without_end),
        cmocka_unit_test(test_conversation),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_stream_with_endless_instruction),
        cmocka_unit_test(test_refusal_by_receiver),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_mistake_is_told_at_once),
        cmocka_unit_test(test_recovery_from_size),
        cmocka_unit_test(test_refusal_of_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
