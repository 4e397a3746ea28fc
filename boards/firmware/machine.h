// What the firmware's Swift code asks of a controller, and the drivers of each other. A board's
// folder has `board.h` and the drivers of its peripherals; the rest is the same on all of them.
#pragma once
#include <stdint.h>
#include "board.h"
#include "card.h"

/// The UARTs, by their numbers: console, receiver, modem.
enum { PORTS = 3 };

/// Milliseconds since the machine started.
int64_t machine_now(void);
/// Sleeps until an interrupt, at the latest until this instant.
void machine_sleep(int64_t until);
/// Presses the modem's power key, and lets go of it after this time, whatever else happens: a key
/// that is held too long switches a modem off instead of on.
void machine_press_key(int32_t milliseconds);
void machine_light(int32_t is_lit);
/// The battery's voltage, in 65536ths of what the converter can show; negative: it does not answer.
int32_t machine_battery(void);
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
void machine_send(int32_t port, const uint8_t *bytes, int32_t count);

/// Static storage for a value that lives as long as the firmware, aligned for any type. A request
/// for more than there is is a fault: the firmware then needs more.
void *tracker_storage(int32_t bytes);
void *host_storage(int32_t bytes);
void *card_storage(int32_t bytes);
/// Where the settings lie that `trackerctl firmware` has made, in the last 4 KB of the flash.
const void *settings_place(void);
/// Says why they cannot be used, at once and to whoever types, until a reset.
typedef enum { SETTINGS_NONE, SETTINGS_OTHER, SETTINGS_DAMAGED } SettingsProblem;
void settings_missing(SettingsProblem problem);

// Between the C files.

#define REGISTER(address) (*(volatile uint32_t *)(address))

void clock_begin(void);
/// Two timers: one ends a sleep by its interrupt, the other the pulse of the power key.
enum { ALARM_SLEEP, ALARM_PULSE, ALARMS };
void alarm_begin(void);
/// At most 10 s.
void alarm_set(int alarm, int32_t milliseconds);

enum { UART_RING = 1024 };
void uart_begin(void);
/// What `machine_battery` returns.
int32_t converter_read(void);
void pins_begin(void);
/// Whether the button has changed since it was looked at.
int32_t pins_waiting(void);
/// How many bytes wait in a port's ring.
int32_t uart_waiting(int32_t port);
int32_t uart_receive(int32_t port, uint8_t *bytes, int32_t room);
void uart_send(int32_t port, const uint8_t *bytes, int32_t count);
void pins_power_key(int32_t is_active);
/// For a port's interrupt: whether its ring is full, and a byte for it.
int ring_is_full(int32_t port);
void ring_put(int32_t port, uint8_t byte);
/// There is room again in a ring that was full.
void uart_resume(int32_t port);

/// The card's bus: 8 bits, mode 0, at most 400 kHz.
void spi_begin(void);
/// From here on as fast as the board can.
void spi_speed_up(void);
void spi_select(int is_selected);
uint8_t spi_swap(uint8_t byte);

// Exceptions and interrupts, for the board's vectors.
void reset(void);
void fault(void);
void second_interrupt(void);
void sleep_interrupt(void);
void pulse_interrupt(void);
/// The first instructions after reset: the clocks that the board needs.
void board_begin(void);

static inline void interrupts_off(void) { __asm__ volatile("cpsid i" ::: "memory"); }
static inline void interrupts_on(void) { __asm__ volatile("cpsie i" ::: "memory"); }
/// Sleeps until an interrupt is pending, also while interrupts are off.
static inline void wait_for_interrupt(void) { __asm__ volatile("dsb\nwfi" ::: "memory"); }
static inline void interrupt_enable(int number) {
  REGISTER(0xE000E100 + 4 * (uint32_t)(number / 32)) = 1u << (number % 32);
}
