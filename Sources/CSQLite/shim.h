#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/* Swift cannot import macros that cast a number to a function pointer, such as SQLITE_TRANSIENT;
 * remove this when it can. The bytes are copied before the call returns. A null pointer means the
 * empty text; SQLite would take it for NULL. */
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int place, const void *bytes, int count) {
  const char *start = bytes ? (const char *)bytes : "";
  return sqlite3_bind_text(statement, place, start, count, SQLITE_TRANSIENT);
}

/* sqlite3_db_config is variadic, which Swift does not import. Keeps the write-ahead log when the
 * database is closed. */
static inline int csqlite_keep_log_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* sqlite3_config is variadic, too. Without statistics each allocation no longer takes a lock that
 * all connections share. No effect once a database has been opened. */
static inline void csqlite_keep_no_statistics(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
