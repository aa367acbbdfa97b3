// CRC-32C: the polynomial 0x1EDC6F41, bits reflected, all ones before and after.

#include "CSystem.h"

#include <stdatomic.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <nmmintrin.h>
#endif

// The effect of four bits shifted out, for the reflected polynomial 0x82F63B78.
static const uint32_t nibble_table[16] = {
    0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
    0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
};

uint32_t cs_crc32c_portable(uint32_t checksum, const void *bytes, size_t count) {
  const uint8_t *input = bytes;
  uint32_t remainder = ~checksum;
  for (; count > 0; count--) {
    remainder ^= *input++;
    remainder = remainder >> 4 ^ nibble_table[remainder & 15];
    remainder = remainder >> 4 ^ nibble_table[remainder & 15];
  }
  return ~remainder;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) static uint32_t accelerated(uint32_t checksum, const uint8_t *input, size_t count) {
  uint64_t remainder = ~checksum;
  for (; count >= 8; count -= 8, input += 8) {
    uint64_t word;
    memcpy(&word, input, 8);
    remainder = _mm_crc32_u64(remainder, word);
  }
  uint32_t rest = (uint32_t)remainder;
  for (; count > 0; count--) rest = _mm_crc32_u8(rest, *input++);
  return ~rest;
}

int cs_crc32c_is_accelerated(void) {
  // Concurrent threads compute the same value.
  static _Atomic int known = -1;
  int result = atomic_load_explicit(&known, memory_order_relaxed);
  if (result < 0) {
    unsigned a, b, c, d;
    result = __get_cpuid(1, &a, &b, &c, &d) && (c >> 20 & 1);
    atomic_store_explicit(&known, result, memory_order_relaxed);
  }
  return result;
}

uint32_t cs_crc32c(uint32_t checksum, const void *bytes, size_t count) {
  if (cs_crc32c_is_accelerated()) return accelerated(checksum, bytes, count);
  return cs_crc32c_portable(checksum, bytes, count);
}

#else

int cs_crc32c_is_accelerated(void) { return 0; }

uint32_t cs_crc32c(uint32_t checksum, const void *bytes, size_t count) {
  return cs_crc32c_portable(checksum, bytes, count);
}

#endif
