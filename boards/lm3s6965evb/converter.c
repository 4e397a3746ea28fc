// The battery's divider at the input ADC0, by sample sequencer 3. Timer 1 starts it: QEMU's converter
// knows no other trigger.
#include "machine.h"

enum { ADC = 0x40038000, ACTSS = 0x00, EMUX = 0x14, SSMUX3 = 0xA0, SSCTL3 = 0xA4, SSFIFO3 = 0xA8,
       SSFSTAT3 = 0xAC };
enum { TIMER = 0x40031000, CFG = 0x00, TAMR = 0x04, CTL = 0x0C, TAILR = 0x28 };
enum { TAEN = 1 << 0, TAOTE = 1 << 5, EMPTY = 1 << 8, END = 1 << 1 };

int32_t converter_read(void) {
  REGISTER(0x400FE100) |= 1 << 16;  // RCGC0: converter
  REGISTER(0x400FE104) |= 1 << 17;  // RCGC1: timer 1
  REGISTER(ADC + EMUX) = 5 << 12;   // by a timer
  REGISTER(ADC + SSMUX3) = 0;
  REGISTER(ADC + SSCTL3) = END;
  REGISTER(ADC + ACTSS) = 1 << 3;
  REGISTER(TIMER + CTL) = 0;
  REGISTER(TIMER + CFG) = 0;   // 32 bits
  REGISTER(TIMER + TAMR) = 1;  // once
  REGISTER(TIMER + TAILR) = CYCLES_PER_MILLISECOND / 10;
  REGISTER(TIMER + CTL) = TAEN | TAOTE;
  // It takes 0.1 ms; 0.1 s is too long.
  for (int32_t tries = 10 * CYCLES_PER_MILLISECOND; tries > 0; tries--) {
    // Of 10 bits.
    if (!(REGISTER(ADC + SSFSTAT3) & EMPTY)) return (REGISTER(ADC + SSFIFO3) & 0x3FF) << 6;
  }
  return -1;
}
