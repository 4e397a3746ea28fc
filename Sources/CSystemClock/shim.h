#ifndef CSYSTEMCLOCK_SHIM_H
#define CSYSTEMCLOCK_SHIM_H

#include <errno.h>
#include <linux/rtc.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/timex.h>
#include <time.h>

/* Swift's Glibc does not have <sys/timex.h>; to be removed when it does.
 *
 * Whether the kernel counts its date as synchronised: 1 or 0; -1 with errno if that is not known.
 * Without modes, adjtimex only reads (adjtimex(2)). */
static inline int csystemclock_is_synchronised(void) {
  struct timex clock = {0};
  int state = adjtimex(&clock);
  if (state < 0) return -1;
  return state != TIME_ERROR && !(clock.status & STA_UNSYNC);
}

/* Sets a clock of the kernel's (rtc(4)); -1 with errno. Swift cannot see RTC_SET_TIME, a macro with
 * a type in it. */
static inline int csystemclock_set_rtc(int clock, long long seconds) {
  time_t date = (time_t)seconds;
  struct tm parts;
  if (gmtime_r(&date, &parts) == NULL) {
    errno = EINVAL;
    return -1;
  }
  struct rtc_time time = {
      .tm_sec = parts.tm_sec, .tm_min = parts.tm_min, .tm_hour = parts.tm_hour,
      .tm_mday = parts.tm_mday, .tm_mon = parts.tm_mon, .tm_year = parts.tm_year};
  return ioctl(clock, RTC_SET_TIME, &time);
}

/* The segment of ntpd's shared memory driver, which chrony's refclock SHM reads too
 * (docs.ntpsec.org/latest/driver_shm.html, "Structure of shared memory-segment"). It has the
 * machine's own time_t and int. */
struct csystemclock_segment {
  int mode;
  volatile int count;
  time_t clock_seconds;
  int clock_microseconds;
  time_t receive_seconds;
  int receive_microseconds;
  int leap;
  int precision;
  int samples;
  volatile int valid;
  unsigned clock_nanoseconds;
  unsigned receive_nanoseconds;
  int dummy[8];
};

/* Finds the segment of a key; -1 with errno. IPC_PRIVATE makes one, for its owner alone. */
static inline int csystemclock_find(int key) {
  return shmget((key_t)key, sizeof(struct csystemclock_segment),
                key == IPC_PRIVATE ? IPC_CREAT | 0600 : 0);
}

/* NULL with errno if it is not to be had. */
static inline struct csystemclock_segment *csystemclock_attach(int identifier) {
  void *address = shmat(identifier, NULL, 0);
  return address == (void *)-1 ? NULL : (struct csystemclock_segment *)address;
}

static inline void csystemclock_detach(struct csystemclock_segment *segment) { shmdt(segment); }

/* Writes one sample in mode 1: a reader that finds `valid`, and the same count before and after it
 * has read, has read one whole sample. Swift has no volatile accesses and no fences. */
static inline void csystemclock_write(
    struct csystemclock_segment *segment, long long clock_nanoseconds,
    long long receive_nanoseconds, int precision) {
  const long long second = 1000000000;
  segment->valid = 0;
  segment->mode = 1;
  segment->count += 1;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  segment->clock_seconds = (time_t)(clock_nanoseconds / second);
  segment->clock_nanoseconds = (unsigned)(clock_nanoseconds % second);
  segment->clock_microseconds = (int)(clock_nanoseconds % second / 1000);
  segment->receive_seconds = (time_t)(receive_nanoseconds / second);
  segment->receive_nanoseconds = (unsigned)(receive_nanoseconds % second);
  segment->receive_microseconds = (int)(receive_nanoseconds % second / 1000);
  segment->leap = 0;
  segment->precision = precision;
  segment->samples = 3;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  segment->count += 1;
  segment->valid = 1;
}

#endif
