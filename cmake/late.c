/*
 * Libraries that the program loads at their first use. Loading libwebsockets with OpenSSL takes
 * more than half of the time in which a process starts, those for pictures and XML another fifth.
 * The commands of warm sessions need none of them: they only talk to the daemon's socket.
 *
 * The functions here have the names and types of the libraries' own, against whose headers the
 * compiler checks them. The linker then leaves those libraries out of the program (--as-needed). A
 * function that is missing here makes the program load its library at the start again: the case
 * warm-libraries fails. The shared library and the tests link them as usual.
 */
#include <dlfcn.h>
#include <expat.h>
#include <libdeflate.h>
#include <libwebsockets.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <png.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <jpeglib.h>

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

#ifdef __GLIBC__ /* which gives constructors the program's arguments */
/*
 * A server lives for days, and must not end because a library that its next client needs was
 * replaced meanwhile, or because it has no file descriptor left to open it.
 */
__attribute__((constructor)) static void load_for_servers(int argc, char **argv)
{
    static const char *const libraries[] = { BR_LATE_WEBSOCKETS, BR_LATE_SSL,  BR_LATE_EXPAT,
                                             BR_LATE_PNG16,      BR_LATE_JPEG, BR_LATE_Z,
                                             BR_LATE_DEFLATE };
    const char *command = argc > 1 ? argv[1] : "";
    bool is_daemon = argc > 2 && strcmp(command, "session") == 0 && strcmp(argv[2], "daemon") == 0;
    if (!is_daemon && strcmp(command, "serve") != 0 && strcmp(command, "worker") != 0 &&
        strcmp(command, "mcp") != 0) {
        return;
    }
    for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
        if (!dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL)) {
            refuse(libraries[i]);
        }
    }
}
#endif

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

