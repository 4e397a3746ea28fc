// The clocks, the pins, and the vectors.
#include "machine.h"

extern uint32_t stack_top[];

void console_interrupt(void);
void receiver_interrupt(void);
void modem_interrupt(void);
void pins_interrupt(void);

enum { CR = 0x00, BDCR = 0x90, MSIPLLEN = 1 << 2, LSEON = 1 << 0, LSERDY = 1 << 1 };
enum { PWR_CR1 = 0x40007000, DBP = 1 << 8 };

// MSI alone is off by a percent: the crystal for the clock, where it starts, keeps it to 0.25 %.
void board_begin(void) {
  REGISTER(RCC + AHB2ENR) |= 7;          // GPIO A to C
  REGISTER(RCC + APB1ENR1) |= 1u << 28;  // PWR
  REGISTER(PWR_CR1) |= DBP;
  REGISTER(RCC + BDCR) |= LSEON;
  // It takes up to 2 s.
  for (int32_t tries = 1000 * CYCLES_PER_MILLISECOND; --tries > 0;) {
    if (REGISTER(RCC + BDCR) & LSERDY) {
      REGISTER(RCC + CR) |= MSIPLLEN;
      return;
    }
  }
}

void pin_use(uint32_t port, int pin, uint32_t function) {
  enum { MODER = 0x00, PUPDR = 0x0C, AFR = 0x20 };
  int pair = 2 * pin, four = 4 * (pin % 8);
  uint32_t select = port + AFR + 4 * (uint32_t)(pin / 8);
  REGISTER(select) = (REGISTER(select) & ~(15u << four)) | function << four;
  REGISTER(port + PUPDR) = (REGISTER(port + PUPDR) & ~(3u << pair)) | 1u << pair;
  REGISTER(port + MODER) = (REGISTER(port + MODER) & ~(3u << pair)) | 2u << pair;
}

#define FAULT (const void *)fault
// Exceptions 1 to 15, then the interrupts.
__attribute__((section(".vectors"), used)) static const void *const vectors[16 + 82] = {
    [0] = stack_top, [1] = (const void *)reset, [2] = FAULT, [3] = FAULT, [4] = FAULT, [5] = FAULT,
    [6] = FAULT, [15] = (const void *)second_interrupt,
    [16 + 28] = (const void *)sleep_interrupt, [16 + 37] = (const void *)receiver_interrupt,
    [16 + 38] = (const void *)console_interrupt, [16 + 39] = (const void *)modem_interrupt,
    [16 + 40] = (const void *)pins_interrupt, [16 + 50] = (const void *)pulse_interrupt,
};
