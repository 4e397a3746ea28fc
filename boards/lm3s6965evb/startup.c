// The processor's clock, and the vectors.
#include "machine.h"

extern uint32_t stack_top[];

void console_interrupt(void);
void receiver_interrupt(void);
void modem_interrupt(void);
void pins_interrupt(void);

// 200 MHz of the PLL, with the board's crystal of 8 MHz, divided by 16.
void board_begin(void) {
  volatile uint32_t *const rcc = &REGISTER(0x400FE060);
  enum { BYPASS = 1 << 11, PWRDN = 1 << 13, USESYSDIV = 1 << 22 };
  *rcc = (*rcc | BYPASS) & ~(uint32_t)USESYSDIV;
  // XTAL and OSCSRC: the main oscillator, 8 MHz; MOSCDIS and PWRDN: both run.
  uint32_t value = (*rcc & ~(uint32_t)(0x1F << 6 | 3 << 4 | 1 | PWRDN)) | 0x0E << 6;
  *rcc = value;
  *rcc = value = (value & ~(uint32_t)(0xF << 23)) | 0xFu << 23 | USESYSDIV;
  while (!(REGISTER(0x400FE050) & 1 << 6)) {  // RIS: locked
  }
  *rcc = value & ~(uint32_t)BYPASS;
}

#define FAULT (const void *)fault
// Exceptions 1 to 15, then the interrupts.
__attribute__((section(".vectors"), used)) static const void *const vectors[16 + 44] = {
    [0] = stack_top, [1] = (const void *)reset, [2] = FAULT, [3] = FAULT, [4] = FAULT, [5] = FAULT,
    [6] = FAULT, [15] = (const void *)second_interrupt,
    [16 + 5] = (const void *)console_interrupt, [16 + 6] = (const void *)receiver_interrupt,
    [16 + 19] = (const void *)sleep_interrupt, [16 + 23] = (const void *)pulse_interrupt,
    [16 + 30] = (const void *)pins_interrupt, [16 + 33] = (const void *)modem_interrupt,
};
