#include "bare_loop.h"

static int hexadecimal_value(uint8_t c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Aligned, because its inner loop is slower by a third where a cache line ends within it, so that
// its speed would depend on what is linked before it.
__attribute__((aligned(64)))
uint64_t bare_loop_count_good_lines(const uint8_t *bytes, size_t count) {
  const uint8_t *p = bytes;
  const uint8_t *end = bytes + count;
  uint64_t good = 0;
  while (p < end) {
    if (*p != '$') {
      p++;
      continue;
    }
    p++;
    uint8_t sum = 0;
    while (p < end && *p != '*' && *p != '\r' && *p != '\n') sum ^= *p++;
    if (end - p < 3 || *p != '*') continue;
    int high = hexadecimal_value(p[1]);
    int low = hexadecimal_value(p[2]);
    if (high >= 0 && low >= 0 && (high << 4 | low) == sum) good++;
    p += 3;
  }
  return good;
}
