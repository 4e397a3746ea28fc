#ifndef CMICROHTTP_SHIM_H
#define CMICROHTTP_SHIM_H

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* MHD_start_daemon and the calls below are variadic, which Swift does not import; remove these when
 * it does. */

/* The library takes over the listening socket and closes it when it stops.
 * One thread serves all connections; those that wait for their answers are suspended.
 * Certificates and key are PEM texts, or NULL for a server without TLS. TLS is limited to 1.2 and
 * later; the library's default also permits older versions, which RFC 8996 forbids. */
static inline struct MHD_Daemon *cmicrohttp_start(
    int listener, const char *certificates, const char *key,
    unsigned int connections, unsigned int idle_seconds, size_t header_bytes,
    MHD_AcceptPolicyCallback accepts, MHD_NotifyConnectionCallback notify,
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection),
    MHD_AccessHandlerCallback proceed, MHD_RequestCompletedCallback end, void *context) {
  struct MHD_OptionItem with_tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificates},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
      {MHD_OPTION_END, 0, NULL}};
  struct MHD_OptionItem without_tls[] = {{MHD_OPTION_END, 0, NULL}};
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (key ? MHD_USE_TLS : 0), 0,
      accepts, context, proceed, context, MHD_OPTION_LISTEN_SOCKET, listener,
      MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_NOTIFY_CONNECTION, notify, context, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      header_bytes, MHD_OPTION_URI_LOG_CALLBACK, begin, context, MHD_OPTION_NOTIFY_COMPLETED, end,
      context, MHD_OPTION_ARRAY, key ? with_tls : without_tls, MHD_OPTION_END);
}

static inline enum MHD_Result cmicrohttp_refuse(
    void *context, struct MHD_Connection *connection, const char *url, const char *method,
    const char *version, const char *bytes, size_t *count, void **state) {
  (void)context, (void)connection, (void)url, (void)method, (void)version, (void)bytes;
  (void)count, (void)state;
  return MHD_NO;
}

/* Whether the library accepts these for TLS. Starting a server without a socket distinguishes that
 * from an address that is in use. */
static inline int cmicrohttp_takes(const char *certificates, const char *key) {
  struct MHD_Daemon *trial = MHD_start_daemon(
      MHD_USE_TLS | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL, cmicrohttp_refuse, NULL,
      MHD_OPTION_HTTPS_MEM_CERT, certificates, MHD_OPTION_HTTPS_MEM_KEY, key, MHD_OPTION_END);
  if (trial) MHD_stop_daemon(trial);
  return trial != NULL;
}

static inline int cmicrohttp_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/* Writes an IPv4 address, without its port. */
static inline void cmicrohttp_address(const struct sockaddr *address, char *text, size_t count) {
  text[0] = 0;
  if (address && address->sa_family == AF_INET) {
    const struct sockaddr_in *place = (const struct sockaddr_in *)address;
    inet_ntop(AF_INET, &place->sin_addr, text, (socklen_t)count);
  }
}

/* The same of a client. */
static inline void cmicrohttp_client(struct MHD_Connection *connection, char *text, size_t count) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  cmicrohttp_address(info ? info->client_addr : NULL, text, count);
}

/* What the callback for the connection's begin has stored. */
static inline void *cmicrohttp_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/* Resets a connection. The library calls shutdown before close, which ends the connection normally
 * in spite of SO_LINGER; connecting to AF_UNSPEC resets it at once (connect(2); Linux). */
static inline void cmicrohttp_reset(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
  if (info) connect(info->connect_fd, &nowhere, sizeof nowhere);
}

/* The names of these enumerations' members in Swift depend on the library's version. */
static inline enum MHD_Result cmicrohttp_result(int goes_on) {
  return goes_on ? MHD_YES : MHD_NO;
}

static inline const char *cmicrohttp_header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

struct cmicrohttp_search {
  const char *name;
  const char *value;
};

static inline enum MHD_Result cmicrohttp_note(
    void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  struct cmicrohttp_search *search = context;
  (void)kind;
  if (strcasecmp(name, search->name) == 0) search->value = value;
  return MHD_YES;
}

/* The last of the headers with a name. */
static inline const char *cmicrohttp_last_header(
    struct MHD_Connection *connection, const char *name) {
  struct cmicrohttp_search search = {name, NULL};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, cmicrohttp_note, &search);
  return search.value;
}

/* Copies the bytes. */
static inline struct MHD_Response *cmicrohttp_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

/* A response of unknown length, whose pieces `read` gives. */
static inline struct MHD_Response *cmicrohttp_stream(
    size_t piece_bytes, MHD_ContentReaderCallback read, void *context,
    MHD_ContentReaderFreeCallback end) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, piece_bytes, read, context, end);
}

static const ssize_t cmicrohttp_end = MHD_CONTENT_READER_END_OF_STREAM;

/* Gives back the pages of a buffer of which nothing is kept: the library sets what it has used for
 * the request to zero, 64 KB of each connection. */
static inline void cmicrohttp_give_back(void *buffer, size_t count) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t first = ((uintptr_t)buffer + page - 1) / page * page;
  uintptr_t end = ((uintptr_t)buffer + count) / page * page;
  if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
}

/* Bounds what the kernel keeps for a client that does not read, and for how long it does so for
 * one that has gone (tcp(7)). */
static inline void cmicrohttp_bound_stream(
    struct MHD_Connection *connection, int bytes, unsigned int milliseconds) {
  int descriptor = cmicrohttp_descriptor(connection);
  setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
}

#endif
