// The machine's time in tests, in place of boards/firmware/clock.c: a file says when how many bytes come
// over which line, and the firmware waits until it has them. So a day takes as long as its
// arithmetic, and each run of it is the same.
//
// An entry of the file `pace` is the time (8 bytes, little-endian milliseconds), the port (4) and
// the number of bytes (4). At the end of the file the run ends.
#include "machine.h"
#include "semihosting.h"

typedef struct {
  int64_t at;
  int32_t port, count;
} Entry;

static int64_t now;
static Entry next;
static int32_t file = -1;
static int32_t allowed[PORTS];

__attribute__((noreturn)) static void finish(void) {
  uint32_t depth = stack_depth();
  char text[] = "stack 00000\r\n";
  for (char *digit = text + 10; depth > 0; depth /= 10) *digit-- = (char)('0' + depth % 10);
  uart_send(0, (const uint8_t *)text, sizeof text - 1);
  end(ADP_Stopped_ApplicationExit);
}

static void read_entry(void) {
  if (read_file(file, &next, sizeof next) != sizeof next) finish();
}

void clock_begin(void) {
  paint_stack();
  file = open_file("pace", 4);
  read_entry();
}

void second_interrupt(void) {}

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
  // The line is as fast as the emulator lets it be, and that needs the processor.
  while (uart_waiting(port) < count) {
    interrupts_off();
    if (uart_waiting(port) < count) wait_for_interrupt();
    interrupts_on();
  }
  allowed[port] -= count;
  return uart_receive(port, bytes, count);
}

uint32_t machine_cycles(void) { return (uint32_t)now; }
