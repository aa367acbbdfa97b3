// System calls that Swift's Glibc module lacks, and two digests with the processor's help.
//
// Nothing here decides anything. Calls that can fail return a negative errno; 0 or more is success.

#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stddef.h>
#include <stdint.h>

// SHA-256 (FIPS 180-4). Uses the processor's SHA extensions where it has them.

/// A digest under way. Copying it forks the digest.
typedef struct {
  uint32_t state[8];
  uint64_t length;
  uint8_t block[64];
  uint32_t is_portable;
} cs_sha256;

/// Starts a digest. With `is_portable` other than 0 the processor's extensions stay unused.
void cs_sha256_init(cs_sha256 *context, uint32_t is_portable);
/// Adds bytes.
void cs_sha256_update(cs_sha256 *context, const void *bytes, size_t count);
/// Ends the digest and writes its 32 bytes. The context must be started anew before its next use.
void cs_sha256_final(cs_sha256 *context, uint8_t *digest);
/// Writes the 32 bytes of the digest of some bytes.
void cs_sha256_digest(const void *bytes, size_t count, uint8_t *digest);
/// Returns the digest's first 8 bytes as a big-endian number: its first 16 hexadecimal digits.
uint64_t cs_sha256_prefix(const void *bytes, size_t count);
/// 1 when the processor's SHA extensions are used.
int cs_sha256_is_accelerated(void);

// CRC-32C (Castagnoli, RFC 3720 appendix B.4). Uses SSE 4.2 where the processor has it.

/// Continues a checksum, which starts as 0, over more bytes.
uint32_t cs_crc32c(uint32_t checksum, const void *bytes, size_t count);
/// The same without the processor's help.
uint32_t cs_crc32c_portable(uint32_t checksum, const void *bytes, size_t count);
/// 1 when SSE 4.2 is used.
int cs_crc32c_is_accelerated(void);

// System calls.

/// Asks who is at the other end of a connected Unix-domain socket, as of the time of connecting.
int cs_peer_credentials(int socket, uint32_t *user, int32_t *process);

/// Accepts a connection; the new descriptor closes on exec. Returns the descriptor.
int cs_accept(int socket, int is_nonblocking);

/// Makes a pipe whose ends close on exec: descriptors[0] reads, descriptors[1] writes.
int cs_pipe(int *descriptors, int is_nonblocking);

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

/// Asks for `signal` when the parent dies. With `parent` other than 0 fails with -ESRCH when that
/// process is no longer the parent, as it then died before it could be asked for.
int cs_die_with_parent(int signal, int32_t parent);

/// Switches the kernel's random address layout off for programs that this thread starts. Returns what was set before, for
/// cs_set_personality; -1 where the system refuses.
int cs_fix_layout(void);
/// Restores what cs_fix_layout returned; nothing for a negative number.
void cs_set_personality(int personality);

/// Has freed blocks of up to 4 MiB stay with this process, up to 16 MiB at the end of its heap, instead of being
/// returned to the system and fetched again, page by page. Without effect where the C library has no such setting.
void cs_keep_freed_memory(void);

/// Fills a buffer with random bytes of the system.
int cs_random(void *bytes, size_t count);

/// What one descriptor is waited for, laid out as `struct pollfd`.
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

/// Waits until a descriptor is ready, or so many nanoseconds (negative: for ever). Returns how many are
/// ready; 0 after the time, -EINTR after a signal.
int cs_poll(cs_poll_entry *entries, size_t count, int64_t nanoseconds);

/// Has a process that dies of a trap, or of another deadly signal, first write these bytes to standard output and
/// set the terminal at standard input as it is now. At most 64 bytes; -EALREADY while another guard stands.
int cs_terminal_guard(const char *bytes, size_t count);
/// Takes the guard away.
void cs_terminal_unguard(void);

#endif
