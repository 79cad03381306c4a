// OpenSSL 3, with functions for what it has as macros, which Swift can't call.

#ifndef HIKYAKU_CSSL_SHIM_H
#define HIKYAKU_CSSL_SHIM_H

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "OpenSSL 3.0 or newer is needed"
#endif

static inline int hikyaku_ssl_set_minimum_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

static inline void hikyaku_ssl_set_modes(SSL_CTX *context) {
    // What is sent again after a full buffer lies at another address, and a kept connection needs no buffers.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    // One call of the system reads all records that are there.
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    // Else, a connection that ends without a word would take its session with it. What reads the socket knows that end.
    SSL_CTX_set_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
}

static inline int hikyaku_ssl_set_server_name(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

static inline void hikyaku_ssl_set_owner(SSL *session, void *owner) {
    SSL_set_app_data(session, (char *)owner);
}

static inline void *hikyaku_ssl_owner(const SSL *session) {
    return SSL_get_app_data(session);
}

static inline int hikyaku_ssl_error_reason(unsigned long code) {
    return ERR_GET_REASON(code);
}

static inline int hikyaku_ssl_error_library(unsigned long code) {
    return ERR_GET_LIB(code);
}

static inline X509 *hikyaku_ssl_peer_certificate(const SSL *session) {
    return SSL_get0_peer_certificate(session);
}

static inline int hikyaku_ssl_chain_count(STACK_OF(X509) *certificates) {
    return sk_X509_num(certificates);
}

static inline X509 *hikyaku_ssl_pop_certificate(STACK_OF(X509) *certificates) {
    return sk_X509_shift(certificates);
}

static inline void hikyaku_ssl_free_certificates(STACK_OF(X509) *certificates) {
    sk_X509_free(certificates);
}

#endif
