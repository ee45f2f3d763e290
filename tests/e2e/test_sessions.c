/*
 * Several sessions in one real browser: what they share and what not, how they come back after its
 * death, and how their actions are cancelled. BR_TEST_MANY multiplies the numbers of sessions and
 * of cancels (1 to 50).
 */
#include "runner/base/action.h"
#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/cdp/client.h"
#include "runner/chrome/browser.h"
#include "tests/slowness.h"

#include <arpa/inet.h>
#include <browser_runner/session.h>
#include <dirent.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SESSIONS = 10, KILLED = 8, CANCELS = 20, MANY_MAX = 50, ANSWER_MS = 60000, SOON_MS = 2000 };

static int many(int count)
{
    const char *given = getenv("BR_TEST_MANY");
    long times = given ? strtol(given, NULL, 10) : 1;
    return count * (int)(times < 1 ? 1 : times > MANY_MAX ? MANY_MAX : times);
}

/* A server of a few pages; a thread for each connection, since Chrome opens some ahead. */

static int server_fd = -1;
static char origin[64];

static const char act_page[] =
    "<title>act</title><style>body{height:4000px}</style><button id=b>b</button>"
    "<input id=i><div id=d draggable=true>drag</div><div id=t style='width:9em;height:3em'>drop"
    "</div><script>pressed=0;keys=0;clicks=0;t.ondragover=e=>e.preventDefault();"
    "onmousedown=()=>pressed=1;onmouseup=()=>pressed=0;addEventListener('dragend',()=>pressed=0);"
    "onkeydown=()=>keys++;onkeyup=()=>keys--;b.onclick=()=>clicks++</script>";

static void answer(int fd, const char *path, const char *cookie)
{
    CLEANUP_FREE char *head = xstrdup("");
    CLEANUP_FREE char *body = NULL;
    if (strncmp(path, "/login?", 7) == 0) {
        free(head);
        head = xasprintf("Set-Cookie: user=%s; Path=/\r\n", path + 7);
        body = xasprintf("<title>in</title><script>localStorage.user='%s'</script>", path + 7);
    } else if (strncmp(path, "/file?", 6) == 0) {
        free(head);
        head = xasprintf("Content-Disposition: attachment; filename=%s\r\n", path + 6);
        body = xasprintf("the file %s", path + 6);
    } else if (strcmp(path, "/act") == 0) {
        body = xstrdup(act_page);
    } else {
        body = xasprintf("<title>%s</title><p id=cookie>%s</p>", path, cookie);
    }
    dprintf(fd,
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %zu\r\n"
            "Connection: close\r\n%s\r\n%s",
            strlen(body), head, body);
}

static void *serve_one(void *data)
{
    int fd = (int)(intptr_t)data;
    char request[8192] = "";
    size_t length = 0;
    char path[200] = "";
    char cookie[200] = "";
    struct timeval patience = { .tv_sec = 5 };
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    while (!strstr(request, "\r\n\r\n") && length < sizeof(request) - 1) {
        ssize_t count = read(fd, request + length, sizeof(request) - 1 - length);
        if (count <= 0) {
            break;
        }
        length += (size_t)count;
    }
    const char *cookies = strstr(request, "\r\nCookie: ");
    if (cookies) {
        sscanf(cookies, "\r\nCookie: %199[^\r]", cookie);
    }
    if (sscanf(request, "GET %199s", path) == 1) {
        answer(fd, path, cookie);
    }
    close(fd);
    return NULL;
}

static void *serve(void *data)
{
    (void)data;
    for (int fd; (fd = accept(server_fd, NULL, NULL)) >= 0;) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve_one, (void *)(intptr_t)fd) == 0) {
            pthread_detach(thread);
        }
    }
    return NULL;
}

static pthread_t server_thread;

static int start_server(void **state)
{
    (void)state;
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof(address);
    signal(SIGPIPE, SIG_IGN);
    server_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(server_fd, (struct sockaddr *)&address, size) != 0 || listen(server_fd, 64) != 0 ||
        getsockname(server_fd, (struct sockaddr *)&address, &size) != 0) {
        return -1;
    }
    snprintf(origin, sizeof(origin), "http://127.0.0.1:%d", ntohs(address.sin_port));
    return pthread_create(&server_thread, NULL, serve, NULL);
}

