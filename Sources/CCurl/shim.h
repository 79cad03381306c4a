// libcurl's variadic functions, which Swift can't call, once for each type of argument.

#ifndef HIKYAKU_CCURL_SHIM_H
#define HIKYAKU_CCURL_SHIM_H

// The names that replace the deprecated ones are newer than the oldest libcurl that is supported.
#define CURL_DISABLE_DEPRECATION 1
#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075100
#error "libcurl 7.81 or newer is needed"
#endif

static inline CURLcode hikyaku_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode hikyaku_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode hikyaku_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode hikyaku_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode hikyaku_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

// CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION and CURLOPT_READFUNCTION.
static inline CURLcode hikyaku_curl_set_data_callback(
    CURL *handle, CURLoption option, size_t (*callback)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode hikyaku_curl_set_seek_callback(
    CURL *handle, int (*callback)(void *, curl_off_t, int)) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, callback);
}

static inline CURLcode hikyaku_curl_set_open_socket_callback(
    CURL *handle, curl_socket_t (*callback)(void *, curlsocktype, struct curl_sockaddr *)) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline CURLcode hikyaku_curl_set_resolver_start_callback(
    CURL *handle, int (*callback)(void *, void *, void *)) {
    return curl_easy_setopt(handle, CURLOPT_RESOLVER_START_FUNCTION, callback);
}

static inline CURLcode hikyaku_curl_set_prerequest_callback(
    CURL *handle, int (*callback)(void *, char *, char *, int, int)) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode hikyaku_curl_set_progress_callback(
    CURL *handle, int (*callback)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t)) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, callback);
}

// A look-up of a name that isn't wanted any more is left to itself instead of being waited for; since 7.87.
static inline CURLcode hikyaku_curl_set_quick_exit(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    CURLcode code = curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
    // The library in use may be older than the header.
    return code == CURLE_UNKNOWN_OPTION ? CURLE_OK : code;
#else
    (void)handle;
    return CURLE_OK;
#endif
}

static inline CURLcode hikyaku_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode hikyaku_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode hikyaku_curl_get_pointer(CURL *handle, CURLINFO info, void **value) {
    return curl_easy_getinfo(handle, info, value);
}

// OpenSSL's session of the connection that a transfer is using; NULL where there is none.
static inline void *hikyaku_curl_openssl_session(CURL *handle) {
    struct curl_tlssessioninfo *session = NULL;
    if (!handle || curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) {
        return NULL;
    }
    return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

// A share of TLS sessions, of which libcurl keeps eight. It needs no locks, since only the loop's driver uses the
// handles that have it.
static inline CURLSH *hikyaku_curl_share_tls_sessions(void) {
    CURLSH *share = curl_share_init();
    if (share && curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION) != CURLSHE_OK) {
        curl_share_cleanup(share);
        return NULL;
    }
    return share;
}

static inline CURLMcode hikyaku_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// A finished transfer, out of the union in which libcurl hands it over; false when there is none.
static inline int hikyaku_curl_next_finished(CURLM *multi, CURL **handle, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg == CURLMSG_DONE) {
            *handle = message->easy_handle;
            *result = message->data.result;
            return 1;
        }
    }
    return 0;
}

#endif
