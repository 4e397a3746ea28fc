// The SD card.
#pragma once
#include <stdint.h>

/// Starts the card; returns how many blocks of 512 bytes it has, 0 without one.
uint32_t card_begin(void);
// The next one that begins may be another card.
void card_forget(void);
/// Both return 0 if that failed. A block that was written is on the card.
int32_t card_read(uint32_t number, uint8_t *bytes);
int32_t card_write(uint32_t number, const uint8_t *bytes);