static int stop_server(void **state)
{
    (void)state;
    shutdown(server_fd, SHUT_RDWR);
    pthread_join(server_thread, NULL);
    close(server_fd);
    return 0;
}

/* Sessions. */

static struct br_browser *open_browser(void)
{
    struct br_error err;
    struct br_browser_options options = BR_BROWSER_OPTIONS_INIT;
    options.temp_profile = true;
    options.stays = true;
    options.no_sandbox = true;
    struct br_browser *browser = br_browser_open(&options, &err);
    assert_non_null(browser);
    return browser;
}

static struct br_session_options session_options(void)
{
    struct br_session_options options = BR_SESSION_OPTIONS_INIT;
    options.timeout_ms = ANSWER_MS;
    options.screenshots = BR_SCREENSHOTS_NONE;
    options.max_consecutive_errors = 0;
    options.total_error_threshold = 0;
    return options;
}

static struct br_session *open_session(struct br_browser *browser,
                                       const struct br_session_options *options)
{
    struct br_error err;
    struct br_session *session = br_session_open(browser, options, &err);
    if (!session) {
        fail_msg("%s", err.message);
    }
    return session;
}

static const char *last_action = "";

/* In the text ' stands for ". Caller frees. */
static struct br_response *run(struct br_session *session, const char *text)
{
    struct br_error err;
    CLEANUP_FREE char *json = xstrdup(text);
    for (char *at = json; (at = strchr(at, '\'')); at++) {
        *at = '"';
    }
    struct br_action *action = br_action_from_json(json, strlen(json), &err);
    if (!action) {
        fail_msg("%s: %s", text, err.message);
    }
    struct br_response *response = br_session_run(session, action);
    br_action_destroy(action);
    return response;
}

static void must(struct br_session *session, const char *text)
{
    struct br_response *response = run(session, text);
    if (!response->success) {
        fail_msg("%s: %s", text, response->error.message);
    }
    br_response_destroy(response);
}

static void start(struct br_session *session, const char *path)
{
    CLEANUP_FREE char *text = xasprintf("{'type':'start','url':'%s%s'}", origin, path);
    must(session, text);
}

/* The value of an expression as JSON text. */
static void expect_result(struct br_session *session, const char *expression, const char *wanted)
{
    CLEANUP_FREE char *text =
        xasprintf("{'type':'evaluate','expression':'%s','retryOptions':{'retryOnErrors':"
                  "['DISCONNECTED','BROWSER_CRASHED','PAGE_CRASHED']}}",
                  expression);
    struct br_response *response = run(session, text);
    if (!response->success || strcmp(response->result, wanted) != 0) {
        print_error("last: %s\n", last_action);
        fail_msg("%s: wanted %s, got %s (%s)", expression, wanted,
                 response->result ? response->result : "nothing", response->error.message);
    }
    br_response_destroy(response);
}

static void test_sessions_of_a_profile_share_a_login(void **state)
{
    (void)state;
    struct br_browser *browser = open_browser();
    struct br_session_options options = session_options();
    struct br_session *first = open_session(browser, &options);
    struct br_session *second = open_session(browser, &options);
    start(first, "/login?ann");
    start(second, "/who");
    expect_result(second, "document.querySelector(`#cookie`).textContent", "\"user=ann\"");
    expect_result(second, "localStorage.user", "\"ann\"");
    br_session_close(first);
    expect_result(second, "document.title", "\"/who\"");
    br_session_close(second);
    br_browser_close(browser);
}

static void test_contexts_are_shared_by_name_only(void **state)
{
    (void)state;
    static const struct {
        const char *context;
        bool is_isolated;
        const char *wanted;
    } cases[] = {
        { "one", false, "\"user=bob\"" },
        { "two", false, "\"\"" },
        { NULL, false, "\"\"" },
        { NULL, true, "\"\"" },
    };
    struct br_browser *browser = open_browser();
    struct br_session_options options = session_options();
    options.context = "one";
    struct br_session *first = open_session(browser, &options);
    start(first, "/login?bob");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        options.context = cases[i].context;
        options.isolated = cases[i].is_isolated;
        struct br_session *other = open_session(browser, &options);
        start(other, "/who");
        expect_result(other, "document.querySelector(`#cookie`).textContent", cases[i].wanted);
        br_session_close(other);
    }
    br_session_close(first);
    br_browser_close(browser);
}

