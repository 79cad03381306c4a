// What Swift's Glibc module leaves out of Linux's C library.

#ifndef HIKYAKU_CEPOLL_SHIM_H
#define HIKYAKU_CEPOLL_SHIM_H

#include <sys/epoll.h>
#include <sys/eventfd.h>

#endif
