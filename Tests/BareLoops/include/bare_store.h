#ifndef BARE_STORE_H
#define BARE_STORE_H

/* The baseline for the capture store: a bare loop over SQLite with the same settings, tables and
 * values, one transaction per row. Creates the database, which must not exist. Returns the seconds
 * that the rows took, or a negative number if SQLite failed. */
double bare_store_append(const char *path, int rows);

#endif
