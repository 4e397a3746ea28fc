// SPI2 on PB13 to PB15, with PB12 as the card's select line.
#include "machine.h"

enum { SPI = 0x40003800, CR1 = 0x00, CR2 = 0x04, SR = 0x08, DR = 0x0C };
// Slow is a sixteenth of 4 MHz.
enum { MSTR = 1 << 2, SLOW = 3 << 3, SPE = 1 << 6, SSI = 1 << 8, SSM = 1 << 9 };
enum { MODER = 0x00, BSRR = 0x18 };

void spi_begin(void) {
  REGISTER(RCC + APB1ENR1) |= 1 << 14;
  spi_select(0);
  REGISTER(PORT_B + MODER) = (REGISTER(PORT_B + MODER) & ~(3u << 24)) | 1u << 24;
  for (int pin = 13; pin <= 15; pin++) pin_use(PORT_B, pin, 5);
  REGISTER(SPI + CR2) = 7 << 8 /* 8 bits */ | 1 << 12 /* RXNE with one byte */;
  REGISTER(SPI + CR1) = MSTR | SSI | SSM | SLOW;
  REGISTER(SPI + CR1) |= SPE;
}

void spi_speed_up(void) {
  REGISTER(SPI + CR1) &= ~(uint32_t)SPE;
  REGISTER(SPI + CR1) &= ~(uint32_t)SLOW;
  REGISTER(SPI + CR1) |= SPE;
}

void spi_select(int is_selected) {
  REGISTER(PORT_B + BSRR) = is_selected ? 1u << 28 : 1u << 12;
}

// A word would be two bytes.
uint8_t spi_swap(uint8_t byte) {
  *(volatile uint8_t *)(SPI + DR) = byte;
  while (!(REGISTER(SPI + SR) & 1)) {
  }
  return *(volatile uint8_t *)(SPI + DR);
}
