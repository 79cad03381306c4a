// Where the C library counts what is allocated.
#ifdef __APPLE__
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif
