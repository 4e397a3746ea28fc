#ifndef BARE_LOOP_H
#define BARE_LOOP_H

#include <stddef.h>
#include <stdint.h>

/* The yardstick of `tracker-sim bench`: finds lines and verifies their checksums, byte by byte, and
 * does nothing else. Returns how many lines are whole. */
uint64_t bare_loop_count_good_lines(const uint8_t *bytes, size_t count);

#endif
