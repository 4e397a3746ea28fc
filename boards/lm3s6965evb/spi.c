// SSI 0 (PL022), with PD0 as the card's select line.
#include "machine.h"

enum { SSI = 0x40008000, CR0 = 0x00, CR1 = 0x04, DR = 0x08, SR = 0x0C, CPSR = 0x10 };
enum { SR_RNE = 1 << 2 };

void spi_begin(void) {
  REGISTER(0x400FE104) |= 1 << 4;           // RCGC1: SSI 0
  REGISTER(0x400FE108) |= 1 << 0 | 1 << 3;  // RCGC2: ports A and D
  REGISTER(0x40004420) |= 0x34;             // port A: clock, in and out are SSI 0's
  REGISTER(0x4000451C) |= 0x34;
  REGISTER(0x40007400) |= 1;  // PD0: output
  REGISTER(0x4000751C) |= 1;
  REGISTER(SSI + CR1) = 0;
  REGISTER(SSI + CPSR) = 32;  // of 12.5 MHz
  REGISTER(SSI + CR0) = 7;    // 8 bits, SPI mode 0
  REGISTER(SSI + CR1) = 1 << 1;
}

void spi_speed_up(void) { REGISTER(SSI + CPSR) = 2; }

void spi_select(int is_selected) { REGISTER(0x40007004) = is_selected ? 0 : 1; }

uint8_t spi_swap(uint8_t byte) {
  REGISTER(SSI + DR) = byte;
  while (!(REGISTER(SSI + SR) & SR_RNE)) {
  }
  return (uint8_t)REGISTER(SSI + DR);
}