/* How many pages the browser has, as it says itself. */
static size_t count_pages(struct br_browser *browser)
{
    struct br_error err;
    json_auto_t *reply = NULL;
    size_t index;
    size_t count = 0;
    json_t *target;
    struct browser_life *life = browser_ensure(browser, 0, NULL, deadline_in_ms(ANSWER_MS), &err);
    assert_non_null(life);
    struct cdp_client *client = cdp_client_create(browser_life_connection(life), NULL, NULL);
    cdp_client_set_deadline(client, deadline_in_ms(ANSWER_MS));
    assert_true(cdp_call(client, NULL, "Target.getTargets", NULL, &reply, &err));
    json_array_foreach (json_object_get(reply, "targetInfos"), index, target) {
        count += strcmp(json_member_string(target, "type"), "page") == 0;
    }
    cdp_client_destroy(client);
    browser_life_release(life);
    return count;
}

static void await_pages(struct br_browser *browser, size_t wanted)
{
    struct deadline deadline = deadline_in_ms(ANSWER_MS);
    size_t count;
    while ((count = count_pages(browser)) != wanted) {
        if (deadline_passed(deadline)) {
            fail_msg("%zu pages are there instead of %zu", count, wanted);
        }
        usleep(10000);
    }
}

/* What goes wrong in one session is no reason to end the browser of the others. */
static void test_a_session_that_fails_leaves_the_others_alone(void **state)
{
    (void)state;
    static const struct {
        const char *tab, *action;
        enum br_code code;
    } cases[] = {
        { "nowhere", "{'type':'evaluate','expression':'1'}", BR_TARGET_NOT_FOUND },
        { "nowhere", "{'type':'navigate','url':'about:blank'}", BR_TARGET_NOT_FOUND },
        { NULL, "{'type':'start','url':'about:blank','timeout':3}", BR_TIMEOUT },
    };
    struct br_browser *browser = open_browser();
    struct br_session_options options = session_options();
    struct br_session *first = open_session(browser, &options);
    start(first, "/who");
    must(first, "{'type':'evaluate','expression':'window.kept = 1'}");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        options.tab = cases[i].tab;
        struct br_session *other = open_session(browser, &options);
        for (int k = 0; k < 2; k++) {
            struct br_response *response = run(other, cases[i].action);
            if (response->success || response->error.code != cases[i].code) {
                fail_msg("%s: %s", cases[i].action, response->error.message);
            }
            br_response_destroy(response);
            expect_result(first, "window.kept", "1");
        }
        br_session_close(other);
    }
    /* A tab that Chrome made long after its session gave it up is closed by the next page that
     * opens. */
    options.tab = NULL;
    struct br_session *last = open_session(browser, &options);
    start(last, "/who");
    br_session_close(last);
    await_pages(browser, 1);
    br_session_close(first);
    br_browser_close(browser);
}

static void test_many_sessions_are_each_right_and_leave_nothing(void **state)
{
    (void)state;
    struct br_browser *browser = open_browser();
    struct br_session *sessions[SESSIONS * MANY_MAX];
    const int count = many(SESSIONS);
    for (int i = 0; i < count; i++) {
        struct br_session_options options = session_options();
        CLEANUP_FREE char *name = xasprintf("%d", i % 5);
        options.isolated = i % 3 == 0;
        options.context = i % 3 == 1 ? name : NULL;
        sessions[i] = open_session(browser, &options);
        CLEANUP_FREE char *path = xasprintf("/%d", i);
        start(sessions[i], path);
    }
    await_pages(browser, count);
    for (int i = 0; i < count; i++) {
        for (int k = i; k < count; k += 7) {
            CLEANUP_FREE char *title = xasprintf("\"/%d\"", k);
            expect_result(sessions[k], "document.title", title);
        }
        br_session_close(sessions[i]);
    }
    await_pages(browser, 0);
    br_browser_close(browser);
}

