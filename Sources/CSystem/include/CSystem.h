// System calls that Swift's Glibc module lacks, and two digests with processor support.
//
// Calls that can fail return a negative errno; 0 or more is success.

#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

// SHA-256 (FIPS 180-4). Uses the processor's SHA extensions if available.

/// A digest in progress. Copying it forks the digest.
typedef struct {
  uint32_t state[8];
  uint64_t length;
  uint8_t block[64];
  uint32_t is_portable;
} cs_sha256;

/// Starts a digest. If `is_portable` is not 0, the processor's extensions are not used.
void cs_sha256_init(cs_sha256 *context, uint32_t is_portable);
/// Adds bytes.
void cs_sha256_update(cs_sha256 *context, const void *bytes, size_t count);
/// Ends the digest and writes its 32 bytes. The context must be initialized before its next use.
void cs_sha256_final(cs_sha256 *context, uint8_t *digest);
/// Writes the 32-byte digest of some bytes.
void cs_sha256_digest(const void *bytes, size_t count, uint8_t *digest);
/// Returns the digest's first 8 bytes as a big-endian number: its first 16 hexadecimal digits.
uint64_t cs_sha256_prefix(const void *bytes, size_t count);
/// 1 if the processor's SHA extensions are used.
int cs_sha256_is_accelerated(void);

// CRC-32C (Castagnoli, RFC 3720 appendix B.4). Uses SSE 4.2 if available.

/// Continues a checksum, which starts as 0, over more bytes.
uint32_t cs_crc32c(uint32_t checksum, const void *bytes, size_t count);
/// The same without processor support.
uint32_t cs_crc32c_portable(uint32_t checksum, const void *bytes, size_t count);
/// 1 if SSE 4.2 is used.
int cs_crc32c_is_accelerated(void);

// System calls.

/// Returns the process at the other end of a connected Unix-domain socket, as of the time of connecting.
int cs_peer_credentials(int socket, uint32_t *user, int32_t *process);

/// Accepts a connection; the new descriptor closes on exec. Returns the descriptor.
int cs_accept(int socket, int is_nonblocking);

/// Creates a pipe whose ends close on exec: descriptors[0] reads, descriptors[1] writes.
int cs_pipe(int *descriptors, int is_nonblocking);

/// Sends one packet with a descriptor, of which the receiver gets a copy. Returns 0 or a negated errno.
int cs_send_descriptor(int socket, const void *bytes, size_t count, int descriptor);

/// Counts the processors this process may run on.
int cs_cpu_count(void);
/// Returns the number of the `index`th processor this process may run on; -EINVAL past the last.
int cs_cpu_allowed(int index);
/// Pins the calling thread, and threads and children it starts later, to one processor.
int cs_cpu_pin(int cpu);
/// Lets the calling thread run on these processors.
int cs_cpu_allow(const int *cpus, size_t count);
/// Returns the processor that the calling thread runs on.
int cs_cpu_current(void);

/// Requests `signal` when the parent dies. If `parent` is not 0, fails with -ESRCH if that process is no longer the
/// parent, because it died before the request.
int cs_die_with_parent(int signal, int32_t parent);

/// Returns the signal that has stopped a child of this process; 0 while it runs or has ended, and for any other process.
int cs_stop_signal(int32_t child);

/// Makes this process the parent of descendants whose own parents have died. Returns 0, or a negative errno.
int cs_adopt_orphans(void);

/// Disables random address layout for programs that this thread starts. Returns the previous setting for
/// cs_set_personality; -1 if the system refuses.
int cs_fix_layout(void);
/// Restores the result of cs_fix_layout; does nothing for a negative number.
void cs_set_personality(int personality);

/// Keeps freed blocks of up to 4 MiB in this process, up to 16 MiB at the end of its heap, instead of returning them
/// to the system and fetching them again page by page. No effect if the C library has no such setting.
void cs_keep_freed_memory(void);

/// Fills a buffer with random bytes from the system.
int cs_random(void *bytes, size_t count);

/// Returns the next name in an open folder, valid until the next call; null after the last.
const char *cs_next_name(DIR *directory);

/// 1 if this process ignores a signal.
int cs_is_ignored(int signal);

/// What to wait for on one descriptor, laid out as `struct pollfd`.
typedef struct {
  int descriptor;
  int16_t wanted;
  int16_t ready;
} cs_poll_entry;

enum {
  CS_POLL_READ = 0x001,
  CS_POLL_WRITE = 0x004,
  CS_POLL_ERROR = 0x008,
  CS_POLL_HANG_UP = 0x010,
  CS_POLL_INVALID = 0x020,
};

/// Waits until a descriptor is ready, or for a number of nanoseconds (negative: for ever). Returns how many are ready;
/// 0 after the time, -EINTR after a signal.
int cs_poll(cs_poll_entry *entries, size_t count, int64_t nanoseconds);

/// Clears the key that suspends, and lets reads return at once, in the settings of a terminal.
void cs_terminal_poll_keys(struct termios *settings);

/// Makes a process that dies of a trap or another deadly signal first write these bytes to standard output and restore
/// the present settings of the terminal at standard input. At most 64 bytes; -EALREADY while another guard is set.
int cs_terminal_guard(const char *bytes, size_t count);
/// Removes the guard.
void cs_terminal_unguard(void);

/// Stops the process group, as Ctrl-Z does, and returns once this process has been continued; after two seconds where the
/// system ignores the stop. Returns 0 or a negated errno.
int cs_stop_job(void);

#endif
