/*
 * Libraries that the program loads at their first use. Loading libwebsockets with OpenSSL takes
 * more than half of the time in which a process starts, and the commands of warm sessions need
 * neither: they only talk to the daemon's socket.
 *
 * The functions here have the names and types of the libraries' own, against whose headers the
 * compiler checks them. The linker then leaves those libraries out of the program (--as-needed). A
 * function that is missing here makes the program load its library at the start again: the case
 * warm-libraries fails. The shared library and the tests link both as usual.
 */
#include <dlfcn.h>
#include <libwebsockets.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

/* As the dynamic loader does for a library that a program is linked with. */
static _Noreturn void refuse(const char *library)
{
    enum { EXIT_NOT_LOADED = 127 };
    const char *reason = dlerror();
    dprintf(STDERR_FILENO, "browser-runner: cannot load %s: %s\n", library,
            reason ? reason : "unknown reason");
    _exit(EXIT_NOT_LOADED);
}

/* Opening a library that is loaded reads nothing; dlsym() searches what it depends on, too. */
static void *find(const char *path, const char *name)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *function = library ? dlsym(library, name) : NULL;
    if (!function) {
        refuse(path);
    }
    return function;
}

/* Two threads may search at once: they find the same. */
#define REAL(name)                                                                                 \
    static _Atomic(void *) known;                                                                  \
    void *found = atomic_load_explicit(&known, memory_order_acquire);                              \
    if (!found) {                                                                                  \
        found = find(LATE_LIBRARY, #name);                                                         \
        atomic_store_explicit(&known, found, memory_order_release);                                \
    }                                                                                              \
    __typeof__(&name) real = (__typeof__(&name))found

#define LATE(type, name, parameters, arguments)                                                    \
    type name parameters                                                                           \
    {                                                                                              \
        REAL(name);                                                                                \
        return real arguments;                                                                     \
    }

#define LATE_VOID(name, parameters, arguments)                                                     \
    void name parameters                                                                           \
    {                                                                                              \
        REAL(name);                                                                                \
        real arguments;                                                                            \
    }

#define LATE_LIBRARY BR_LATE_WEBSOCKETS

LATE(struct lws *, lws_adopt_descriptor_vhost,
     (struct lws_vhost * vhost, lws_adoption_type type, lws_sock_file_fd_type fd,
      const char *protocol, struct lws *parent),
     (vhost, type, fd, protocol, parent))
LATE(struct lws *, lws_adopt_descriptor_vhost_via_info, (const lws_adopt_desc_t *info), (info))
LATE(int, lws_callback_on_writable, (struct lws * wsi), (wsi))
LATE(struct lws *, lws_client_connect_via_info, (const struct lws_client_connect_info *info),
     (info))
LATE(struct lws_context *, lws_create_context, (const struct lws_context_creation_info *info),
     (info))
LATE(struct lws_vhost *, lws_create_vhost,
     (struct lws_context * context, const struct lws_context_creation_info *info), (context, info))
LATE(int, lws_frame_is_binary, (struct lws * wsi), (wsi))
LATE(void *, lws_get_opaque_user_data, (const struct lws *wsi), (wsi))
LATE(lws_sockfd_type, lws_get_socket_fd, (struct lws * wsi), (wsi))
LATE(struct lws_vhost *, lws_get_vhost, (struct lws * wsi), (wsi))
LATE(struct lws_vhost *, lws_get_vhost_by_name, (struct lws_context * context, const char *name),
     (context, name))
LATE(int, lws_hdr_copy, (struct lws * wsi, char *text, int size, enum lws_token_indexes header),
     (wsi, text, size, header))
LATE(int, lws_hdr_copy_fragment,
     (struct lws * wsi, char *text, int size, enum lws_token_indexes header, int index),
     (wsi, text, size, header, index))
LATE(int, lws_hdr_custom_copy,
     (struct lws * wsi, char *text, int size, const char *name, int name_length),
     (wsi, text, size, name, name_length))
LATE(int, lws_hdr_custom_length, (struct lws * wsi, const char *name, int name_length),
     (wsi, name, name_length))
LATE(int, lws_hdr_fragment_length, (struct lws * wsi, enum lws_token_indexes header, int index),
     (wsi, header, index))
LATE(int, lws_hdr_total_length, (struct lws * wsi, enum lws_token_indexes header), (wsi, header))
LATE(unsigned int, lws_http_client_http_response, (struct lws * wsi), (wsi))
LATE(int, lws_http_client_read, (struct lws * wsi, char **bytes, int *length), (wsi, bytes, length))
LATE(int, lws_is_final_fragment, (struct lws * wsi), (wsi))
LATE(int, lws_is_first_fragment, (struct lws * wsi), (wsi))
LATE(int, lws_partial_buffered, (struct lws * wsi), (wsi))
LATE(size_t, lws_remaining_packet_payload, (struct lws * wsi), (wsi))
LATE(int, lws_rx_flow_control, (struct lws * wsi, int is_enabled), (wsi, is_enabled))
LATE(int, lws_service, (struct lws_context * context, int timeout_ms), (context, timeout_ms))
LATE(const unsigned char *, lws_token_to_string, (enum lws_token_indexes header), (header))
LATE(void *, lws_vhost_user, (struct lws_vhost * vhost), (vhost))
LATE(int, lws_write,
     (struct lws * wsi, unsigned char *bytes, size_t length, enum lws_write_protocol protocol),
     (wsi, bytes, length, protocol))

LATE_VOID(lws_cancel_service, (struct lws_context * context), (context))
LATE_VOID(lws_close_reason,
          (struct lws * wsi, enum lws_close_status status, unsigned char *bytes, size_t length),
          (wsi, status, bytes, length))
LATE_VOID(lws_context_destroy, (struct lws_context * context), (context))
LATE_VOID(lws_dll2_add_head, (struct lws_dll2 * item, struct lws_dll2_owner *owner), (item, owner))
LATE_VOID(lws_dll2_add_tail, (struct lws_dll2 * item, struct lws_dll2_owner *owner), (item, owner))
LATE_VOID(lws_dll2_remove, (struct lws_dll2 * item), (item))
LATE_VOID(lws_set_log_level, (int level, void (*emit)(int level, const char *line)), (level, emit))
LATE_VOID(lws_set_opaque_user_data, (struct lws * wsi, void *data), (wsi, data))
LATE_VOID(lws_set_timeout, (struct lws * wsi, enum pending_timeout reason, int seconds),
          (wsi, reason, seconds))
LATE_VOID(lws_sul_cancel, (lws_sorted_usec_list_t * timer), (timer))
LATE_VOID(lws_sul_schedule,
          (struct lws_context * context, int thread, lws_sorted_usec_list_t *timer,
           sul_cb_t callback, lws_usec_t delay_us),
          (context, thread, timer, callback, delay_us))

#undef LATE_LIBRARY
#define LATE_LIBRARY BR_LATE_SSL /* it depends on libcrypto */

/* The queue of errors. */

LATE(unsigned long, ERR_get_error, (void), ())
LATE_VOID(ERR_clear_error, (void), ())
LATE_VOID(ERR_error_string_n, (unsigned long code, char *text, size_t size), (code, text, size))

/* A context: what all connections to a server share. */

LATE(long, SSL_CTX_ctrl, (SSL_CTX * context, int command, long number, void *data),
     (context, command, number, data))
LATE(int, SSL_CTX_load_verify_locations, (SSL_CTX * context, const char *file, const char *folder),
     (context, file, folder))
LATE(SSL_CTX *, SSL_CTX_new, (const SSL_METHOD *method), (method))
LATE(int, SSL_CTX_set_default_verify_paths, (SSL_CTX * context), (context))
LATE(const SSL_METHOD *, TLS_client_method, (void), ())
LATE_VOID(SSL_CTX_free, (SSL_CTX * context), (context))
LATE_VOID(SSL_CTX_set_verify, (SSL_CTX * context, int mode, SSL_verify_cb callback),
          (context, mode, callback))

/* What a certificate must say, and what is wrong with it. */

LATE(X509_VERIFY_PARAM *, SSL_get0_param, (SSL * ssl), (ssl))
LATE(long, SSL_get_verify_result, (const SSL *ssl), (ssl))
LATE(int, X509_VERIFY_PARAM_set1_host,
     (X509_VERIFY_PARAM * parameters, const char *name, size_t length), (parameters, name, length))
LATE(int, X509_VERIFY_PARAM_set1_ip_asc, (X509_VERIFY_PARAM * parameters, const char *address),
     (parameters, address))
LATE(const char *, X509_verify_cert_error_string, (long code), (code))

/* A connection. */

LATE(int, SSL_connect, (SSL * ssl), (ssl))
LATE(long, SSL_ctrl, (SSL * ssl, int command, long number, void *data),
     (ssl, command, number, data))
LATE(int, SSL_get_error, (const SSL *ssl, int result), (ssl, result))
LATE(SSL *, SSL_new, (SSL_CTX * context), (context))
LATE(int, SSL_read, (SSL * ssl, void *bytes, int size), (ssl, bytes, size))
LATE(int, SSL_set_fd, (SSL * ssl, int fd), (ssl, fd))
LATE(int, SSL_write, (SSL * ssl, const void *bytes, int length), (ssl, bytes, length))
LATE_VOID(SSL_free, (SSL * ssl), (ssl))
