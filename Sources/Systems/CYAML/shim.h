#ifndef HIKYAKU_CYAML_SHIM_H
#define HIKYAKU_CYAML_SHIM_H

#include <yaml.h>

#endif
