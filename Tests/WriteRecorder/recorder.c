#include "WriteRecorder.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/// An open file of the recorded folder, followed in memory by the file of the system.
typedef struct {
  sqlite3_file base;
  sqlite3_file *real;
  char path[1024];
} RecordedFile;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *journal;
static char recordedFolder[1024];
static sqlite3_vfs *system_vfs;
static sqlite3_vfs recorder;

static void put(uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) fputc((int)(value >> (8 * i) & 0xff), journal);
}

static void append(char operation, const char *path, uint64_t number, const void *bytes, int count) {
  pthread_mutex_lock(&lock);
  if (journal) {
    size_t length = strlen(path);
    fputc(operation, journal);
    put(length, 4);
    fwrite(path, 1, length, journal);
    put(number, 8);
    put((uint64_t)count, 4);
    if (count > 0) fwrite(bytes, 1, (size_t)count, journal);
  }
  pthread_mutex_unlock(&lock);
}

static RecordedFile *of(sqlite3_file *file) { return (RecordedFile *)file; }

static int closeFile(sqlite3_file *file) { return of(file)->real->pMethods->xClose(of(file)->real); }

static int readFile(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return of(file)->real->pMethods->xRead(of(file)->real, bytes, count, offset);
}

static int writeFile(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  append('w', of(file)->path, (uint64_t)offset, bytes, count);
  return of(file)->real->pMethods->xWrite(of(file)->real, bytes, count, offset);
}

static int truncateFile(sqlite3_file *file, sqlite3_int64 size) {
  append('t', of(file)->path, (uint64_t)size, 0, 0);
  return of(file)->real->pMethods->xTruncate(of(file)->real, size);
}

static int syncFile(sqlite3_file *file, int flags) {
  int code = of(file)->real->pMethods->xSync(of(file)->real, flags);
  append('s', of(file)->path, 0, 0, 0);
  return code;
}

static int sizeOfFile(sqlite3_file *file, sqlite3_int64 *size) {
  return of(file)->real->pMethods->xFileSize(of(file)->real, size);
}

static int lockFile(sqlite3_file *file, int level) { return of(file)->real->pMethods->xLock(of(file)->real, level); }

static int unlockFile(sqlite3_file *file, int level) {
  return of(file)->real->pMethods->xUnlock(of(file)->real, level);
}

static int isReserved(sqlite3_file *file, int *result) {
  return of(file)->real->pMethods->xCheckReservedLock(of(file)->real, result);
}

static int control(sqlite3_file *file, int operation, void *argument) {
  return of(file)->real->pMethods->xFileControl(of(file)->real, operation, argument);
}

static int sectorSize(sqlite3_file *file) { return of(file)->real->pMethods->xSectorSize(of(file)->real); }

static int characteristics(sqlite3_file *file) {
  return of(file)->real->pMethods->xDeviceCharacteristics(of(file)->real);
}

static const sqlite3_io_methods methods = {
    1,        closeFile,  readFile,   writeFile,  truncateFile, syncFile,   sizeOfFile,
    lockFile, unlockFile, isReserved, control,    sectorSize,   characteristics,
};

static int isRecorded(const char *path) {
  size_t length = strlen(recordedFolder);
  return path && length > 0 && strncmp(path, recordedFolder, length) == 0 && path[length] == '/';
}

static int openFile(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *result) {
  (void)vfs;
  if (!isRecorded(path) || strlen(path) >= sizeof of(file)->path) {
    return system_vfs->xOpen(system_vfs, path, file, flags, result);
  }
  memset(file, 0, sizeof(RecordedFile));
  of(file)->real = (sqlite3_file *)((char *)file + sizeof(RecordedFile));
  strcpy(of(file)->path, path + strlen(recordedFolder) + 1);
  int code = system_vfs->xOpen(system_vfs, path, of(file)->real, flags, result);
  if (of(file)->real->pMethods) file->pMethods = &methods;
  return code;
}

static int deleteFile(sqlite3_vfs *vfs, const char *path, int syncs) {
  (void)vfs;
  if (isRecorded(path)) append('d', path + strlen(recordedFolder) + 1, 0, 0, 0);
  return system_vfs->xDelete(system_vfs, path, syncs);
}

int write_recorder_begin(const char *folder, const char *path) {
  if (journal || strlen(folder) >= sizeof recordedFolder) return -1;
  if (!system_vfs) {
    system_vfs = sqlite3_vfs_find(0);
    if (!system_vfs) return -1;
    recorder = *system_vfs;
    recorder.zName = "write-recorder";
    recorder.szOsFile = (int)sizeof(RecordedFile) + system_vfs->szOsFile;
    recorder.xOpen = openFile;
    recorder.xDelete = deleteFile;
    recorder.pNext = 0;
    if (sqlite3_vfs_register(&recorder, 1) != SQLITE_OK) return -1;
  }
  FILE *file = fopen(path, "wb");
  if (!file) return -1;
  pthread_mutex_lock(&lock);
  journal = file;
  strcpy(recordedFolder, folder);
  pthread_mutex_unlock(&lock);
  return 0;
}

void write_recorder_mark(uint64_t number) { append('c', "", number, 0, 0); }

void write_recorder_end(void) {
  pthread_mutex_lock(&lock);
  if (journal) fclose(journal);
  journal = 0;
  recordedFolder[0] = 0;
  pthread_mutex_unlock(&lock);
}
