#ifndef HIKYAKU_CCRYPTO_SHIM_H
#define HIKYAKU_CCRYPTO_SHIM_H

#include <openssl/evp.h>
#include <openssl/hmac.h>

#endif