#define LATE_NEVER(name, parameters, arguments)                                                    \
    _Noreturn void name parameters                                                                 \
    {                                                                                              \
        REAL(name);                                                                                \
        real arguments;                                                                            \
        __builtin_unreachable();                                                                   \
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

#undef LATE_LIBRARY
#define LATE_LIBRARY BR_LATE_EXPAT

LATE(XML_Parser, XML_ParserCreate, (const XML_Char *encoding), (encoding))
LATE(XML_Bool, XML_ParserReset, (XML_Parser parser, const XML_Char *encoding), (parser, encoding))
LATE(enum XML_Status, XML_Parse, (XML_Parser parser, const char *bytes, int length, int is_final),
     (parser, bytes, length, is_final))
LATE(enum XML_Status, XML_StopParser, (XML_Parser parser, XML_Bool is_resumable),
     (parser, is_resumable))
LATE(enum XML_Error, XML_GetErrorCode, (XML_Parser parser), (parser))
LATE(const XML_LChar *, XML_ErrorString, (enum XML_Error code), (code))
LATE(int, XML_GetCurrentByteCount, (XML_Parser parser), (parser))
LATE(XML_Index, XML_GetCurrentByteIndex, (XML_Parser parser), (parser))
LATE(XML_Size, XML_GetCurrentColumnNumber, (XML_Parser parser), (parser))
LATE(XML_Size, XML_GetCurrentLineNumber, (XML_Parser parser), (parser))
LATE(const char *, XML_GetInputContext, (XML_Parser parser, int *ret_offset, int *ret_size),
     (parser, ret_offset, ret_size))

#ifdef HAVE_XML_REPARSE_DEFERRAL
LATE(XML_Bool, XML_SetReparseDeferralEnabled, (XML_Parser parser, XML_Bool is_on), (parser, is_on))
#endif

LATE_VOID(XML_ParserFree, (XML_Parser parser), (parser))
LATE_VOID(XML_SetUserData, (XML_Parser parser, void *data), (parser, data))
LATE_VOID(XML_SetCdataSectionHandler,
          (XML_Parser parser, XML_StartCdataSectionHandler start, XML_EndCdataSectionHandler end),
          (parser, start, end))
LATE_VOID(XML_SetCharacterDataHandler, (XML_Parser parser, XML_CharacterDataHandler handler),
          (parser, handler))
LATE_VOID(XML_SetCommentHandler, (XML_Parser parser, XML_CommentHandler handler), (parser, handler))
LATE_VOID(XML_SetElementHandler,
          (XML_Parser parser, XML_StartElementHandler start, XML_EndElementHandler end),
          (parser, start, end))
LATE_VOID(XML_SetProcessingInstructionHandler,
          (XML_Parser parser, XML_ProcessingInstructionHandler handler), (parser, handler))

#undef LATE_LIBRARY
#define LATE_LIBRARY BR_LATE_PNG16

LATE(png_structp, png_create_read_struct,
     (const char *version, void *data, png_error_ptr on_error, png_error_ptr on_warning),
     (version, data, on_error, on_warning))
LATE(png_structp, png_create_write_struct,
     (const char *version, void *data, png_error_ptr on_error, png_error_ptr on_warning),
     (version, data, on_error, on_warning))
LATE(png_infop, png_create_info_struct, (png_const_structrp png), (png))
LATE_VOID(png_destroy_read_struct, (png_structpp png, png_infopp info, png_infopp end_info),
          (png, info, end_info))
LATE_VOID(png_destroy_write_struct, (png_structpp png, png_infopp info), (png, info))

LATE(void *, png_get_error_ptr, (png_const_structrp png), (png))
LATE(void *, png_get_io_ptr, (png_const_structrp png), (png))
LATE(jmp_buf *, png_set_longjmp_fn, (png_structrp png, png_longjmp_ptr function, size_t size),
     (png, function, size))
LATE_NEVER(png_error, (png_const_structrp png, const char *text), (png, text))
LATE_NEVER(png_longjmp, (png_const_structrp png, int value), (png, value))

LATE(png_byte, png_get_bit_depth, (png_const_structrp png, png_const_inforp info), (png, info))
LATE(png_byte, png_get_channels, (png_const_structrp png, png_const_inforp info), (png, info))
LATE(png_uint_32, png_get_image_height, (png_const_structrp png, png_const_inforp info),
     (png, info))
LATE(png_uint_32, png_get_image_width, (png_const_structrp png, png_const_inforp info), (png, info))
LATE(size_t, png_get_rowbytes, (png_const_structrp png, png_const_inforp info), (png, info))
LATE_VOID(png_read_end, (png_structrp png, png_inforp info), (png, info))
LATE_VOID(png_read_info, (png_structrp png, png_inforp info), (png, info))
LATE_VOID(png_read_row, (png_structrp png, png_byte *row, png_byte *shown), (png, row, shown))
LATE_VOID(png_read_update_info, (png_structrp png, png_inforp info), (png, info))
LATE_VOID(png_write_end, (png_structrp png, png_inforp info), (png, info))
LATE_VOID(png_write_info, (png_structrp png, png_const_inforp info), (png, info))
LATE_VOID(png_write_row, (png_structrp png, const png_byte *row), (png, row))

LATE(int, png_set_interlace_handling, (png_structrp png), (png))
LATE(int, png_set_option, (png_structrp png, int option, int is_on), (png, option, is_on))
LATE_VOID(png_set_IHDR,
          (png_const_structrp png, png_inforp info, png_uint_32 width, png_uint_32 height,
           int bit_depth, int color_type, int interlace, int compression, int filter),
          (png, info, width, height, bit_depth, color_type, interlace, compression, filter))
LATE_VOID(png_set_add_alpha, (png_structrp png, png_uint_32 filler, int place),
          (png, filler, place))
LATE_VOID(png_set_compression_level, (png_structrp png, int level), (png, level))
LATE_VOID(png_set_expand, (png_structrp png), (png))
LATE_VOID(png_set_filler, (png_structrp png, png_uint_32 filler, int place), (png, filler, place))
LATE_VOID(png_set_filter, (png_structrp png, int method, int filters), (png, method, filters))
LATE_VOID(png_set_gray_to_rgb, (png_structrp png), (png))
LATE_VOID(png_set_keep_unknown_chunks,
          (png_structrp png, int keep, const png_byte *names, int count), (png, keep, names, count))
LATE_VOID(png_set_read_fn, (png_structrp png, void *data, png_rw_ptr read), (png, data, read))
LATE_VOID(png_set_scale_16, (png_structrp png), (png))
LATE_VOID(png_set_user_limits, (png_structrp png, png_uint_32 width, png_uint_32 height),
          (png, width, height))
LATE_VOID(png_set_write_fn, (png_structrp png, void *data, png_rw_ptr write, png_flush_ptr flush),
          (png, data, write, flush))

#undef LATE_LIBRARY
#define LATE_LIBRARY BR_LATE_JPEG

LATE(struct jpeg_error_mgr *, jpeg_std_error, (struct jpeg_error_mgr * errors), (errors))

LATE(boolean, jpeg_finish_decompress, (j_decompress_ptr picture), (picture))
LATE(int, jpeg_read_header, (j_decompress_ptr picture, boolean needs_image), (picture, needs_image))
LATE(JDIMENSION, jpeg_read_scanlines, (j_decompress_ptr picture, JSAMPARRAY rows, JDIMENSION count),
     (picture, rows, count))
LATE(boolean, jpeg_start_decompress, (j_decompress_ptr picture), (picture))
LATE_VOID(jpeg_CreateDecompress, (j_decompress_ptr picture, int version, size_t size),
          (picture, version, size))
LATE_VOID(jpeg_calc_output_dimensions, (j_decompress_ptr picture), (picture))
LATE_VOID(jpeg_destroy_decompress, (j_decompress_ptr picture), (picture))
LATE_VOID(jpeg_mem_src,
          (j_decompress_ptr picture, const unsigned char *bytes, unsigned long length),
          (picture, bytes, length))

LATE(JDIMENSION, jpeg_write_scanlines, (j_compress_ptr picture, JSAMPARRAY rows, JDIMENSION count),
     (picture, rows, count))
LATE_VOID(jpeg_CreateCompress, (j_compress_ptr picture, int version, size_t size),
          (picture, version, size))
LATE_VOID(jpeg_destroy_compress, (j_compress_ptr picture), (picture))
LATE_VOID(jpeg_finish_compress, (j_compress_ptr picture), (picture))
LATE_VOID(jpeg_set_defaults, (j_compress_ptr picture), (picture))
LATE_VOID(jpeg_set_quality, (j_compress_ptr picture, int quality, boolean is_baseline),
          (picture, quality, is_baseline))
LATE_VOID(jpeg_start_compress, (j_compress_ptr picture, boolean has_tables), (picture, has_tables))

#undef LATE_LIBRARY
#define LATE_LIBRARY BR_LATE_Z

LATE(int, inflate, (z_streamp stream, int flush), (stream, flush))
LATE(int, inflateEnd, (z_streamp stream), (stream))
LATE(int, inflateInit_, (z_streamp stream, const char *version, int size), (stream, version, size))

#undef LATE_LIBRARY
#define LATE_LIBRARY BR_LATE_DEFLATE

LATE(uint32_t, libdeflate_adler32, (uint32_t before, const void *bytes, size_t length),
     (before, bytes, length))
LATE(uint32_t, libdeflate_crc32, (uint32_t before, const void *bytes, size_t length),
     (before, bytes, length))
LATE(struct libdeflate_decompressor *, libdeflate_alloc_decompressor, (void), ())
LATE(enum libdeflate_result, libdeflate_deflate_decompress,
     (struct libdeflate_decompressor * decompressor, const void *bytes, size_t length,
      void *ret_bytes, size_t capacity, size_t *ret_length),
     (decompressor, bytes, length, ret_bytes, capacity, ret_length))
LATE_VOID(libdeflate_free_decompressor, (struct libdeflate_decompressor * decompressor),
          (decompressor))
