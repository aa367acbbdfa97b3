// SQLite of the system, and what of it Swift cannot call: macros and variadic functions.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

/// Tells SQLite to copy what is bound, at once.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Leaves the write-ahead log as it is when the connection is closed.
static inline int csqlite_keep_log(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// Reads the first bytes of the main file as they are: without a lock, and without looking at any log.
///
/// What lies behind the end is filled with zeros.
static inline int csqlite_read_head(sqlite3 *database, void *bytes, int count) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (file == 0 || file->pMethods == 0) return SQLITE_CANTOPEN;
  code = file->pMethods->xRead(file, bytes, count, 0);
  return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

#endif
