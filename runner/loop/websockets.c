#include "runner/loop/websockets.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct websockets websockets;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char why[256]; /* why loading failed; "": it succeeded */

/* In the order of the struct's members, each of which is one pointer. */
#define WEBSOCKETS_NAME(name) #name,
static const char *const names[] = { WEBSOCKETS_FUNCTIONS(WEBSOCKETS_NAME) };
#undef WEBSOCKETS_NAME

_Static_assert(sizeof(websockets) == sizeof(names), "a function is a pointer");

static bool find_all(void *library)
{
    unsigned char *members = (unsigned char *)&websockets;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        void *function = dlsym(library, names[i]);
        if (!function) {
            return false;
        }
        memcpy(members + i * sizeof(function), &function, sizeof(function));
    }
    return true;
}

/* Never unloads the library: threads destroy its thread-local data when they end, maybe later. */
static void load(void)
{
    void *library = dlopen(BROWSER_RUNNER_WEBSOCKETS, RTLD_NOW | RTLD_LOCAL);
    if (!library || !find_all(library)) {
        const char *message = dlerror();
        snprintf(why, sizeof(why), "%s", message ? message : BROWSER_RUNNER_WEBSOCKETS);
    }
}

bool websockets_load(struct br_error *err)
{
    pthread_once(&once, load);
    if (!*why) {
        return true;
    }
    error_set(err, BR_UNKNOWN_ERROR, "libwebsockets cannot be loaded: %s", why);
    return error_hint(err, "install it; on Debian it is the package libwebsockets17");
}
