#pragma once

/// Of the processor: MSI as it is after reset.
enum { CYCLES_PER_MILLISECOND = 4000 };

/// The enable registers of RCC, by its offsets; each bit gives a peripheral its clock.
enum { RCC = 0x40021000, AHB2ENR = 0x4C, APB1ENR1 = 0x58, APB2ENR = 0x60 };

enum { PORT_A = 0x48000000, PORT_B = 0x48000400 };
/// Gives a pin to a peripheral, with a pull-up for lines that nobody drives.
void pin_use(uint32_t port, int pin, uint32_t function);
