// TIM2, once, in 32 bits.
#include "machine.h"

enum { TIM2 = 0x40000000, CR1 = 0x00, DIER = 0x0C, SR = 0x10, EGR = 0x14, ARR = 0x2C };
enum { CEN = 1 << 0, URS = 1 << 2, OPM = 1 << 3 };

// It has ended the sleep already.
void alarm_interrupt(void) { REGISTER(TIM2 + SR) = 0; }

void alarm_begin(void) {
  REGISTER(RCC + APB1ENR1) |= 1 << 0;
  REGISTER(TIM2 + CR1) = URS | OPM;
  REGISTER(TIM2 + DIER) = 1;
  interrupt_enable(28);
}

void alarm_set(int32_t milliseconds) {
  REGISTER(TIM2 + CR1) = URS | OPM;
  REGISTER(TIM2 + ARR) = (uint32_t)milliseconds * CYCLES_PER_MILLISECOND - 1;
  REGISTER(TIM2 + EGR) = 1;  // count from zero
  REGISTER(TIM2 + CR1) = URS | OPM | CEN;
}
