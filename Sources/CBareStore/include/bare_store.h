#ifndef BARE_STORE_H
#define BARE_STORE_H

/* The yardstick of the capture store: a loop over SQLite with the same settings, tables and values,
 * one transaction per row, and nothing else. Makes the database, which must not be there.
 * Returns the seconds that the rows took, or a negative number when SQLite failed. */
double bare_store_append(const char *path, int rows);

#endif
