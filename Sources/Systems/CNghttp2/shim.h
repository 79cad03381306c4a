#include <nghttp2/nghttp2.h>

#if NGHTTP2_VERSION_NUM < 0x012b00
#error "nghttp2 1.43 or newer is needed"
#endif

// Versions since 1.61, and patched older ones, take no more than 8 CONTINUATION frames by default.
// The header of an older one doesn't have the function, nor has its library.
extern void nghttp2_option_set_max_continuations(nghttp2_option *option, size_t count) __attribute__((weak));

static inline void hikyaku_nghttp2_allow_continuations(nghttp2_option *option, size_t count) {
    if (nghttp2_option_set_max_continuations) {
        nghttp2_option_set_max_continuations(option, count);
    }
}