/* The browser that this process has started. */
static pid_t find_browser(void)
{
    DIR *processes = opendir("/proc");
    pid_t found = 0;
    for (struct dirent *entry; !found && (entry = readdir(processes));) {
        CLEANUP_FREE char *path = xasprintf("/proc/%s/stat", entry->d_name);
        FILE *file = fopen(path, "r");
        int pid = 0;
        int parent = 0;
        char state = 0;
        if (file && fscanf(file, "%d (%*[^)]) %c %d", &pid, &state, &parent) == 3 &&
            parent == getpid() && state != 'Z') {
            found = pid;
        }
        if (file) {
            fclose(file);
        }
    }
    closedir(processes);
    return found;
}

static void *come_back(void *data)
{
    struct br_session *session = data;
    struct br_response *response =
        run(session, "{'type':'evaluate','expression':'document.title','retryOptions':"
                     "{'retryOnErrors':['DISCONNECTED','BROWSER_CRASHED','PAGE_CRASHED']}}");
    return response;
}

static void test_after_a_kill_each_session_is_at_its_own_page(void **state)
{
    (void)state;
    struct br_browser *browser = open_browser();
    struct br_session *sessions[KILLED];
    pthread_t threads[KILLED];
    struct br_session_options options = session_options();
    for (int i = 0; i < KILLED; i++) {
        sessions[i] = open_session(browser, &options);
        CLEANUP_FREE char *url = xasprintf("{'type':'navigate','url':'%s/page-%d'}", origin, i);
        start(sessions[i], i ? "/who" : "/login?old");
        must(sessions[i], url);
    }
    /* What all have seen older is newest with the first one. */
    must(sessions[0], "{'type':'evaluate','expression':'document.cookie = `user=new; path=/`;"
                      " localStorage.user = `new`'}");
    pid_t pid = find_browser();
    assert_true(pid > 0);
    assert_int_equal(kill(pid, SIGKILL), 0);
    for (int i = 0; i < KILLED; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, come_back, sessions[i]), 0);
    }
    for (int i = 0; i < KILLED; i++) {
        struct br_response *response;
        CLEANUP_FREE char *wanted = xasprintf("\"/page-%d\"", i);
        pthread_join(threads[i], (void **)&response);
        if (!response->success || !response->recovered || strcmp(response->result, wanted) != 0) {
            fail_msg("session %d: %s, %s", i, response->result ? response->result : "nothing",
                     response->error.message);
        }
        br_response_destroy(response);
    }
    for (int i = 0; i < KILLED; i++) {
        expect_result(sessions[i], "document.cookie", "\"user=new\"");
        expect_result(sessions[i], "localStorage.user", "\"new\"");
    }
    await_pages(browser, KILLED);
    for (int i = 0; i < KILLED; i++) {
        br_session_close(sessions[i]);
    }
    br_browser_close(browser);
}

static void test_downloads_in_a_shared_context(void **state)
{
    (void)state;
    char place[] = "/tmp/br-sessions-XXXXXX";
    assert_non_null(mkdtemp(place));
    CLEANUP_FREE char *one = xasprintf("%s/one", place);
    CLEANUP_FREE char *two = xasprintf("%s/two", place);
    CLEANUP_FREE char *file = xasprintf("%s/one/f", place);
    struct deadline deadline = deadline_in_ms(ANSWER_MS);
    struct br_browser *browser = open_browser();
    struct br_session_options options = session_options();
    options.downloads = one;
    struct br_session *first = open_session(browser, &options);
    options.downloads = NULL;
    struct br_session *second = open_session(browser, &options);
    options.downloads = two;
    struct br_session *third = open_session(browser, &options);
    start(first, "/");
    start(second, "/");
    struct br_response *refused = run(third, "{'type':'start','url':'about:blank'}");
    assert_int_equal(refused->error.code, BR_INVALID_ACTION);
    br_response_destroy(refused);
    must(second, "{'type':'evaluate','expression':'location.href = `/file?g`; 0'}");
    must(second, "{'type':'wait','ms':300}");
    must(first, "{'type':'evaluate','expression':'location.href = `/file?f`; 0'}");
    while (access(file, F_OK) != 0 && !deadline_passed(deadline)) {
        must(first, "{'type':'wait','ms':50}");
    }
    assert_int_equal(unlink(file), 0);
    br_session_close(third);
    br_session_close(second);
    br_session_close(first);
    br_browser_close(browser);
    assert_int_equal(rmdir(one), 0); /* with nothing else in it */
    assert_int_equal(rmdir(two), 0);
    assert_int_equal(rmdir(place), 0);
}

