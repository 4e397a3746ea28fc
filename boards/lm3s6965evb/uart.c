// The three UARTs (PL011).
#include "machine.h"

enum { DR = 0x000, FR = 0x018, IBRD = 0x024, FBRD = 0x028, LCRH = 0x02C, CTL = 0x030, IM = 0x038,
       MIS = 0x040, ICR = 0x044 };
enum { FR_RXFE = 1 << 4, FR_TXFF = 1 << 5 };
// A FIFO that is half full, and one with bytes that nothing follows for 32 bit times.
enum { RECEIVED = 1 << 4 | 1 << 6 };

static uint32_t uart(int32_t port) { return 0x4000C000 + 0x1000 * (uint32_t)port; }

// A full ring leaves the bytes in the FIFO, with the interrupt off until there is room: what a line
// then loses is a sentence whose checksum is wrong.
__attribute__((noinline)) static void fill(int32_t port) {
  uint32_t base = uart(port);
  REGISTER(base + ICR) = RECEIVED;
  while (!(REGISTER(base + FR) & FR_RXFE)) {
    if (ring_is_full(port)) {
      REGISTER(base + IM) = 0;
      return;
    }
    ring_put(port, (uint8_t)REGISTER(base + DR));
  }
}

void console_interrupt(void) { fill(0); }
void receiver_interrupt(void) { fill(1); }
void modem_interrupt(void) { fill(2); }

void uart_resume(int32_t port) {
  if (REGISTER(uart(port) + IM) != 0) return;
  // What waits in a FIFO with bytes in it makes no other interrupt.
  REGISTER(uart(port) + IM) = RECEIVED;
  interrupts_off();
  fill(port);
  interrupts_on();
}

void uart_send(int32_t port, const uint8_t *bytes, int32_t count) {
  while (count-- > 0) {
    while (REGISTER(uart(port) + FR) & FR_TXFF) {
    }
    REGISTER(uart(port) + DR) = *bytes++;
  }
}

static void begin(int32_t port, uint32_t baud, int interrupt) {
  uint32_t base = uart(port);
  // The divisor in 64ths of 16 cycles per bit.
  uint32_t divisor = (CYCLES_PER_MILLISECOND * 1000u * 8 / baud + 1) / 2;
  REGISTER(base + CTL) = 0;
  REGISTER(base + IBRD) = divisor / 64;
  REGISTER(base + FBRD) = divisor % 64;
  REGISTER(base + LCRH) = 3 << 5 /* 8 bits */ | 1 << 4 /* FIFOs */;
  REGISTER(base + CTL) = 1 << 9 /* receive */ | 1 << 8 /* transmit */ | 1;
  REGISTER(base + IM) = RECEIVED;
  interrupt_enable(interrupt);
}

void uart_begin(void) {
  REGISTER(0x400FE104) |= 7;                            // RCGC1: UART 0 to 2
  REGISTER(0x400FE108) |= 1 << 0 | 1 << 3 | 1 << 6;     // RCGC2: ports A, D and G
  // U0 on PA0 and PA1, U1 on PD2 and PD3, U2 on PG0 and PG1: alternate function, digital.
  static const struct { uint32_t port, pins; } pins[] = {
      {0x40004000, 0x03}, {0x40007000, 0x0C}, {0x40026000, 0x03}};
  for (int index = 0; index < PORTS; index++) {
    REGISTER(pins[index].port + 0x420) |= pins[index].pins;
    REGISTER(pins[index].port + 0x51C) |= pins[index].pins;
  }
  begin(0, 115200, 5);
  begin(1, 9600, 6);
  begin(2, 115200, 33);
}
