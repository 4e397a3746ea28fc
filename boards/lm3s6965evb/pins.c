// The lines to the modem and from people: ports C and F.
#include "machine.h"

// A port's lines are read and written at an address that says which: bits 2 to 9.
enum { C = 0x40006000, F = 0x40025000, DIR = 0x400, IBE = 0x408, IM = 0x410, ICR = 0x41C,
       PUR = 0x510, DEN = 0x51C };
enum { POWER_KEY = 1 << 4, LIGHT = 1 << 0, SELECT = 1 << 1 };

static volatile int32_t is_changed;

void pins_interrupt(void) {
  REGISTER(F + ICR) = SELECT;
  is_changed = 1;
}

int32_t pins_waiting(void) { return is_changed; }

void pins_begin(void) {
  REGISTER(0x400FE108) |= 1 << 2 | 1 << 5;  // RCGC2: ports C and F
  // The other lines of port C are the debugger's.
  REGISTER(C + DIR) |= POWER_KEY;
  REGISTER(C + DEN) |= POWER_KEY;
  REGISTER(F + DIR) |= LIGHT;
  REGISTER(F + PUR) |= SELECT;
  REGISTER(F + DEN) |= SELECT | LIGHT;
  REGISTER(F + IBE) |= SELECT;  // both edges
  REGISTER(F + ICR) = SELECT;
  REGISTER(F + IM) |= SELECT;
  interrupt_enable(30);
}

void pins_power_key(int32_t is_active) {
  REGISTER(C + (POWER_KEY << 2)) = is_active ? POWER_KEY : 0;
}

void machine_light(int32_t is_lit) { REGISTER(F + (LIGHT << 2)) = is_lit ? LIGHT : 0; }

int32_t machine_button(void) {
  is_changed = 0;
  return REGISTER(F + (SELECT << 2)) == 0;
}
