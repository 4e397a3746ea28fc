// Timers 0 and 2, once each, in 32 bits: timer 1 is the converter's.
#include "machine.h"

enum { CFG = 0x00, TAMR = 0x04, CTL = 0x0C, IMR = 0x18, ICR = 0x24, TAILR = 0x28 };

static const uint32_t timers[] = {[ALARM_SLEEP] = 0x40030000, [ALARM_PULSE] = 0x40032000};

// It has ended the sleep already.
void sleep_interrupt(void) { REGISTER(timers[ALARM_SLEEP] + ICR) = 1; }

void pulse_interrupt(void) {
  REGISTER(timers[ALARM_PULSE] + ICR) = 1;
  pins_power_key(0);
}

void alarm_begin(void) {
  REGISTER(0x400FE104) |= 5 << 16;  // RCGC1: timers 0 and 2
  for (int alarm = 0; alarm < ALARMS; alarm++) {
    REGISTER(timers[alarm] + CTL) = 0;
    REGISTER(timers[alarm] + CFG) = 0;   // 32 bits
    REGISTER(timers[alarm] + TAMR) = 1;  // once
    REGISTER(timers[alarm] + IMR) = 1;
  }
  interrupt_enable(19);
  interrupt_enable(23);
}

void alarm_set(int alarm, int32_t milliseconds) {
  REGISTER(timers[alarm] + CTL) = 0;
  REGISTER(timers[alarm] + TAILR) = (uint32_t)milliseconds * CYCLES_PER_MILLISECOND;
  REGISTER(timers[alarm] + CTL) = 1;
}