static void test_downloads_go_to_the_session_that_asked(void **state)
{
    (void)state;
    char place[] = "/tmp/br-sessions-XXXXXX";
    assert_non_null(mkdtemp(place));
    struct br_browser *browser = open_browser();
    struct br_session *sessions[3];
    for (int i = 0; i < 3; i++) {
        CLEANUP_FREE char *directory = xasprintf("%s/%d", place, i);
        struct br_session_options options = session_options();
        options.isolated = true;
        options.downloads = i < 2 ? directory : NULL;
        sessions[i] = open_session(browser, &options);
        start(sessions[i], "/");
    }
    for (int i = 0; i < 3; i++) {
        CLEANUP_FREE char *text =
            xasprintf("{'type':'evaluate','expression':'location.href = `/file?f%d`; 0'}", i);
        CLEANUP_FREE char *file = xasprintf("%s/%d/f%d", place, i, i);
        struct deadline deadline = deadline_in_ms(ANSWER_MS);
        must(sessions[i], text);
        while (i < 2 && access(file, F_OK) != 0 && !deadline_passed(deadline)) {
            must(sessions[i], "{'type':'wait','ms':50}");
        }
        assert_int_equal(access(file, F_OK), i < 2 ? 0 : -1);
        unlink(file);
    }
    for (int i = 0; i < 3; i++) {
        CLEANUP_FREE char *directory = xasprintf("%s/%d", place, i);
        br_session_close(sessions[i]);
        assert_int_equal(i < 2 ? rmdir(directory) : 0, 0); /* with nothing else in it */
    }
    br_browser_close(browser);
    rmdir(place);
}

/* Cancels. */

struct canceller {
    pthread_t thread;
    struct br_session *session;
    int64_t delay_us;
    bool was_running;
    int64_t at_ms;
};

static void *cancel(void *data)
{
    struct canceller *canceller = data;
    usleep((useconds_t)canceller->delay_us);
    canceller->at_ms = clock_monotonic_ms();
    canceller->was_running = br_session_cancel(canceller->session);
    return NULL;
}

static const char *const cancelled[] = {
    "{'type':'click','selector':'#b'}",
    "{'type':'click','selector':'#b','visualVerify':true}",
    "{'type':'type','selector':'#i','text':'some words to type','delay':5}",
    "{'type':'press','key':'Control+Shift+ArrowLeft'}",
    "{'type':'drag','selector':'#d','to':{'selector':'#t'},'steps':20}",
    "{'type':'scroll','y':800}",
    "{'type':'wheel','selector':'#b','deltaY':100}",
    "{'type':'screenshot','fullPage':true}",
    "{'type':'screenshot','stable':true}",
    "{'type':'wait','ms':3000}",
    "{'type':'wait','selector':'#nowhere'}",
    "{'type':'evaluate','expression':'new Promise(() => {})'}",
    "{'type':'snapshot'}",
    "{'type':'reload'}",
    "{'type':'hover','selector':'#b'}",
};

/* That nothing is held down, and that the next action does what it is to do. */
static void check_after_cancel(struct br_session *session)
{
    must(session, "{'type':'evaluate','expression':'scrollTo(0, 0); clicks = 0'}");
    must(session, "{'type':'click','selector':'#b','position':{'x':3,'y':3}}");
    expect_result(session, "[pressed, keys, clicks, document.title].join()", "\"0,0,1,act\"");
}

