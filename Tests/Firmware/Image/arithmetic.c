// What the compiler calls for arithmetic and for moving memory where the processor has no
// instruction (Arm, "Run-time ABI for the Arm Architecture"): there is no libgcc to link here.
#include <stdint.h>

typedef union {
  uint64_t whole;
  struct {
    uint32_t low, high;
  };
} Wide;

// MARK: Memory

void *memmove(void *to, const void *from, uint32_t count) {
  uint8_t *target = to;
  const uint8_t *source = from;
  if (target <= source) {
    while (count--) *target++ = *source++;
  } else {
    while (count--) target[count] = source[count];
  }
  return to;
}

void *memcpy(void *to, const void *from, uint32_t count) { return memmove(to, from, count); }

void *memset(void *to, int value, uint32_t count) {
  uint8_t *target = to;
  while (count--) *target++ = (uint8_t)value;
  return to;
}

void __aeabi_memcpy(void *to, const void *from, uint32_t count) { memmove(to, from, count); }
void __aeabi_memcpy4(void *to, const void *from, uint32_t count) { memmove(to, from, count); }
void __aeabi_memcpy8(void *to, const void *from, uint32_t count) { memmove(to, from, count); }
void __aeabi_memmove(void *to, const void *from, uint32_t count) { memmove(to, from, count); }
void __aeabi_memmove4(void *to, const void *from, uint32_t count) { memmove(to, from, count); }
void __aeabi_memmove8(void *to, const void *from, uint32_t count) { memmove(to, from, count); }
void __aeabi_memset(void *to, uint32_t count, int value) { memset(to, value, count); }
void __aeabi_memset4(void *to, uint32_t count, int value) { memset(to, value, count); }
void __aeabi_memset8(void *to, uint32_t count, int value) { memset(to, value, count); }
void __aeabi_memclr(void *to, uint32_t count) { memset(to, 0, count); }
void __aeabi_memclr4(void *to, uint32_t count) { memset(to, 0, count); }
void __aeabi_memclr8(void *to, uint32_t count) { memset(to, 0, count); }

// MARK: Shifts and products of 64 bits

uint64_t __aeabi_llsl(uint64_t value, int by) {
  Wide wide = {value};
  if (by >= 32) {
    wide.high = wide.low << (by - 32);
    wide.low = 0;
  } else if (by > 0) {
    wide.high = wide.high << by | wide.low >> (32 - by);
    wide.low <<= by;
  }
  return wide.whole;
}

uint64_t __aeabi_llsr(uint64_t value, int by) {
  Wide wide = {value};
  if (by >= 32) {
    wide.low = wide.high >> (by - 32);
    wide.high = 0;
  } else if (by > 0) {
    wide.low = wide.low >> by | wide.high << (32 - by);
    wide.high >>= by;
  }
  return wide.whole;
}

int64_t __aeabi_lasr(int64_t value, int by) {
  Wide wide = {(uint64_t)value};
  int32_t high = (int32_t)wide.high;
  if (by >= 32) {
    wide.low = (uint32_t)(high >> (by - 32));
    wide.high = (uint32_t)(high >> 31);
  } else if (by > 0) {
    wide.low = wide.low >> by | wide.high << (32 - by);
    wide.high = (uint32_t)(high >> by);
  }
  return (int64_t)wide.whole;
}

int64_t __aeabi_lmul(int64_t one, int64_t other) {
  Wide a = {(uint64_t)one}, b = {(uint64_t)other}, product;
  uint32_t al = a.low & 0xFFFF, ah = a.low >> 16, bl = b.low & 0xFFFF, bh = b.low >> 16;
  uint32_t middle = ah * bl + ((al * bl) >> 16);
  uint32_t rest = (middle & 0xFFFF) + al * bh;
  product.low = rest << 16 | ((al * bl) & 0xFFFF);
  product.high =
      ah * bh + (middle >> 16) + (rest >> 16) + a.high * b.low + a.low * b.high;
  return (int64_t)product.whole;
}

