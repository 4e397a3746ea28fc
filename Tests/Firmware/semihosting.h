// What an image in an emulator asks of the computer that runs it, and how deep its stack went.
//
// Arm, "Semihosting for AArch32 and AArch64".
#pragma once
#include <stdint.h>

enum { SYS_OPEN = 0x01, SYS_WRITE0 = 0x04, SYS_WRITE = 0x05, SYS_READ = 0x06, SYS_EXIT = 0x18 };
enum { ADP_Stopped_RunTimeErrorUnknown = 0x20023, ADP_Stopped_ApplicationExit = 0x20026 };

// The operation in r0, its arguments' address in r1.
static int32_t semihosting(int32_t operation, const void *arguments) {
  register int32_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = arguments;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

// As fopen has them: rb, r+b, which makes no file where there is none, and w.
enum { FOR_READING = 1, FOR_BOTH = 3, FOR_WRITING = 4 };

// Opens a file of the emulator's folder; negative: there is none.
static inline int32_t open_file(const char *name, uint32_t length, uint32_t mode) {
  const uint32_t arguments[] = {(uint32_t)name, mode, length};
  return semihosting(SYS_OPEN, arguments);
}

// Returns how many bytes were read.
static inline uint32_t read_file(int32_t file, void *bytes, uint32_t count) {
  const uint32_t arguments[] = {(uint32_t)file, (uint32_t)bytes, count};
  // The operation returns how many were not.
  uint32_t missing = (uint32_t)semihosting(SYS_READ, arguments);
  return missing > count ? 0 : count - missing;
}

static inline void write_file(int32_t file, const void *bytes, uint32_t count) {
  const uint32_t arguments[] = {(uint32_t)file, (uint32_t)bytes, count};
  semihosting(SYS_WRITE, arguments);
}

__attribute__((noreturn)) static inline void end(uint32_t reason) {
  semihosting(SYS_EXIT, (void *)reason);
  while (1) {
  }
}

// The stack is painted before the first call, and what is left of the paint is how deep it never
// went.
extern uint32_t stack_bottom[], stack_top[];
enum { STACK_PAINT = 0x5A5A5A5A };

__attribute__((always_inline)) static inline void paint_stack(void) {
  uint8_t *own = (uint8_t *)__builtin_frame_address(0) - 64;
  for (uint32_t *word = stack_bottom; (uint8_t *)word < own;) *word++ = STACK_PAINT;
}

static inline uint32_t stack_depth(void) {
  uint32_t *low = stack_bottom;
  while (low < stack_top && *low == STACK_PAINT) low++;
  return (uint32_t)((uint8_t *)stack_top - (uint8_t *)low);
}
