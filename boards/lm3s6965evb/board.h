#pragma once

/// Of the processor, after `startup.c` has started the PLL.
enum { CYCLES_PER_MILLISECOND = 12500 };
