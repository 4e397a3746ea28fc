// Reset, the painted stack, and the semihosting calls that stand for a receiver and a terminal.
#include "image.h"
#include "../semihosting.h"

extern uint32_t data_load[], data_start[], data_end[];
extern int main(int count, char **words);

// MARK: The tape

static uint8_t buffer[128];
static uint32_t filled, taken;
static int32_t tape = -1;

int32_t tape_byte(void) {
  if (tape < 0) {
    tape = open_file("tape", 4, FOR_READING);
    if (tape < 0) return -1;
  }
  if (taken == filled) {
    taken = 0;
    filled = read_file(tape, buffer, sizeof buffer);
    if (filled == 0) return -1;
  }
  return buffer[taken++];
}

// MARK: Results

static void print_hexadecimal(const char *name, uint64_t value, int digits) {
  char text[20];
  semihosting(SYS_WRITE0, name);
  for (int index = 0; index < digits; index++) {
    text[index] = "0123456789abcdef"[(value >> (4 * (digits - 1 - index))) & 15];
  }
  text[digits] = '\n';
  text[digits + 1] = 0;
  semihosting(SYS_WRITE0, text);
}

void print_digest(uint64_t digest) { print_hexadecimal("digest ", digest, 16); }

// MARK: Memory

__attribute__((aligned(8))) static uint8_t tracker[4928], settings[1472];

static void *storage(uint8_t *place, int32_t room, int32_t bytes) {
  if (bytes <= room) return place;
  semihosting(SYS_WRITE0, "a value does not fit into its storage\n");
  end(ADP_Stopped_RunTimeErrorUnknown);
}

void *tracker_storage(int32_t bytes) { return storage(tracker, sizeof tracker, bytes); }
void *settings_storage(int32_t bytes) { return storage(settings, sizeof settings, bytes); }

// A trap of Swift's ends here, as does any other fault.
void fault(void) {
  semihosting(SYS_WRITE0, "fault\n");
  end(ADP_Stopped_RunTimeErrorUnknown);
}

// The rest of .bss is zero in an emulator from the beginning; the paint goes to what lies above.
void reset(void) {
  for (uint32_t *to = data_start, *from = data_load; to < data_end;) *to++ = *from++;
  paint_stack();
  main(0, 0);
  print_hexadecimal("stack ", stack_depth(), 8);
  end(ADP_Stopped_ApplicationExit);
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_top, (void *)reset, (void *)fault, (void *)fault, (void *)fault, (void *)fault,
    (void *)fault,
};
