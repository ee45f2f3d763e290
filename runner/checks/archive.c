/* The format is PKWARE's APPNOTE 6.3.10; sections in brackets. */
#include "runner/checks/archive.h"

#include "imaging/deflate.h"
#include "profiles/tree.h"
#include "runner/base/file.h"
#include "runner/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Fixed parts of the records [4.3.7, 4.3.12, 4.3.16], with their signatures. */
enum {
    LOCAL_SIZE = 30,
    ENTRY_SIZE = 46,
    END_SIZE = 22,
    MAX_COMMENT = 0xFFFF,
    STORED = 0,
    DEFLATED = 8,
    FLAG_ENCRYPTED = 1,
    MADE_ON_UNIX = 3,
    REMOVE_MS = 10000,
};
#define LOCAL_SIGNATURE UINT32_C(0x04034b50)
#define ENTRY_SIGNATURE UINT32_C(0x02014b50)
#define END_SIGNATURE   UINT32_C(0x06054b50)
#define IN_ZIP64        UINT32_MAX /* instead of a size or an offset [4.4.1.4] */

struct archive {
    const uint8_t *bytes;
    size_t size;
    size_t directory; /* offset of the first entry */
    size_t end;       /* offset of the end record */
    size_t count;
    const struct archive_taker *taker;
    size_t taken_size;
    char name[ARCHIVE_MAX_NAME + 1]; /* of the present entry */
};

/* A file or folder as the central directory describes it. */
struct entry {
    size_t offset; /* of its local record */
    size_t packed_size, size;
    uint32_t checksum;
    unsigned method, flags;
    unsigned mode; /* of Unix; 0: unknown */
};

static uint32_t read_16(const uint8_t *at)
{
    return (uint32_t)(at[0] | at[1] << 8);
}

static uint32_t read_32(const uint8_t *at)
{
    return read_16(at) | read_16(at + 2) << 16;
}

static bool refuse(const struct archive *archive, const char *why, struct br_error *err)
{
    return error_set(err, BR_INVALID_ACTION, "%.200s in it %s", archive->name, why);
}

/* The end record is followed by a comment only, whose length it knows. */
static bool find_end(struct archive *archive, struct br_error *err)
{
    size_t longest = archive->size > END_SIZE + MAX_COMMENT ? MAX_COMMENT
                     : archive->size >= END_SIZE            ? archive->size - END_SIZE
                                                            : 0;
    for (size_t comment = 0; archive->size >= END_SIZE && comment <= longest; comment++) {
        const uint8_t *end = archive->bytes + archive->size - END_SIZE - comment;
        if (read_32(end) == END_SIGNATURE && read_16(end + 20) == comment) {
            archive->end = (size_t)(end - archive->bytes);
            return true;
        }
    }
    return error_set(err, BR_INVALID_ACTION, "is no ZIP archive, or not a complete one");
}

static bool read_end(struct archive *archive, struct br_error *err)
{
    const uint8_t *end = archive->bytes + archive->end;
    uint32_t offset = read_32(end + 16);
    uint32_t size = read_32(end + 12);
    archive->count = read_16(end + 10);
    if (offset == IN_ZIP64 || size == IN_ZIP64 || archive->count == UINT16_MAX ||
        archive->count > ARCHIVE_MAX_PARTS) {
        return error_set(err, BR_LIMIT_EXCEEDED, "has more than %d parts, or more than 4 GB",
                         ARCHIVE_MAX_PARTS);
    }
    if (read_16(end + 4) || read_16(end + 6) || read_16(end + 8) != archive->count) {
        return error_set(err, BR_INVALID_ACTION, "is one of several parts of a ZIP archive");
    }
    if (offset > archive->end || size > archive->end - offset) {
        return error_set(err, BR_INVALID_ACTION, "is damaged: its directory lies outside of it");
    }
    archive->directory = offset;
    return true;
}

/* Refuses names that could lead out of a folder on any system, or that a terminal would obey. */
static bool check_name(const struct archive *archive, size_t length, struct br_error *err)
{
    const char *name = archive->name;
    bool is_bad = length == 0 || strlen(name) != length || name[0] == '/';
    for (const char *at = name; *at; at++) {
        is_bad |= (unsigned char)*at < ' ' || *at == 0x7F || *at == '\\' || *at == ':';
    }
    for (const char *part = name; part && !is_bad; part = strchr(part, '/')) {
        part += *part == '/';
        size_t size = strcspn(part, "/");
        bool is_last = part[size] == '\0';
        is_bad = (size == 0 && !is_last) || (size == 1 && *part == '.') ||
                 (size == 2 && strncmp(part, "..", 2) == 0);
    }
    return !is_bad ||
           error_set(err, BR_INVALID_ACTION,
                     "the name of a part is not a relative path without \"..\", ':' and '\\'");
}

