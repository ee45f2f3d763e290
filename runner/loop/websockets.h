/*
 * Loads libwebsockets when the first loop is created, not when the program starts. It depends on
 * OpenSSL, and loading that takes most of the time of a command that needs neither, such as `act`.
 * Include this file instead of <libwebsockets.h>, and add a row for each function that is called.
 */
#ifndef RUNNER_LOOP_WEBSOCKETS_H
#define RUNNER_LOOP_WEBSOCKETS_H

#include "runner/base/error.h"

#include <libwebsockets.h>

/* clang-format off */
#define WEBSOCKETS_FUNCTIONS(X)                                                                    \
    X(lws_adopt_descriptor_vhost) X(lws_adopt_descriptor_vhost_via_info)                           \
    X(lws_callback_on_writable) X(lws_cancel_service) X(lws_client_connect_via_info)               \
    X(lws_close_reason) X(lws_context_destroy) X(lws_create_context) X(lws_create_vhost)           \
    X(lws_dll2_add_head) X(lws_dll2_add_tail) X(lws_dll2_remove) X(lws_frame_is_binary)            \
    X(lws_get_opaque_user_data) X(lws_get_socket_fd) X(lws_get_vhost) X(lws_get_vhost_by_name)     \
    X(lws_hdr_copy) X(lws_hdr_copy_fragment) X(lws_hdr_fragment_length) X(lws_hdr_total_length)    \
    X(lws_http_client_http_response) X(lws_http_client_read) X(lws_is_final_fragment)              \
    X(lws_is_first_fragment) X(lws_partial_buffered) X(lws_remaining_packet_payload)               \
    X(lws_rx_flow_control) X(lws_service) X(lws_set_log_level) X(lws_set_opaque_user_data)         \
    X(lws_set_timeout) X(lws_sul_cancel) X(lws_sul_schedule) X(lws_vhost_user) X(lws_write)
/* clang-format on */

#define WEBSOCKETS_MEMBER(name) __typeof__(&(name)) name;
struct websockets {
    WEBSOCKETS_FUNCTIONS(WEBSOCKETS_MEMBER)
};
#undef WEBSOCKETS_MEMBER

/* Filled by websockets_load(). */
extern struct websockets websockets;

/* Any thread, repeatedly. Returns false with UNKNOWN_ERROR if the library is not installed. */
bool websockets_load(struct br_error *err);

/* The preprocessor does not expand a macro inside itself, so the member's name stays. */
#define lws_adopt_descriptor_vhost          websockets.lws_adopt_descriptor_vhost
#define lws_adopt_descriptor_vhost_via_info websockets.lws_adopt_descriptor_vhost_via_info
#define lws_callback_on_writable            websockets.lws_callback_on_writable
#define lws_cancel_service                  websockets.lws_cancel_service
#define lws_client_connect_via_info         websockets.lws_client_connect_via_info
#define lws_close_reason                    websockets.lws_close_reason
#define lws_context_destroy                 websockets.lws_context_destroy
#define lws_create_context                  websockets.lws_create_context
#define lws_create_vhost                    websockets.lws_create_vhost
#define lws_dll2_add_head                   websockets.lws_dll2_add_head
#define lws_dll2_add_tail                   websockets.lws_dll2_add_tail
#define lws_dll2_remove                     websockets.lws_dll2_remove
#define lws_frame_is_binary                 websockets.lws_frame_is_binary
#define lws_get_opaque_user_data            websockets.lws_get_opaque_user_data
#define lws_get_socket_fd                   websockets.lws_get_socket_fd
#define lws_get_vhost                       websockets.lws_get_vhost
#define lws_get_vhost_by_name               websockets.lws_get_vhost_by_name
#define lws_hdr_copy                        websockets.lws_hdr_copy
#define lws_hdr_copy_fragment               websockets.lws_hdr_copy_fragment
#define lws_hdr_fragment_length             websockets.lws_hdr_fragment_length
#define lws_hdr_total_length                websockets.lws_hdr_total_length
#define lws_http_client_http_response       websockets.lws_http_client_http_response
#define lws_http_client_read                websockets.lws_http_client_read
#define lws_is_final_fragment               websockets.lws_is_final_fragment
#define lws_is_first_fragment               websockets.lws_is_first_fragment
#define lws_partial_buffered                websockets.lws_partial_buffered
#define lws_remaining_packet_payload        websockets.lws_remaining_packet_payload
#define lws_rx_flow_control                 websockets.lws_rx_flow_control
#define lws_service                         websockets.lws_service
#define lws_set_log_level                   websockets.lws_set_log_level
#define lws_set_opaque_user_data            websockets.lws_set_opaque_user_data
#define lws_set_timeout                     websockets.lws_set_timeout
#define lws_sul_cancel                      websockets.lws_sul_cancel
#define lws_sul_schedule                    websockets.lws_sul_schedule
#define lws_vhost_user                      websockets.lws_vhost_user
#define lws_write                           websockets.lws_write

#endif
