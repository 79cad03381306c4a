#include <nghttp2/nghttp2.h>

#if NGHTTP2_VERSION_NUM < 0x012b00
#error "nghttp2 1.43 or newer is needed"
#endif