// MARK: Leading zeros

int __clzsi2(uint32_t value) {
  int count = 0;
  if (value == 0) return 32;
  while (!(value & 0x80000000u)) {
    value <<= 1;
    count++;
  }
  return count;
}

int __clzdi2(uint64_t value) {
  Wide wide = {value};
  return wide.high ? __clzsi2(wide.high) : 32 + __clzsi2(wide.low);
}

// MARK: Division

static uint32_t divide(uint32_t value, uint32_t by, uint32_t *rest) {
  uint32_t quotient = 0, remainder = 0;
  for (int bit = 31; bit >= 0; bit--) {
    uint32_t carried = remainder >> 31;
    remainder = remainder << 1 | ((value >> bit) & 1);
    if (carried || remainder >= by) {
      remainder -= by;
      quotient |= 1u << bit;
    }
  }
  *rest = remainder;
  return quotient;
}

uint32_t __aeabi_uidiv(uint32_t value, uint32_t by) {
  uint32_t rest;
  return divide(value, by, &rest);
}

// Quotient in r0, remainder in r1.
uint64_t __aeabi_uidivmod(uint32_t value, uint32_t by) {
  Wide result;
  result.low = divide(value, by, &result.high);
  return result.whole;
}

uint64_t __aeabi_idivmod(int32_t value, int32_t by) {
  Wide result;
  uint32_t rest;
  uint32_t size = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
  uint32_t quotient = divide(size, by < 0 ? 0u - (uint32_t)by : (uint32_t)by, &rest);
  result.low = (value < 0) != (by < 0) ? 0u - quotient : quotient;
  result.high = value < 0 ? 0u - rest : rest;
  return result.whole;
}

int32_t __aeabi_idiv(int32_t value, int32_t by) { return (int32_t)__aeabi_idivmod(value, by); }

uint64_t divide_wide(uint64_t value, uint64_t by, uint64_t *rest) {
  Wide number = {value}, divisor = {by}, quotient = {0}, remainder = {0};
  for (int bit = 0; bit < 64; bit++) {
    uint32_t carried = remainder.high >> 31;
    remainder.high = remainder.high << 1 | remainder.low >> 31;
    remainder.low = remainder.low << 1 | number.high >> 31;
    number.high = number.high << 1 | number.low >> 31;
    number.low <<= 1;
    quotient.high = quotient.high << 1 | quotient.low >> 31;
    quotient.low <<= 1;
    if (carried || remainder.whole >= divisor.whole) {
      remainder.whole -= divisor.whole;
      quotient.low |= 1;
    }
  }
  *rest = remainder.whole;
  return quotient.whole;
}

int64_t divide_wide_signed(int64_t value, int64_t by, int64_t *rest) {
  uint64_t remainder;
  uint64_t quotient = divide_wide(
      value < 0 ? 0u - (uint64_t)value : (uint64_t)value,
      by < 0 ? 0u - (uint64_t)by : (uint64_t)by, &remainder);
  *rest = value < 0 ? (int64_t)(0u - remainder) : (int64_t)remainder;
  return (value < 0) != (by < 0) ? (int64_t)(0u - quotient) : (int64_t)quotient;
}

// Quotient in r0 and r1, remainder in r2 and r3: C cannot return that.
#define WIDE_DIVISION(name, function)       \
  __attribute__((naked)) void name(void) {  \
    __asm__ volatile(                       \
        "push {r7, lr}\n"                   \
        "sub sp, #16\n"                     \
        "add r7, sp, #8\n"                  \
        "str r7, [sp]\n"                    \
        "bl " #function "\n"                \
        "ldr r2, [sp, #8]\n"                \
        "ldr r3, [sp, #12]\n"               \
        "add sp, #16\n"                     \
        "pop {r7, pc}\n");                  \
  }

WIDE_DIVISION(__aeabi_uldivmod, divide_wide)
WIDE_DIVISION(__aeabi_ldivmod, divide_wide_signed)
