// The time: SysTick counts seconds, and the board's alarm ends a shorter sleep.
#include "machine.h"

enum { PERIOD = 1000 * CYCLES_PER_MILLISECOND };  // fits in SysTick's 24 bits
#define SYSTICK_CONTROL REGISTER(0xE000E010)
#define SYSTICK_RELOAD REGISTER(0xE000E014)
#define SYSTICK_VALUE REGISTER(0xE000E018)
#define INTERRUPT_CONTROL REGISTER(0xE000ED04)
enum { SYSTICK_PENDING = 1 << 26 };

static volatile uint32_t seconds;

void second_interrupt(void) { seconds++; }

void clock_begin(void) {
  SYSTICK_RELOAD = PERIOD - 1;
  SYSTICK_VALUE = 0;
  SYSTICK_CONTROL = 7;  // the processor's clock, with its interrupt
  alarm_begin();
}

int64_t machine_now(void) {
  interrupts_off();
  uint32_t whole = seconds, left = SYSTICK_VALUE;
  if (INTERRUPT_CONTROL & SYSTICK_PENDING) {
    // A second that has ended meanwhile is not counted yet.
    left = SYSTICK_VALUE;
    whole++;
  }
  interrupts_on();
  return (int64_t)whole * 1000 + (PERIOD - 1 - left) / CYCLES_PER_MILLISECOND;
}

void machine_sleep(int64_t until) {
  int64_t left = until - machine_now();
  if (left <= 0) return;
  interrupts_off();
  // With interrupts off none is missed between this question and the sleep.
  if (!uart_waiting(0) && !uart_waiting(1) && !uart_waiting(2) && !pins_waiting()) {
    // SysTick ends a longer one.
    if (left < 1000) alarm_set(ALARM_SLEEP, (int32_t)left);
    wait_for_interrupt();
  }
  interrupts_on();
}

// These are here, as tests that give the time replace this file, and have both ends of the lines.
int32_t machine_receive(int32_t port, uint8_t *bytes, int32_t room) {
  return uart_receive(port, bytes, room);
}

void machine_send(int32_t port, const uint8_t *bytes, int32_t count) {
  uart_send(port, bytes, count);
}

void machine_press_key(int32_t milliseconds) {
  pins_power_key(1);
  alarm_set(ALARM_PULSE, milliseconds);
}

int32_t machine_battery(void) { return converter_read(); }
uint32_t machine_cycles(void) { return SYSTICK_VALUE; }
