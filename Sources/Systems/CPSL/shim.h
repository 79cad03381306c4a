#ifndef HIKYAKU_CPSL_SHIM_H
#define HIKYAKU_CPSL_SHIM_H

#include <libpsl.h>

#endif
