// Records what SQLite writes and syncs, so that tests can compute what a loss of power leaves.

#ifndef WRITE_RECORDER_H
#define WRITE_RECORDER_H

#include <stdint.h>

/// Starts to record the files of a folder in a journal; every other file is opened as usual.
///
/// The journal is a list of records: a byte for the operation (w write, t truncate, s sync, d delete, c mark), the length
/// of the file's path as u32 and the path, an offset or a length or a number as u64, the length of the bytes as u32 and
/// the bytes; integers are little-endian. One recording at a time.
///
/// Returns 0, or -1 if the journal cannot be written or a recording is on.
int write_recorder_begin(const char *folder, const char *journal);

/// Adds a mark to the journal.
void write_recorder_mark(uint64_t number);

/// Ends the recording, after the last file of the folder was closed or will not be used any more.
void write_recorder_end(void);

#endif
