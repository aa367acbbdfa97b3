// Ends a process with SIGKILL after one of its calls that change files. Preloaded, never linked.

#ifndef KILL_AT_CALL_H
#define KILL_AT_CALL_H

#include <stdint.h>

/// What the processes of one node share, in the file that the variable KILL_AT_CALL names.
///
/// Counts go on from a process to its successor, so one run can have many kills. There are two plans at once: after every
/// so many calls, and some calls after every so many changes of names.
typedef struct {
  /// How many calls there were.
  uint64_t calls;
  /// How many of them changed the name of a file: renamed, linked or removed one.
  uint64_t names;
  /// How many kills there were.
  uint64_t kills;
  /// How many there may be.
  uint64_t kills_max;
  /// The number of the call after which the next kill comes, and how many calls later the one after it comes.
  uint64_t call;
  uint64_t call_stride;
  /// The number of the change of a name with the next kill, how many changes later the one after it has one, and how many
  /// calls after its change a kill comes.
  uint64_t name;
  uint64_t name_stride;
  uint64_t name_delay;
  /// The number of the call after which the kill for a changed name comes; 0 for none.
  uint64_t due;
} kill_at_call_plan;

#endif
