// Reset: the PLL, memory, and what must run before Swift does; storage; faults.
#include "machine.h"

extern uint32_t stack_top[], data_load[], data_start[], data_end[], bss_start[], bss_end[];
extern const uint32_t settings_start[];
extern int main(int count, char **words);

void console_interrupt(void);
void receiver_interrupt(void);
void modem_interrupt(void);
void second_interrupt(void);
void alarm_interrupt(void);
void pins_interrupt(void);

// MARK: Memory

__attribute__((aligned(8))) static uint8_t tracker[4928], host[1024], card[2560];

static void say(const char *text) {
  int32_t count = 0;
  while (text[count]) count++;
  uart_send(0, (const uint8_t *)text, count);
}

void machine_restart(void) {
  REGISTER(0xE000ED0C) = 0x05FA0004;  // AIRCR: SYSRESETREQ
  while (1) {
  }
}

// The build gives it.
uint32_t core_version(void) { return CORE_VERSION; }

// A trap of Swift's ends here, as does any other fault: the tracker starts again.
void fault(void) {
  say("fault\r\n");
  machine_restart();
}

static void *storage(uint8_t *place, int32_t room, int32_t bytes) {
  if (bytes > room) fault();
  return place;
}

void *tracker_storage(int32_t bytes) { return storage(tracker, sizeof tracker, bytes); }
void *host_storage(int32_t bytes) { return storage(host, sizeof host, bytes); }
void *card_storage(int32_t bytes) { return storage(card, sizeof card, bytes); }

const void *settings_place(void) { return settings_start; }
void no_settings(void) {
  say("no settings for this firmware at 0x3F000\r\n");
  while (1) wait_for_interrupt();
}

// MARK: Reset

// 200 MHz of the PLL, with the board's crystal of 8 MHz, divided by 16.
static void start_pll(void) {
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

void reset(void) {
  for (uint32_t *to = data_start, *from = data_load; to < data_end;) *to++ = *from++;
  for (uint32_t *to = bss_start; to < bss_end;) *to++ = 0;
  start_pll();
  uart_begin();
  pins_begin();
  clock_begin();
  interrupts_on();
  main(0, 0);
  fault();
}

#define FAULT (const void *)fault
// Exceptions 1 to 15, then the interrupts.
__attribute__((section(".vectors"), used)) static const void *const vectors[16 + 44] = {
    [0] = stack_top, [1] = (const void *)reset, [2] = FAULT, [3] = FAULT, [4] = FAULT, [5] = FAULT,
    [6] = FAULT, [15] = (const void *)second_interrupt,
    [16 + 5] = (const void *)console_interrupt, [16 + 6] = (const void *)receiver_interrupt,
    [16 + 19] = (const void *)alarm_interrupt, [16 + 30] = (const void *)pins_interrupt,
    [16 + 33] = (const void *)modem_interrupt,
};
