#include "runner/checks/environment.h"

#include "runner/base/json.h"
#include "runner/base/strbuf.h"

#include <browser_runner/error.h>
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

enum {
    MAX_DEPTH = 8,      /* nested folders of fonts */
    MAX_FONTS = 100000, /* files */
    MAX_DIFFERENCE = 1000,
};

/* A sum, so that it does not depend on the order in which folders are read. */
struct fingerprint {
    uint64_t sum;
    size_t files;
};

/* FNV-1a, 64 bits (Fowler, Noll and Vo). */
static uint64_t hash(const char *text, uint64_t seed)
{
    uint64_t result = UINT64_C(14695981039346656037) ^ seed;
    for (; *text; text++) {
        result = (result ^ (unsigned char)*text) * UINT64_C(1099511628211);
    }
    return result;
}

static bool is_font(const char *name)
{
    static const char *const extensions[] = { ".ttf", ".otf", ".ttc", ".pfb", ".woff", ".woff2" };
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
        size_t tail = strlen(extensions[i]);
        if (length > tail && strcasecmp(name + length - tail, extensions[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void add_folder(struct fingerprint *fingerprint, const char *path, int depth)
{
    DIR *folder = depth < MAX_DEPTH ? opendir(path) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat info;
        CLEANUP_FREE char *inside = xasprintf("%s/%s", path, entry->d_name);
        if (entry->d_name[0] == '.' || stat(inside, &info) != 0) {
            continue;
        }
        if (S_ISDIR(info.st_mode)) {
            add_folder(fingerprint, inside, depth + 1);
        } else if (is_font(entry->d_name) && fingerprint->files < MAX_FONTS) {
            fingerprint->sum += hash(entry->d_name, (uint64_t)info.st_size);
            fingerprint->files++;
        }
    }
    if (folder) {
        closedir(folder);
    }
}

/* Covers the folders that fontconfig searches by default. Caller frees. */
static char *fonts_fingerprint(void)
{
    const char *home = getenv("HOME");
    const char *data = getenv("XDG_DATA_HOME");
    struct fingerprint fingerprint = { 0 };
    CLEANUP_FREE char *own = data && *data ? xasprintf("%s/fonts", data)
                                           : xasprintf("%s/.local/share/fonts", home ? home : "");
    CLEANUP_FREE char *old = xasprintf("%s/.fonts", home ? home : "");
    const char *const folders[] = { "/usr/share/fonts", "/usr/local/share/fonts", own, old };
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        add_folder(&fingerprint, folders[i], 0);
    }
    return xasprintf("%zu-%016llx", fingerprint.files, (unsigned long long)fingerprint.sum);
}

/* Returns the value of a line NAME="value" of os-release. Caller frees. */
static char *system_name(void)
{
    static const char key[] = "PRETTY_NAME=";
    char line[512];
    char *name = NULL;
    FILE *file = fopen("/etc/os-release", "re");
    while (file && !name && fgets(line, sizeof(line), file)) {
        if (strncmp(line, key, strlen(key)) == 0) {
            const char *value = line + strlen(key) + (line[strlen(key)] == '"');
            name = xstrndup(value, strcspn(value, "\"\n"));
        }
    }
    if (file) {
        fclose(file);
    }
    struct utsname kernel;
    return name ? name : xstrdup(uname(&kernel) == 0 ? kernel.sysname : "unknown");
}

json_t *environment_describe(bool is_ci)
{
    CLEANUP_FREE char *fonts = fonts_fingerprint();
    CLEANUP_FREE char *name = system_name();
    return json_pack("{s:s, s:o, s:s, s:b}", "runner", br_version(), "system", json_text(name),
                     "fonts", fonts, "ci", is_ci);
}

char *environment_difference(const json_t *environment, const json_t *origin)
{
    static const struct {
        const char *key, *kind;
    } members[] = {
        { "browser", "" }, { "fonts", "fonts " }, { "system", "" }, { "clock", "clock " }
    };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(MAX_DIFFERENCE);
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        const char *here = json_member_string(environment, members[i].key);
        const char *there = json_member_string(origin, members[i].key);
        if (here && there && strcmp(here, there) != 0) {
            strbuf_add_format(&text, "%s%s%s instead of %s", text.length ? ", " : "",
                              members[i].kind, there, here);
        }
    }
    return text.length ? xstrdup(text.data) : NULL;
}
