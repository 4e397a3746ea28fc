// The SD card in its SPI mode, as QEMU's card understands it: blocks of 512 bytes. Its limits of
// time are from memory: the specification was not at hand.
#include "machine.h"

// In bytes, each 1.3 µs or longer: 100 ms until a block comes, 0.5 s until one is programmed, and
// 1 s, at the lower speed, for a card's start.
enum { READ_LIMIT = 80000, WRITE_LIMIT = 400000, START_LIMIT = 4000 };
// Commands before a card counts as absent, and failures in a row before it is started again: one
// that has lost its supply for a moment hears nothing until then.
enum { WAKE_TRIES = 10, FAILURES = 4 };

// The card of the start, by its CID register, and whether it is the one in the slot: another one has
// another tracker's captures.
static uint8_t identity[16];
static int is_known, is_usable;

// Blocks of cards of more than 2 GB are addressed by their number, those of others by bytes.
static int32_t addressed_by_block;

// Cards let go of their output only with one more byte.
static void select_card(int on) {
  spi_select(on);
  spi_swap(0xFF);
}

// What a card sends until this byte is gone, or comes. Returns the first other one; `skipped`
// itself after too long.
static uint8_t skip(uint8_t skipped, int32_t limit) {
  uint8_t byte = spi_swap(0xFF);
  while (byte == skipped && --limit > 0) byte = spi_swap(0xFF);
  return byte;
}

// Sends a command to the selected card. Returns its first response, 0xFF if there is none.
static uint8_t command(uint8_t number, uint32_t argument) {
  // It may still be programming.
  skip(0x00, WRITE_LIMIT);
  spi_swap(0x40 | number);
  for (int shift = 24; shift >= 0; shift -= 8) spi_swap((uint8_t)(argument >> shift));
  // Only these two are checked in SPI mode: CRC-7 of CMD0, and of CMD8 with its argument below.
  spi_swap(number == 0 ? 0x95 : number == 8 ? 0x87 : 0x01);
  return skip(0xFF, 16);
}

static uint8_t application_command(uint8_t number, uint32_t argument) {
  command(55, 0);
  return command(number, argument);
}

static int receive(uint8_t *bytes, int32_t count) {
  if (skip(0xFF, READ_LIMIT) != 0xFE) return 0;
  while (count-- > 0) *bytes++ = spi_swap(0xFF);
  spi_swap(0xFF);  // CRC-16: the block has a checksum of its own
  spi_swap(0xFF);
  return 1;
}

// The number of blocks that a card states in its CSD register.
static uint32_t capacity(void) {
  uint8_t csd[16];
  if (command(9, 0) != 0 || !receive(csd, sizeof csd)) return 0;
  if (csd[0] >> 6 == 1) {
    uint32_t size = (uint32_t)(csd[7] & 0x3F) << 16 | (uint32_t)csd[8] << 8 | csd[9];
    return (size + 1) << 10;
  }
  uint32_t size = (uint32_t)(csd[6] & 3) << 10 | (uint32_t)csd[7] << 2 | csd[8] >> 6;
  uint32_t shift = ((uint32_t)(csd[9] & 3) << 1 | csd[10] >> 7) + 2 + (csd[5] & 15);
  return shift < 9 ? 0 : (size + 1) << (shift - 9);
}

// Whether a response has no error. Whether the card is still starting, bit 0, CMD41 asks: QEMU does
// not set that bit in the other responses as cards do.
static int is_good(uint8_t response) { return (response & 0xFE) == 0; }

// Whether a register is as the card has sent it: CRC-7, x^7 + x^3 + 1.
static int is_whole(const uint8_t *bytes) {
  uint8_t sum = 0;
  for (int index = 0; index < 15; index++) {
    sum ^= bytes[index];
    for (int bit = 0; bit < 8; bit++) sum = (uint8_t)(sum << 1 ^ (sum & 0x80 ? 0x12 : 0));
  }
  return (sum | 1) == bytes[15];
}

static uint32_t start(void) {
  // A reset may have come within a block that is being written: this is its rest.
  for (int index = 0; index < 520; index++) spi_swap(0xFF);
  int wakes = WAKE_TRIES;
  while (!is_good(command(0, 0))) {
    if (--wakes == 0) return 0;
  }
  uint32_t high_capacity = 0;
  if (is_good(command(8, 0x1AA))) {
    for (int index = 0; index < 4; index++) spi_swap(0xFF);
    high_capacity = 1u << 30;
  }
  int32_t tries = START_LIMIT;
  while (application_command(41, high_capacity) != 0) {
    if (--tries == 0) return 0;
  }
  if (!is_good(command(58, 0))) return 0;
  addressed_by_block = spi_swap(0xFF) >> 6 & 1;
  for (int index = 0; index < 3; index++) spi_swap(0xFF);
  if (!addressed_by_block && command(16, 512) != 0) return 0;
  uint8_t cid[16];
  if (command(10, 0) != 0 || !receive(cid, sizeof cid) || !is_whole(cid)) return 0;
  for (int index = 0; index < 16; index++) {
    if (is_known && cid[index] != identity[index]) return 0;
    identity[index] = cid[index];
  }
  is_known = 1;
  return capacity();
}

void card_forget(void) { is_known = 0; }

uint32_t card_begin(void) {
  spi_begin();
  // 74 clocks or more wake it.
  for (int index = 0; index < 10; index++) select_card(0);
  select_card(1);
  uint32_t blocks = start();
  is_usable = blocks > 0;
  select_card(0);
  spi_speed_up();
  return blocks;
}

// Notes whether a read or a write was done.
static int32_t noted(int done) {
  static int failures;
  failures = done ? 0 : failures + 1;
  if (failures >= FAILURES) {
    failures = 0;
    card_begin();
  }
  return done;
}

static uint32_t address(uint32_t number) { return addressed_by_block ? number : number * 512; }

int32_t card_read(uint32_t number, uint8_t *bytes) {
  select_card(1);
  int done = is_usable && command(17, address(number)) == 0 && receive(bytes, 512);
  select_card(0);
  return noted(done);
}

int32_t card_write(uint32_t number, const uint8_t *bytes) {
  select_card(1);
  int done = 0;
  if (is_usable && command(24, address(number)) == 0) {
    spi_swap(0xFF);
    spi_swap(0xFE);
    for (int index = 0; index < 512; index++) spi_swap(bytes[index]);
    spi_swap(0xFF);
    spi_swap(0xFF);
    // Accepted; then low until it is programmed; then the status says whether it was.
    done = (spi_swap(0xFF) & 0x1F) == 5 && skip(0x00, WRITE_LIMIT) != 0 && command(13, 0) == 0 &&
           spi_swap(0xFF) == 0;
  }
  select_card(0);
  return noted(done);
}
