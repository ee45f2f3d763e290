#include "tests/unit/check_place.h"

#include "runner/base/file.h"
#include "runner/checks/suite_load.h"

#include <browser_runner/image.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suite_text[] =
    "{\"baseUrl\": \"http://host:3000/\","
    " \"viewports\": {\"desktop\": {\"width\": 40, \"height\": 30},"
    "                 \"phone\": {\"width\": 20, \"height\": 30, \"scale\": 2}},"
    " \"checks\": [{\"name\": \"home\", \"url\": \"/\", \"tags\": [\"smoke\", \"fast\"]},"
    "              {\"name\": \"about\", \"url\": \"/about\", \"tags\": [\"slow\"]}]}";

int check_place_set_up(void **state)
{
    void *directory = NULL;
    struct check_place *place = xcalloc(1, sizeof(*place));
    CLEANUP_STRBUF struct strbuf problems = STRBUF_INIT(STRBUF_UNCAPPED);
    *state = place;
    if (directory_set_up(&directory) != 0) {
        return -1;
    }
    place->directory = directory;
    put_text(place, "smoke.json", suite_text);
    CLEANUP_FREE char *file = path_in(place, "smoke.json");
    place->suite = suite_load(file, &problems);
    return place->suite ? 0 : -1;
}

int check_place_tear_down(void **state)
{
    struct check_place *place = *state;
    void *directory = place->directory;
    suite_destroy(place->suite);
    free(place);
    return directory_tear_down(&directory);
}

struct suite_check *check_of(const struct check_place *place, const char *id)
{
    for (size_t i = 0; i < place->suite->check_count; i++) {
        if (strcmp(place->suite->checks[i].id, id) == 0) {
            return &place->suite->checks[i];
        }
    }
    fail_msg("no check %s", id);
    return NULL;
}

char *make_picture(int width, int height, size_t black, size_t *ret_size)
{
    struct br_error err = { 0 };
    unsigned char *bytes = NULL;
    size_t pixels = (size_t)width * (size_t)height;
    struct br_image image = { .width = width, .height = height, .pixels = xmalloc(pixels * 4) };
    memset(image.pixels, 255, pixels * 4);
    for (size_t i = 0; i < black; i++) {
        memset(image.pixels + i * 4, 0, 3);
    }
    bool is_encoded = br_png_encode(&image, &bytes, ret_size, &err);
    br_image_finish(&image);
    if (!is_encoded) {
        fail_msg("%s", err.message);
    }
    return (char *)bytes;
}

char *path_in(const struct check_place *place, const char *name)
{
    return xasprintf("%s/%s", place->directory, name);
}

bool is_file(const struct check_place *place, const char *name)
{
    CLEANUP_FREE char *path = path_in(place, name);
    return access(path, F_OK) == 0;
}

void put_file(const struct check_place *place, const char *name, const void *bytes, size_t size)
{
    struct br_error err = { 0 };
    CLEANUP_FREE char *path = path_in(place, name);
    for (char *slash = path + strlen(place->directory) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    if (!file_write(path, bytes, size, &err)) {
        fail_msg("%s", err.message);
    }
}

void put_text(const struct check_place *place, const char *name, const char *text)
{
    put_file(place, name, text, strlen(text));
}