/* Reads the entry at *at and moves behind it. */
static bool read_entry(struct archive *archive, size_t *at, struct entry *ret_entry,
                       struct br_error *err)
{
    const uint8_t *start = archive->bytes + *at;
    if (archive->end - *at < ENTRY_SIZE || read_32(start) != ENTRY_SIGNATURE) {
        return error_set(err, BR_INVALID_ACTION,
                         "is damaged: an entry of its directory is missing");
    }
    size_t name_length = read_16(start + 28);
    size_t length = ENTRY_SIZE + name_length + read_16(start + 30) + read_16(start + 32);
    if (length > archive->end - *at) {
        return error_set(err, BR_INVALID_ACTION, "is damaged: its directory is cut off");
    }
    if (name_length > ARCHIVE_MAX_NAME) {
        return error_set(err, BR_LIMIT_EXCEEDED, "has a name of %zu bytes, at most %d are read",
                         name_length, ARCHIVE_MAX_NAME);
    }
    memcpy(archive->name, start + ENTRY_SIZE, name_length);
    archive->name[name_length] = '\0';
    *ret_entry = (struct entry){
        .flags = read_16(start + 8),
        .method = read_16(start + 10),
        .checksum = read_32(start + 16),
        .packed_size = read_32(start + 20),
        .size = read_32(start + 24),
        .mode = start[5] == MADE_ON_UNIX ? read_16(start + 40) : 0,
        .offset = read_32(start + 42),
    };
    *at += length;
    return check_name(archive, name_length, err);
}

static bool check_entry(const struct archive *archive, const struct entry *entry,
                        struct br_error *err)
{
    unsigned type = entry->mode & S_IFMT;
    if (type && type != S_IFREG && type != S_IFDIR) {
        return refuse(archive, "is a link or a device", err);
    }
    if (entry->flags & FLAG_ENCRYPTED) {
        return refuse(archive, "is encrypted", err);
    }
    if (entry->method != STORED && entry->method != DEFLATED) {
        return refuse(archive, "is compressed in another way than by deflate", err);
    }
    return true;
}

/* Returns the packed bytes; the local record says only where they begin. */
static const uint8_t *find_content(const struct archive *archive, const struct entry *entry,
                                   struct br_error *err)
{
    size_t limit = archive->directory;
    size_t at = entry->offset;
    if (at <= limit && limit - at >= LOCAL_SIZE &&
        read_32(archive->bytes + at) == LOCAL_SIGNATURE) {
        at += LOCAL_SIZE + read_16(archive->bytes + at + 26) + read_16(archive->bytes + at + 28);
        if (at <= limit && entry->packed_size <= limit - at) {
            return archive->bytes + at;
        }
    }
    refuse(archive, "is damaged: it lies outside of the archive", err);
    return NULL;
}

static bool unpack(const uint8_t *packed, const struct entry *entry, uint8_t *ret_bytes)
{
    if (entry->method == DEFLATED) {
        return deflate_unpack(packed, entry->packed_size, ret_bytes, entry->size);
    }
    bool is_whole = entry->packed_size == entry->size;
    if (is_whole) {
        memcpy(ret_bytes, packed, entry->size);
    }
    return is_whole;
}

static bool take(struct archive *archive, const struct entry *entry, struct br_error *err)
{
    const uint8_t *packed = find_content(archive, entry, err);
    if (!packed) {
        return false;
    }
    archive->taken_size += entry->size;
    if (entry->size > ARCHIVE_MAX_PART || archive->taken_size > ARCHIVE_MAX_SIZE) {
        return error_set(err, BR_LIMIT_EXCEEDED,
                         "%.200s in it is too large: a file may have %zu MB, all together %zu",
                         archive->name, ARCHIVE_MAX_PART >> 20, ARCHIVE_MAX_SIZE >> 20);
    }
    CLEANUP_FREE uint8_t *bytes = malloc(entry->size + 1);
    if (!bytes) {
        return error_set(err, BR_LIMIT_EXCEEDED, "no memory for the %zu bytes of %.200s",
                         entry->size, archive->name);
    }
    if (!unpack(packed, entry, bytes) || deflate_checksum(bytes, entry->size) != entry->checksum) {
        return refuse(archive, "is damaged", err);
    }
    const struct archive_taker *taker = archive->taker;
    return taker->take(taker->data, archive->name, bytes, entry->size, err);
}

