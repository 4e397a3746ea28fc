#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/* Swift imports no macro that casts a number to a function pointer, as SQLITE_TRANSIENT does. These
 * may go when it can. The bytes are copied before the call returns. No bytes at all are the empty
 * text or blob: SQLite would take the null address for the value null. */
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int place, const void *bytes, int count) {
  const char *start = bytes ? (const char *)bytes : "";
  return sqlite3_bind_text(statement, place, start, count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(
    sqlite3_stmt *statement, int place, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, place, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/* sqlite3_db_config takes variable arguments, which Swift does not import. Leaves the write-ahead
 * log as it is when the database is closed. */
static inline int csqlite_keep_log_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#endif
