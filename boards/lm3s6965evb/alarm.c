// Timer 0, once, in 32 bits.
#include "machine.h"

enum { TIMER = 0x40030000, CFG = 0x00, TAMR = 0x04, CTL = 0x0C, IMR = 0x18, ICR = 0x24,
       TAILR = 0x28 };

// It has ended the sleep already.
void alarm_interrupt(void) { REGISTER(TIMER + ICR) = 1; }

void alarm_begin(void) {
  REGISTER(0x400FE104) |= 1 << 16;  // RCGC1: timer 0
  REGISTER(TIMER + CTL) = 0;
  REGISTER(TIMER + CFG) = 0;   // 32 bits
  REGISTER(TIMER + TAMR) = 1;  // once
  REGISTER(TIMER + IMR) = 1;
  interrupt_enable(19);
}

void alarm_set(int32_t milliseconds) {
  REGISTER(TIMER + CTL) = 0;
  REGISTER(TIMER + TAILR) = (uint32_t)milliseconds * CYCLES_PER_MILLISECOND;
  REGISTER(TIMER + CTL) = 1;
}
