// TIM2 and TIM5, once each, in 32 bits.
#include "machine.h"

enum { CR1 = 0x00, DIER = 0x0C, SR = 0x10, EGR = 0x14, ARR = 0x2C };
enum { CEN = 1 << 0, URS = 1 << 2, OPM = 1 << 3 };

static const uint32_t timers[] = {[ALARM_SLEEP] = 0x40000000, [ALARM_PULSE] = 0x40000C00};

// It has ended the sleep already.
void sleep_interrupt(void) { REGISTER(timers[ALARM_SLEEP] + SR) = 0; }

void pulse_interrupt(void) {
  REGISTER(timers[ALARM_PULSE] + SR) = 0;
  pins_power_key(0);
}

void alarm_begin(void) {
  REGISTER(RCC + APB1ENR1) |= 1 << 0 | 1 << 3;
  for (int alarm = 0; alarm < ALARMS; alarm++) {
    REGISTER(timers[alarm] + CR1) = URS | OPM;
    REGISTER(timers[alarm] + DIER) = 1;
  }
  interrupt_enable(28);
  interrupt_enable(50);
}

void alarm_set(int alarm, int32_t milliseconds) {
  REGISTER(timers[alarm] + CR1) = URS | OPM;
  REGISTER(timers[alarm] + ARR) = (uint32_t)milliseconds * CYCLES_PER_MILLISECOND - 1;
  REGISTER(timers[alarm] + EGR) = 1;  // count from zero
  REGISTER(timers[alarm] + CR1) = URS | OPM | CEN;
}
