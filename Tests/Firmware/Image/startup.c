// Reset, the painted stack, and the semihosting calls that stand for a receiver and a terminal.
#include "image.h"

extern uint32_t stack_bottom[], stack_top[];
extern uint32_t data_load[], data_start[], data_end[];
extern int main(int count, char **words);

static const uint32_t paint = 0xA5A5A5A5;

// Arm, "Semihosting for AArch32 and AArch64": the operation in r0, its arguments' address in r1.
static int32_t semihosting(int32_t operation, const void *arguments) {
  register int32_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = arguments;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

enum { SYS_OPEN = 0x01, SYS_WRITE0 = 0x04, SYS_READ = 0x06, SYS_EXIT = 0x18 };
enum { ADP_Stopped_RunTimeErrorUnknown = 0x20023, ADP_Stopped_ApplicationExit = 0x20026 };

__attribute__((noreturn)) static void end(uint32_t reason) {
  semihosting(SYS_EXIT, (void *)reason);
  while (1) {
  }
}

// MARK: The tape

static uint8_t buffer[128];
static uint32_t filled, taken;
static int32_t tape = -1;

int32_t tape_byte(void) {
  if (tape < 0) {
    static const char name[] = "tape";
    const uint32_t arguments[] = {(uint32_t)name, 1 /* rb */, sizeof name - 1};
    tape = semihosting(SYS_OPEN, arguments);
    if (tape < 0) return -1;
  }
  if (taken == filled) {
    const uint32_t arguments[] = {(uint32_t)tape, (uint32_t)buffer, sizeof buffer};
    // It returns how much was *not* read.
    int32_t missing = semihosting(SYS_READ, arguments);
    taken = 0;
    filled = missing < 0 || missing > (int32_t)sizeof buffer ? 0 : sizeof buffer - missing;
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
  uint32_t *low = stack_bottom;
  for (uint32_t *word = low; (uint8_t *)word < (uint8_t *)__builtin_frame_address(0) - 64;) {
    *word++ = paint;
  }
  main(0, 0);
  while (low < stack_top && *low == paint) low++;
  print_hexadecimal("stack ", (uint32_t)((uint8_t *)stack_top - (uint8_t *)low), 8);
  end(ADP_Stopped_ApplicationExit);
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_top, (void *)reset, (void *)fault, (void *)fault, (void *)fault, (void *)fault,
    (void *)fault,
};
