// What the firmware's Swift code asks of the LM3S6965.
#pragma once
#include <stdint.h>
#include "card.h"

/// The UARTs, by their numbers: console, receiver, modem.
enum { PORTS = 3 };

/// Milliseconds since the machine started.
int64_t machine_now(void);
/// Sleeps until an interrupt, at the latest until this instant.
void machine_sleep(int64_t until);
/// Presses or lets go the modem's power key.
void machine_power_key(int32_t is_active);
/// Whether the button is pressed.
int32_t machine_button(void);
/// The processor's cycles in this second.
uint32_t machine_cycles(void);
/// Resets the controller.
void machine_restart(void);
/// A number of the sources that the core was compiled from.
uint32_t core_version(void);
/// Takes bytes that have come; returns how many.
int32_t machine_receive(int32_t port, uint8_t *bytes, int32_t room);
/// Sends bytes; returns when the last one is in the transmitter's FIFO.
void uart_send(int32_t port, const uint8_t *bytes, int32_t count);

/// Static storage for a value that lives as long as the firmware, aligned for any type. A request
/// for more than there is is a fault: the firmware then needs more.
void *tracker_storage(int32_t bytes);
void *host_storage(int32_t bytes);
void *card_storage(int32_t bytes);
/// Where a program on a computer has written the settings, in the last 4 KB of the flash.
const void *settings_place(void);
/// Says so on the console, and waits for a reset.
void no_settings(void);

// Between the C files.

#define REGISTER(address) (*(volatile uint32_t *)(address))

/// Of the processor, after `startup.c` has started the PLL.
enum { CYCLES_PER_MILLISECOND = 12500 };

void clock_begin(void);
void uart_begin(void);
void pins_begin(void);
/// Whether the button has changed since it was looked at.
int32_t pins_waiting(void);
/// How many bytes wait in a port's ring, and how many it holds.
int32_t uart_waiting(int32_t port);
int32_t uart_receive(int32_t port, uint8_t *bytes, int32_t room);
enum { UART_RING = 1024 };

static inline void interrupts_off(void) { __asm__ volatile("cpsid i" ::: "memory"); }
static inline void interrupts_on(void) { __asm__ volatile("cpsie i" ::: "memory"); }
/// Sleeps until an interrupt is pending, also while interrupts are off.
static inline void wait_for_interrupt(void) { __asm__ volatile("dsb\nwfi" ::: "memory"); }
