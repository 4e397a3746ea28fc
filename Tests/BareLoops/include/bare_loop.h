#ifndef BARE_LOOP_H
#define BARE_LOOP_H

#include <stddef.h>
#include <stdint.h>

/* The baseline for the decoder: finds lines and verifies their checksums, byte by byte.
 * Returns the number of lines with a correct checksum. */
uint64_t bare_loop_count_good_lines(const uint8_t *bytes, size_t count);

#endif
