// For LD_PRELOAD: Swift's random numbers, the same in every run, for programs that must repeat.
// Swift asks the kernel for them by syscall(SYS_getrandom, …); all other calls pass.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/syscall.h>

long syscall(long number, ...) {
  static long (*next)(long, ...);
  static unsigned char value;
  long words[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) words[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_getrandom) {
    for (long i = 0; i < words[1]; i++) ((unsigned char *)words[0])[i] = value++;
    return words[1];
  }
  if (!next) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
