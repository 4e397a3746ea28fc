// The battery's divider at PA0, which is input 5 of ADC 1.
#include "machine.h"

enum { ADC = 0x50040000, ISR = 0x00, CR = 0x08, SMPR1 = 0x14, SQR1 = 0x30, DR = 0x40, CCR = 0x308 };
enum { ADRDY = 1 << 0, EOC = 1 << 2 };
enum { ADEN = 1 << 0, ADDIS = 1 << 1, ADSTART = 1 << 2, ADVREGEN = 1 << 28, ADCAL = 1u << 31 };
enum { MODER = 0x00, ASCR = 0x2C };

static int wait_until(uint32_t place, uint32_t bits, uint32_t value) {
  for (int32_t tries = 10 * CYCLES_PER_MILLISECOND; tries > 0; tries--) {
    if ((REGISTER(ADC + place) & bits) == value) return 1;
  }
  return 0;
}

static int32_t convert(void) {
  REGISTER(ADC + CR) = ADVREGEN;
  // 20 µs, in which the regulator starts.
  for (volatile int32_t left = CYCLES_PER_MILLISECOND / 50; left > 0; left--) {
  }
  REGISTER(ADC + CR) |= ADCAL;
  if (!wait_until(CR, ADCAL, 0)) return -1;
  // Not for four cycles of the converter after that.
  for (volatile int32_t left = 8; left > 0; left--) {
  }
  REGISTER(ADC + ISR) = ADRDY;
  REGISTER(ADC + CR) |= ADEN;
  if (!wait_until(ISR, ADRDY, ADRDY)) return -1;
  REGISTER(ADC + SMPR1) = 7u << 15;  // input 5: 640 cycles, as a divider is slow
  REGISTER(ADC + SQR1) = 5u << 6;    // it alone
  REGISTER(ADC + CR) |= ADSTART;
  if (!wait_until(ISR, EOC, EOC)) return -1;
  // Of 12 bits.
  return (int32_t)(REGISTER(ADC + DR) & 0xFFF) << 4;
}

int32_t converter_read(void) {
  REGISTER(RCC + AHB2ENR) |= 1 << 13;
  REGISTER(PORT_A + MODER) |= 3;  // analogue
  REGISTER(PORT_A + ASCR) |= 1;
  REGISTER(ADC + CCR) = 1 << 16;  // the processor's clock
  int32_t value = convert();
  if (REGISTER(ADC + CR) & ADEN) {
    REGISTER(ADC + CR) |= ADDIS;
    wait_until(CR, ADEN, 0);
  }
  // Off: it would draw 0.1 mA.
  REGISTER(ADC + CR) = 0;
  REGISTER(RCC + AHB2ENR) &= ~(1u << 13);
  return value;
}
