// Reset, storage and faults.
#include "machine.h"

extern uint32_t stack_top[], data_load[], data_start[], data_end[], bss_start[], bss_end[];
extern const uint32_t settings_start[];
extern int main(int count, char **words);

// MARK: Memory

__attribute__((aligned(8))) static uint8_t tracker[4928], host[2304], card[3136];

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

void settings_missing(SettingsProblem problem) {
  while (1) {
    say("settings: ");
    say(problem == SETTINGS_NONE ? "none" : problem == SETTINGS_OTHER ? "for other firmware"
                                                                       : "damaged");
    say("; write them with trackerctl firmware\r\n");
    while (uart_waiting(0) == 0) wait_for_interrupt();
    uint8_t typed;
    while (uart_receive(0, &typed, 1) > 0) {
    }
  }
}

// MARK: Reset

void reset(void) {
  for (uint32_t *to = data_start, *from = data_load; to < data_end;) *to++ = *from++;
  for (uint32_t *to = bss_start; to < bss_end;) *to++ = 0;
  board_begin();
  pins_begin();
  uart_begin();
  clock_begin();
  interrupts_on();
  main(0, 0);
  fault();
}
