#include "imaging/base64.h"
#include "runner/actions/action_type.h"
#include "runner/base/error.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/observe/stream.h"
#include "runner/page/picture/paper.h"

#include <stdlib.h>
#include <string.h>

enum { USUAL_BYTES = 10000000, MAX_BYTES = 256 * 1024 * 1024 };

/* In inches. */
#define MIN_CONTENT 0.1
#define MAX_LENGTH  200

#define MM(width, height)                                                                          \
    {                                                                                              \
        (width) / 25.4, (height) / 25.4                                                            \
    }

/* The sizes of formats[], in inches. */
static const struct {
    double width, height;
} sizes[] = {
    MM(841, 1189), MM(594, 841), MM(420, 594), MM(297, 420), MM(210, 297),
    MM(148, 210),  MM(105, 148), { 8.5, 11 },  { 8.5, 14 },  { 11, 17 },
};
static const char *const formats[] = { "a0", "a1",     "a2",    "a3",      "a4", "a5",
                                       "a6", "letter", "legal", "tabloid", NULL };
enum { FORMAT_LETTER = 7 };

static const struct param params[] = {
    PARAM("format", CHOICE, "The size of the paper.", .choices = formats,
          .default_value = "letter"),
    PARAM("width", NAME,
          "The width of the paper, instead of a format: a number with px (96 an inch), in, cm, mm "
          "or pt.",
          .example = "210mm", .is_rare = true),
    PARAM("height", NAME, "The height of the paper, with width.", .example = "297mm",
          .is_rare = true),
    PARAM("landscape", BOOLEAN, "True: the paper is turned.", .default_value = "false"),
    PARAM("margin", NAME,
          "One to four lengths as in CSS: all sides; top and bottom, left and right; top, left and "
          "right, bottom; top, right, bottom, left.",
          .default_value = "1cm", .example = "2cm 15mm"),
    PARAM("scale", NUMBER, "The scale of the contents.", .min = 0.1, .max = 2,
          .default_value = "1"),
    PARAM("background", BOOLEAN, "True: also prints backgrounds.", .default_value = "false"),
    PARAM("cssPageSize", BOOLEAN,
          "True: a size in @page of the page's style sheets replaces that of the paper.",
          .default_value = "false", .is_rare = true),
    PARAM("pageRanges", NAME, "The pages to print, counted from 1; without it all.",
          .example = "1-3, 5"),
    PARAM("header", NAME,
          "HTML above each page, in the margin. Chrome fills in elements of the classes date, "
          "title, url, pageNumber and totalPages. Its font size is to be stated.",
          .use = USE_SCRIPT, .example = "<b style='font-size: 8px' class='title'></b>",
          .is_rare = true),
    PARAM("footer", NAME, "Likewise, below each page.", .use = USE_SCRIPT,
          .example = "<i style='font-size: 8px' class='pageNumber'></i>", .is_rare = true),
    PARAM("file", NAME,
          "A file for the PDF, which is replaced, and readable only by its owner. Without it, data "
          "of the result is the PDF in base64.",
          .use = USE_FILE, .example = "page.pdf"),
    PARAM("maxBytes", INTEGER, "Maximum size of the PDF; a larger one is an error, LIMIT_EXCEEDED.",
          .min = 1, .max = MAX_BYTES, .default_value = "10000000", .is_rare = true),
    PARAM("ignoreNoAi", BOOLEAN,
          "True: also prints the parts that the page hides from models by data-no-ai; without it "
          "they are taken out.",
          .default_value = "false", .is_rare = true),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_ALL, "width height", .when = "width", .text = "needs width and height" },
    { RULE_ALL, "width height", .when = "height", .text = "needs width and height" },
    { RULE_NONE, "format", .when = "width", .text = "does not go with a width and a height" },
    { 0 },
};

/* Reads a length, and returns its end; NULL: it is none. */
static const char *read_length(const char *text, double *ret_inches)
{
    static const struct {
        const char *name;
        double inches;
    } units[] = {
        { "px", 1 / 96.0 }, { "in", 1 }, { "cm", 1 / 2.54 }, { "mm", 1 / 25.4 }, { "pt", 1 / 72.0 }
    };
    char *end = NULL;
    size_t digits = strspn(text, "0123456789.");
    double number = digits ? strtod(text, &end) : 0;
    if (!digits || end != text + digits) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strncmp(end, units[i].name, 2) == 0) {
            *ret_inches = number * units[i].inches;
            return end + 2;
        }
    }
    *ret_inches = 0;
    return number == 0 ? end : NULL; /* 0 needs no unit */
}

static bool fail_length(const struct br_action *action, const char *name, struct br_error *err)
{
    param_error(action, name, err, "\"%s\" is no length", param_text(action, name, ""));
    return error_hint(err, "write a number with px, in, cm, mm or pt, such as 210mm");
}

static bool read_side(const struct br_action *action, const char *name, double *ret_inches,
                      struct br_error *err)
{
    const char *end = read_length(param_text(action, name, ""), ret_inches);
    return (end && !*end && *ret_inches > 0 && *ret_inches <= MAX_LENGTH) ||
           fail_length(action, name, err);
}

