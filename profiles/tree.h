/*
 * Directory trees that another process may be changing at this moment. Symlinks are never followed.
 */
#ifndef PROFILES_TREE_H
#define PROFILES_TREE_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <stdint.h>

/*
 * Removes path with everything in it; a symlink itself, not what it leads to. What vanishes
 * meanwhile is fine, and so is a path that does not exist. What appears meanwhile is removed too,
 * again and again until the deadline.
 */
bool tree_remove(const char *path, struct deadline deadline, struct br_error *err);

/* Removes, as far as it goes, everything in the directory, which stays. */
void tree_clear(const char *path);

/* Bytes on the disk of everything in path, as du counts them; 0 for what cannot be read. */
uint64_t tree_size(const char *path);

/* Makes the directory and its missing parents (an absolute path) with mode 0700; one that exists is
 * left as it is. */
bool tree_create(const char *path, struct br_error *err);

/* Fails, with the path and the reason, unless the directory can be read and takes new files, which
 * have room. */
bool tree_check_writable(const char *path, struct br_error *err);

#endif
