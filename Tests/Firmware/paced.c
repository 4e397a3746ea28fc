// The machine's time in tests, in place of a board's clock.c: a file says when how many bytes come
// over which line, and the firmware waits until it has them. So a day takes as long as its
// arithmetic, and each run of it is the same.
//
// An entry of the file `pace` is the time (8 bytes, little-endian milliseconds), the port (4) and
// the number of bytes (4). At the end of the file the run ends.
#include "machine.h"

typedef struct {
  int64_t at;
  int32_t port, count;
} Entry;

static int64_t now;
static Entry next;
static int32_t file = -1;
static int32_t allowed[PORTS];

// Arm, "Semihosting for AArch32 and AArch64": the operation in r0, its arguments' address in r1.
static int32_t semihosting(int32_t operation, const void *arguments) {
  register int32_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = arguments;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

enum { SYS_OPEN = 0x01, SYS_READ = 0x06, SYS_EXIT = 0x18, ADP_Stopped_ApplicationExit = 0x20026 };

// The stack is painted before the first call, and what is left of the paint is how deep it never
// went.
extern uint32_t stack_bottom[], stack_top[];
static const uint32_t paint = 0xA5A5A5A5;

__attribute__((noreturn)) static void end(void) {
  uint32_t *low = stack_bottom;
  while (low < stack_top && *low == paint) low++;
  uint32_t depth = (uint32_t)((uint8_t *)stack_top - (uint8_t *)low);
  char text[] = "stack 00000\r\n";
  for (char *digit = text + 10; depth > 0; depth /= 10) *digit-- = (char)('0' + depth % 10);
  uart_send(0, (const uint8_t *)text, sizeof text - 1);
  semihosting(SYS_EXIT, (void *)ADP_Stopped_ApplicationExit);
  while (1) {
  }
}

static void read_entry(void) {
  const uint32_t arguments[] = {(uint32_t)file, (uint32_t)&next, sizeof next};
  if (semihosting(SYS_READ, arguments) != 0) end();
}

void clock_begin(void) {
  uint8_t *own = (uint8_t *)__builtin_frame_address(0) - 64;
  for (uint32_t *word = stack_bottom; (uint8_t *)word < own;) *word++ = paint;
  static const char name[] = "pace";
  const uint32_t arguments[] = {(uint32_t)name, 1 /* rb */, sizeof name - 1};
  file = semihosting(SYS_OPEN, arguments);
  read_entry();
}

void second_interrupt(void) {}
void alarm_interrupt(void) {}

int64_t machine_now(void) { return now; }

void machine_sleep(int64_t until) {
  if (next.at > until) {
    now = until;
    return;
  }
  now = next.at;
  allowed[next.port] += next.count;
  read_entry();
}

// As many bytes as have come by now, and those certainly.
int32_t machine_receive(int32_t port, uint8_t *bytes, int32_t room) {
  int32_t count = allowed[port] < room ? allowed[port] : room;
  if (count > UART_RING) count = UART_RING;
  // The line is as fast as the emulator lets it be.
  while (uart_waiting(port) < count) {
  }
  allowed[port] -= count;
  return uart_receive(port, bytes, count);
}