/* Reads one to four lengths, of which missing ones are as in CSS. */
static bool read_margins(const struct br_action *action, double margins[4], struct br_error *err)
{
    /* For one to four given lengths: the index of the length that each side takes. */
    static const unsigned char sources[4][4] = {
        { 0, 0, 0, 0 }, { 0, 1, 0, 1 }, { 0, 1, 2, 1 }, { 0, 1, 2, 3 }
    };
    double given[4];
    size_t count = 0;
    const char *at = param_text(action, "margin", "1cm");
    while (at && *at && count < 4) {
        at = read_length(at, &given[count++]);
        if (at && *at) {
            at = *at == ' ' ? at + strspn(at, " ") : NULL;
        }
    }
    if (!at || *at || !count) {
        return fail_length(action, "margin", err);
    }
    for (size_t i = 0; i < 4; i++) {
        margins[i] = given[sources[count - 1][i]];
    }
    return true;
}

/* "1-3, 5": Chrome checks that there are such pages: explain_ranges(). */
static bool check_ranges(const struct br_action *action, struct br_error *err)
{
    const char *ranges = param_text(action, "pageRanges", "1");
    if (strspn(ranges, "0123456789-, ") == strlen(ranges)) {
        return true;
    }
    param_error(action, "pageRanges", err, "\"%s\" has more than numbers of pages", ranges);
    return error_hint(err, "write it as 1-3, 5");
}

/* Chrome refuses ranges with these words. */
static void explain_ranges(const struct br_action *action, struct br_error *err)
{
    if (err->code == BR_UNKNOWN_ERROR && strstr(err->message, "Page range")) {
        struct br_error why = *err;
        param_error(action, "pageRanges", err, "%s", why.message);
    }
}

/* Fills what the parameters say of the paper. */
static bool read_paper(const struct br_action *action, struct paper *paper, struct br_error *err)
{
    int format = param_choice(action, "format", formats, FORMAT_LETTER);
    *paper = (struct paper){
        .width = sizes[format].width,
        .height = sizes[format].height,
        .scale = param_number(action, "scale", 1),
        .is_landscape = param_boolean(action, "landscape", false),
        .has_background = param_boolean(action, "background", false),
        .has_css_size = param_boolean(action, "cssPageSize", false),
        .ranges = param_text(action, "pageRanges", NULL),
        .header = param_text(action, "header", NULL),
        .footer = param_text(action, "footer", NULL),
        .shows_withheld = param_boolean(action, "ignoreNoAi", false),
        .max_bytes = (size_t)param_integer(action, "maxBytes", USUAL_BYTES),
    };
    if ((param_is_given(action, "width") && (!read_side(action, "width", &paper->width, err) ||
                                             !read_side(action, "height", &paper->height, err))) ||
        !read_margins(action, paper->margins, err) || !check_ranges(action, err)) {
        return false;
    }
    double width = paper->is_landscape ? paper->height : paper->width;
    double height = paper->is_landscape ? paper->width : paper->height;
    const double *margins = paper->margins;
    return (width - margins[1] - margins[3] >= MIN_CONTENT &&
            height - margins[0] - margins[2] >= MIN_CONTENT) ||
           param_error(action, NULL, err, "the margins leave no room on the paper");
}

static bool validate(const struct br_action *action, struct br_error *err)
{
    struct paper paper;
    return read_paper(action, &paper, err);
}

/* Writes the PDF to the file, or into the result. */
static bool hand_over(struct action_run *run, const char *bytes, size_t size, struct br_error *err)
{
    const char *file = param_text(run->action, "file", NULL);
    int pages = paper_count_pages(bytes, size);
    json_t *result =
        json_pack("{s:s, s:I}", "mediaType", "application/pdf", "bytes", (json_int_t)size);
    if (pages) {
        json_object_set_new(result, "pages", json_integer(pages));
    }
    if (file) {
        json_object_set_new(result, "file", json_text(file));
    } else {
        size_t length = base64_encoded_size(size);
        CLEANUP_FREE char *text = xmalloc(length + 1);
        base64_encode(bytes, size, text);
        json_object_set_new(result, "data", json_stringn_nocheck(text, length));
    }
    response_set_result(run->response, result);
    return !file || file_write_in(policy_files(run->policy), file, bytes, size, err);
}

static bool run_pdf(struct action_run *run, struct br_error *err)
{
    struct paper paper;
    CLEANUP_FREE char *bytes = NULL;
    size_t size = 0;
    int left_out = 0;
    const char *file = param_text(run->action, "file", NULL);
    if (!read_paper(run->action, &paper, err) ||
        (file && !policy_check_written_file(run->policy, file, ".pdf", err))) {
        return false;
    }
    if (!paper_print(run->page, &paper, &bytes, &size, &left_out, err)) {
        explain_ranges(run->action, err);
        if (err->code == BR_LIMIT_EXCEEDED) {
            error_context(err, "the PDF");
            error_hint(err, "choose pages by pageRanges, or set maxBytes");
        }
        return false;
    }
    if (left_out) {
        log_tool(run->logs, BR_LOG_INFO, "pdf",
                 "parts of the page that are hidden from models (data-no-ai) are omitted: %d",
                 left_out);
    }
    return hand_over(run, bytes, size, err);
}

const struct action_type action_pdf = {
    .name = "pdf",
    .text = "Prints the page as a PDF, as its style sheets for print say. The result has its size "
            "in bytes and the number of pages.",
    .params = params,
    .rules = rules,
    .is_rare = true,
    .answers_raw = true,
    .validate = validate,
    .run = run_pdf,
};