bool archive_read(const void *bytes, size_t size, const struct archive_taker *taker,
                  struct br_error *err)
{
    struct archive archive = { .bytes = bytes, .size = size, .taker = taker };
    bool is_done = find_end(&archive, err) && read_end(&archive, err);
    size_t at = archive.directory;
    for (size_t i = 0; is_done && i < archive.count; i++) {
        struct entry entry = { 0 };
        is_done = read_entry(&archive, &at, &entry, err) && check_entry(&archive, &entry, err);
        bool is_folder = is_done && archive.name[strlen(archive.name) - 1] == '/';
        if (is_done && !is_folder && taker->wants(taker->data, archive.name)) {
            is_done = take(&archive, &entry, err);
        }
    }
    return is_done;
}

static const char document[] = "results.json";

/* The report in an archive: at its top or in a folder. */
struct found {
    size_t count;
    char
        prefix[ARCHIVE_MAX_NAME + 1]; /* of the names of the report's files; ends with '/', or "" */
    const char *folder;               /* where they are written */
};

static bool on_look(void *data, const char *name)
{
    struct found *found = data;
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    if (strcmp(base, document) == 0) {
        found->count++;
        snprintf(found->prefix, sizeof(found->prefix), "%.*s", (int)(base - name), name);
    }
    return false;
}

static bool on_wanted(void *data, const char *name)
{
    const struct found *found = data;
    size_t length = strlen(name);
    bool is_inside = strncmp(name, found->prefix, strlen(found->prefix)) == 0;
    const char *rest = is_inside ? name + strlen(found->prefix) : name;
    return is_inside &&
           (strcmp(rest, document) == 0 || (length > 4 && strcmp(name + length - 4, ".png") == 0));
}

static bool create_parents(const char *folder, char *path, struct br_error *err)
{
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        bool is_made = mkdir(path, 0700) == 0 || errno == EEXIST;
        if (!is_made) {
            return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot create %s", path);
        }
        *slash = '/';
    }
    return true;
}

/* A name that is there twice is refused by O_EXCL. */
static bool on_file(void *data, const char *name, const void *bytes, size_t size,
                    struct br_error *err)
{
    const struct found *found = data;
    CLEANUP_FREE char *path = xasprintf("%s/%s", found->folder, name + strlen(found->prefix));
    if (!create_parents(found->folder, path, err)) {
        return false;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST) {
        return error_set(err, BR_INVALID_ACTION, "%.200s is in it twice", name);
    }
    return (fd >= 0 && file_write_and_close(fd, bytes, size)) ||
           error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write %s", path);
}

static char *make_folder(struct br_error *err)
{
    const char *temporary = getenv("TMPDIR");
    CLEANUP_FREE char *folder =
        xasprintf("%s/browser-runner-review-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder)) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot create %s", folder);
        return NULL;
    }
    return TAKE(folder);
}

static bool find_report(const char *bytes, size_t size, struct found *found, struct br_error *err)
{
    const struct archive_taker looking = { .wants = on_look, .data = found };
    if (!archive_read(bytes, size, &looking, err)) {
        return false;
    }
    if (found->count != 1) {
        error_set(err, BR_INVALID_ACTION, "has %zu files results.json instead of one",
                  found->count);
        return error_hint(err, found->count ? "unpack it, and name the folder of one report"
                                            : "name an archive with the report of a `check`");
    }
    return true;
}

char *archive_unpack_report(const char *path, struct br_error *err)
{
    size_t size = 0;
    CLEANUP_FREE char *bytes = file_read(path, ARCHIVE_MAX_SIZE, &size, err);
    struct found found = { 0 };
    if (!bytes) {
        return NULL;
    }
    if (!find_report(bytes, size, &found, err)) {
        error_context(err, "%s", path);
        return NULL;
    }
    char *folder = make_folder(err);
    const struct archive_taker taker = { .wants = on_wanted, .take = on_file, .data = &found };
    found.folder = folder;
    if (folder && !archive_read(bytes, size, &taker, err)) {
        error_context(err, "%s", path);
        archive_remove(TAKE(folder));
    }
    return folder;
}

void archive_remove(char *folder)
{
    struct br_error ignored;
    if (folder) {
        tree_remove(folder, deadline_in_ms(REMOVE_MS), &ignored);
        free(folder);
    }
}
