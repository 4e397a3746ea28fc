// The lines to the modem and people: PC8, the board's blue button on PC13, which has a pull-up of its
// own, and its green light LD2 on PA5.
#include "machine.h"

enum { C = 0x48000800, MODER = 0x00, IDR = 0x10, BSRR = 0x18 };
enum { EXTI = 0x40010400, IMR1 = 0x00, RTSR1 = 0x08, FTSR1 = 0x0C, PR1 = 0x14 };
enum { SYSCFG_EXTICR4 = 0x40010014 };
enum { POWER_KEY = 1 << 8, BUTTON = 1 << 13, LIGHT = 1 << 5 };

static volatile int32_t is_changed;

void pins_interrupt(void) {
  REGISTER(EXTI + PR1) = BUTTON;
  is_changed = 1;
}

int32_t pins_waiting(void) { return is_changed; }

void pins_begin(void) {
  pins_power_key(0);
  REGISTER(C + MODER) = (REGISTER(C + MODER) & ~(3u << 16 | 3u << 26)) | 1u << 16;
  REGISTER(PORT_A + MODER) = (REGISTER(PORT_A + MODER) & ~(3u << 10)) | 1u << 10;
  REGISTER(RCC + APB2ENR) |= 1 << 0;                                           // SYSCFG
  REGISTER(SYSCFG_EXTICR4) = (REGISTER(SYSCFG_EXTICR4) & ~0xF0u) | 2u << 4;  // line 13: port C
  REGISTER(EXTI + RTSR1) |= BUTTON;
  REGISTER(EXTI + FTSR1) |= BUTTON;
  REGISTER(EXTI + IMR1) |= BUTTON;
  interrupt_enable(40);
}

void pins_power_key(int32_t is_active) {
  REGISTER(C + BSRR) = is_active ? POWER_KEY : (uint32_t)POWER_KEY << 16;
}

void machine_light(int32_t is_lit) {
  REGISTER(PORT_A + BSRR) = is_lit ? LIGHT : (uint32_t)LIGHT << 16;
}

int32_t machine_button(void) {
  is_changed = 0;
  return (REGISTER(C + IDR) & BUTTON) == 0;
}
