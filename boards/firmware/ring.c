// What has come over the UARTs: an interrupt fills each one's ring, the main loop empties it.
#include "machine.h"

typedef struct {
  uint8_t bytes[UART_RING];
  // Counted without end; only the interrupt writes `in`, only the main loop `out`.
  volatile uint32_t in, out;
} Ring;

static Ring rings[PORTS];

int ring_is_full(int32_t port) { return rings[port].in - rings[port].out == UART_RING; }

void ring_put(int32_t port, uint8_t byte) {
  Ring *ring = &rings[port];
  ring->bytes[ring->in % UART_RING] = byte;
  ring->in++;
}

int32_t uart_waiting(int32_t port) { return (int32_t)(rings[port].in - rings[port].out); }

int32_t uart_receive(int32_t port, uint8_t *bytes, int32_t room) {
  Ring *ring = &rings[port];
  int32_t count = 0;
  while (count < room && ring->in != ring->out) {
    bytes[count++] = ring->bytes[ring->out % UART_RING];
    ring->out++;
  }
  if (count > 0) uart_resume(port);
  return count;
}
