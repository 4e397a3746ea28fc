#ifndef CSERIALPORT_SHIM_H
#define CSERIALPORT_SHIM_H

#include <libserialport.h>

/* The version that was tested. Debian 12 has 0.1.1. */
#if SP_PACKAGE_VERSION_MAJOR == 0 && SP_PACKAGE_VERSION_MINOR < 1
#error "libserialport 0.1 or later is needed: install libserialport-dev of Debian 12 or later"
#endif

#endif
