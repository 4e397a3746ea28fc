/* In place of Swift's look-up of Unicode characters' names, which nothing here asks for: without it
   the linker leaves out their tables (0.5 MB a program). Called, it knows no name. */
long __wrap__swift_stdlib_getScalarName(unsigned scalar, unsigned char *buffer, long capacity) {
  (void)scalar;
  (void)buffer;
  (void)capacity;
  return 0;
}
