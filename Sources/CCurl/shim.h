#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

/* The type checks in libcurl's macros need constant options; here they are arguments. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/* 7.85 has CURLOPT_PROTOCOLS_STR; from 7.88 on a TLS connection that the server has closed raises
 * no SIGPIPE either, so that CURLOPT_NOSIGNAL is safe. Debian 12 has 7.88. */
#if LIBCURL_VERSION_NUM < 0x075800
#error "libcurl 7.88 or later is needed: install libcurl4-openssl-dev of Debian 12 or later"
#endif

/* curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, which Swift does not
 * import. One wrapper per type of argument, to be removed when Swift imports such functions. */

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

/* For strings and the body (CURLOPT_COPYPOSTFIELDS), both of which libcurl copies. */
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *text) {
  return curl_easy_setopt(easy, option, text);
}

/* For user data, lists of headers and the error buffer, which libcurl does not copy. */
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *pointer) {
  return curl_easy_setopt(easy, option, pointer);
}

typedef size_t (*ccurl_receive)(char *bytes, size_t size, size_t count, void *user);

static inline CURLcode ccurl_set_receive(CURL *easy, CURLoption option, ccurl_receive function) {
  return curl_easy_setopt(easy, option, function);
}

static inline CURLcode ccurl_set_before_request(CURL *easy, curl_prereq_callback function) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode ccurl_set_trace(CURL *easy, curl_debug_callback function) {
  return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, function);
}

static inline long ccurl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline curl_off_t ccurl_get_size(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

/* A macro with a cast, which Swift does not import: the descriptor that means a timeout. */
static const curl_socket_t ccurl_no_socket = CURL_SOCKET_TIMEOUT;

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/* Sets both callbacks of a poll loop, with the same user data. */
static inline CURLMcode ccurl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *user) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, user);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, user);
  return code;
}

/* CURLMsg has a union and is valid until the next call only, so it is unpacked here. Returns the
 * handle of a transfer that has ended, or null if there is none. */
static inline CURL *ccurl_multi_next_ended(CURLM *multi, CURLcode *code) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *code = message->data.result;
    return message->easy_handle;
  }
  return 0;
}

#endif
