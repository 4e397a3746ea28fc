#include "bare_store.h"

#include <sqlite3.h>
#include <time.h>

static const char schema[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
    "CREATE TABLE captures (sequence INTEGER PRIMARY KEY"
    " CHECK (sequence BETWEEN 1 AND 4294967294), state TEXT NOT NULL"
    " CHECK (state IN ('pending', 'inFlight', 'acknowledged', 'setAside')),"
    " stateChangedAt INTEGER NOT NULL, code INTEGER, takenAt INTEGER NOT NULL, utc INTEGER,"
    " isTimeTrusted INTEGER NOT NULL, latitude INTEGER NOT NULL, longitude INTEGER NOT NULL,"
    " altitudeMillimetres INTEGER, speedMillimetresPerSecond INTEGER, courseMillidegrees INTEGER,"
    " accuracyMetres INTEGER, satellites INTEGER, batteryPercent INTEGER,"
    " batteryMillivolts INTEGER, team TEXT NOT NULL, \"trigger\" TEXT NOT NULL,"
    " attempts INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX capturesWaiting ON captures (state, sequence) WHERE state <> 'acknowledged';";

static const char insert[] =
    "INSERT INTO captures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void bind(sqlite3_stmt *row, int number) {
  static const int values[] = {712300, 1400, 271500, 5, 9, 77, 3812};
  sqlite3_int64 time = 1349517600000 + (sqlite3_int64)number * 1000;
  sqlite3_bind_int64(row, 1, number);
  sqlite3_bind_text(row, 2, "pending", 7, SQLITE_STATIC);
  sqlite3_bind_int64(row, 3, time);
  sqlite3_bind_null(row, 4);
  sqlite3_bind_int64(row, 5, time);
  sqlite3_bind_int64(row, 6, time);
  sqlite3_bind_int64(row, 7, 1);
  sqlite3_bind_int64(row, 8, 418000000 + number % 1000);
  sqlite3_bind_int64(row, 9, 21000000);
  for (int index = 0; index < 7; index++) sqlite3_bind_int64(row, 10 + index, values[index]);
  sqlite3_bind_text(row, 17, "Els Senglars", 12, SQLITE_STATIC);
  sqlite3_bind_text(row, 18, "interval", 8, SQLITE_STATIC);
  sqlite3_bind_int64(row, 19, 0);
}

double bare_store_append(const char *path, int rows) {
  sqlite3 *database = NULL;
  sqlite3_stmt *row = NULL;
  double seconds = -1;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &database, flags, NULL) == SQLITE_OK
      && sqlite3_exec(database, schema, NULL, NULL, NULL) == SQLITE_OK
      && sqlite3_prepare_v3(
             database, insert, -1, SQLITE_PREPARE_PERSISTENT, &row, NULL) == SQLITE_OK) {
    double start = now();
    int number = 1;
    for (; number <= rows; number++) {
      bind(row, number);
      if (sqlite3_step(row) != SQLITE_DONE) break;
      sqlite3_reset(row);
    }
    if (number > rows) seconds = now() - start;
  }
  sqlite3_finalize(row);
  sqlite3_close(database);
  return seconds;
}
