/* What a Swift built on glibc 2.42 wants of 2.38 or later, for a program that is to run with
 * Debian 12's 2.36: linked into the program, hidden. */
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

long strtol(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
int vsscanf(const char *, const char *, va_list);

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }

long long __isoc23_strtoll(const char *text, char **end, int base) {
  return strtoll(text, end, base);
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base) {
  return strtoul(text, end, base);
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base) {
  return strtoull(text, end, base);
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = vsscanf(text, format, list);
  va_end(list);
  return count;
}

size_t strlcpy(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size) {
    size_t part = length < size ? length : size - 1;
    memcpy(to, from, part);
    to[part] = 0;
  }
  return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
  size_t start = strnlen(to, size);
  return start == size ? size + strlen(from) : start + strlcpy(to + start, from, size - start);
}