static void test_a_cancel_ends_the_action_and_no_other(void **state)
{
    (void)state;
    const int count = many(CANCELS);
    int64_t longest_ms = 0;
    long ended = 0;
    struct br_browser *browser = open_browser();
    struct br_session_options options = session_options();
    struct br_session *session = open_session(browser, &options);
    assert_false(br_session_cancel(session));
    start(session, "/act");
    unsigned seed = 14;
    for (int i = 0; i < count; i++) {
        const char *text =
            cancelled[(unsigned)rand_r(&seed) % (sizeof(cancelled) / sizeof(cancelled[0]))];
        struct canceller canceller = { .session = session, .delay_us = rand_r(&seed) % 120000 };
        assert_int_equal(pthread_create(&canceller.thread, NULL, cancel, &canceller), 0);
        last_action = text;
        struct br_response *response = run(session, text);
        int64_t ended_ms = clock_monotonic_ms();
        pthread_join(canceller.thread, NULL);
        if (canceller.was_running && !response->success) {
            int64_t took_ms = ended_ms - canceller.at_ms;
            ended++;
            longest_ms = took_ms > longest_ms ? took_ms : longest_ms;
            if (response->error.code != BR_CANCELLED || took_ms > slow_ms(SOON_MS)) {
                fail_msg("%s: %s after %lld ms", text, response->error.message, (long long)took_ms);
            }
        } else if (!response->success) {
            fail_msg("%s: %s", text, response->error.message);
        }
        br_response_destroy(response);
        if (strstr(text, "reload")) {
            start(session, "/act");
        }
        check_after_cancel(session);
    }
    print_message("%ld of %d cancelled, the longest took %lld ms to end\n", ended, count,
                  (long long)longest_ms);
    assert_true(ended > 0);
    br_session_close(session);
    br_browser_close(browser);
}

/* Also at once: in the very moment in which an action begins. */
static void test_cancels_of_what_begins_and_ends(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{'type':'start','url':'about:blank'}",
        "{'type':'stop'}",
        ("{'type':'diagnose','steps':[{'action':{'type':'wait','ms':40}},"
         "{'action':{'type':'evaluate','expression':'1'},'expectedLogs':['never']}]}"),
        "{'type':'evaluate','expression':'1'}",
        "{'type':'tab','op':'new'}",
    };
    unsigned seed = 15;
    struct br_browser *browser = open_browser();
    struct br_session_options options = session_options();
    struct br_session *witness = open_session(browser, &options);
    start(witness, "/who");
    must(witness, "{'type':'evaluate','expression':'window.kept = 1'}");
    struct br_session *session = open_session(browser, &options);
    for (int i = 0; i < many(CANCELS); i++) {
        const char *text = texts[i % 5];
        struct canceller canceller = { .session = session,
                                       .delay_us =
                                           i % 2 ? rand_r(&seed) % 60000 : rand_r(&seed) % 300 };
        start(session, "/act");
        assert_int_equal(pthread_create(&canceller.thread, NULL, cancel, &canceller), 0);
        struct br_response *response = run(session, text);
        pthread_join(canceller.thread, NULL);
        bool is_expected = response->success || response->error.code == BR_CANCELLED ||
                           (!canceller.was_running && response->error.code == BR_TIMEOUT);
        if (!is_expected) {
            fail_msg("%s: %s", text, response->error.message);
        }
        br_response_destroy(response);
        expect_result(witness, "window.kept", "1");
    }
    br_session_close(session);
    await_pages(browser, 1);
    br_session_close(witness);
    br_browser_close(browser);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sessions_of_a_profile_share_a_login),
        cmocka_unit_test(test_contexts_are_shared_by_name_only),
        cmocka_unit_test(test_a_session_that_fails_leaves_the_others_alone),
        cmocka_unit_test(test_many_sessions_are_each_right_and_leave_nothing),
        cmocka_unit_test(test_after_a_kill_each_session_is_at_its_own_page),
        cmocka_unit_test(test_downloads_go_to_the_session_that_asked),
        cmocka_unit_test(test_downloads_in_a_shared_context),
        cmocka_unit_test(test_cancels_of_what_begins_and_ends),
        cmocka_unit_test(test_a_cancel_ends_the_action_and_no_other),
    };
    return cmocka_run_group_tests(tests, start_server, stop_server);
}
