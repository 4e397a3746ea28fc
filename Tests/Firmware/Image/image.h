// What the image's Swift code asks of the machine.
#pragma once
#include <stdint.h>

/// The next byte of the tape; -1 at its end.
int32_t tape_byte(void);

/// Static storage, aligned for any type. A request for more than there is ends the run: the image
/// then needs more.
void *tracker_storage(int32_t bytes);
void *settings_storage(int32_t bytes);

/// Prints `digest`, as tracker-sim writes it.
void print_digest(uint64_t digest);
