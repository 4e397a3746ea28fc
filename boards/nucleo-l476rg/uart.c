// USART2 (the console, on ST-LINK's port), USART1 (receiver) and USART3 (modem). They have no FIFO.
#include "machine.h"

enum { CR1 = 0x00, BRR = 0x0C, ISR = 0x1C, ICR = 0x20, RDR = 0x24, TDR = 0x28 };
enum { UE = 1 << 0, RE = 1 << 2, TE = 1 << 3, RXNEIE = 1 << 5 };
enum { RXNE = 1 << 5, TXE = 1 << 7, ERRORS = 0xF /* parity, framing, noise, overrun */ };

static const uint32_t bases[PORTS] = {0x40004400, 0x40013800, 0x40004800};

// With a full ring the interrupt is off until there is room; what comes meanwhile is lost, and with
// it a sentence whose checksum is then wrong.
static void take(int32_t port) {
  uint32_t base = bases[port];
  REGISTER(base + ICR) = ERRORS;
  if (ring_is_full(port)) {
    REGISTER(base + CR1) &= ~(uint32_t)RXNEIE;
  } else if (REGISTER(base + ISR) & RXNE) {
    ring_put(port, (uint8_t)REGISTER(base + RDR));
  }
}

void console_interrupt(void) { take(0); }
void receiver_interrupt(void) { take(1); }
void modem_interrupt(void) { take(2); }

void uart_resume(int32_t port) { REGISTER(bases[port] + CR1) |= RXNEIE; }

void uart_send(int32_t port, const uint8_t *bytes, int32_t count) {
  while (count-- > 0) {
    while (!(REGISTER(bases[port] + ISR) & TXE)) {
    }
    REGISTER(bases[port] + TDR) = *bytes++;
  }
}

static void begin(int32_t port, uint32_t baud, int interrupt) {
  REGISTER(bases[port] + BRR) = (CYCLES_PER_MILLISECOND * 1000u + baud / 2) / baud;
  REGISTER(bases[port] + CR1) = UE | RE | TE | RXNEIE;
  interrupt_enable(interrupt);
}

void uart_begin(void) {
  REGISTER(RCC + APB1ENR1) |= 1 << 17 | 1 << 18;  // USART2 and USART3
  REGISTER(RCC + APB2ENR) |= 1 << 14;             // USART1
  static const struct { uint32_t port; int pin; } pins[] = {
      {PORT_A, 2}, {PORT_A, 3}, {PORT_A, 9}, {PORT_A, 10}, {PORT_B, 10}, {PORT_B, 11}};
  for (int index = 0; index < 6; index++) pin_use(pins[index].port, pins[index].pin, 7);
  begin(0, 115200, 38);
  begin(1, 9600, 37);
  begin(2, 115200, 39);
}
