// SHA-256 according to FIPS 180-4, in portable C and with the x86 SHA extensions.

#include "CSystem.h"

#include <stdatomic.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

// The fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
static const uint32_t round_constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotate_right(uint32_t value, int count) { return value >> count | value << (32 - count); }

static inline uint32_t read_big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline void write_big_endian(uint32_t value, uint8_t *bytes) {
  for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void compress_portable(uint32_t state[8], const uint8_t *bytes, size_t block_count) {
  uint32_t schedule[64];
  for (; block_count > 0; block_count--, bytes += 64) {
    for (int t = 0; t < 16; t++) schedule[t] = read_big_endian(bytes + 4 * t);
    for (int t = 16; t < 64; t++) {
      uint32_t near = schedule[t - 2], far = schedule[t - 15];
      uint32_t sigma1 = rotate_right(near, 17) ^ rotate_right(near, 19) ^ near >> 10;
      uint32_t sigma0 = rotate_right(far, 7) ^ rotate_right(far, 18) ^ far >> 3;
      schedule[t] = sigma1 + schedule[t - 7] + sigma0 + schedule[t - 16];
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int t = 0; t < 64; t++) {
      uint32_t sum1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
      uint32_t choice = (e & f) ^ (~e & g);
      uint32_t first = h + sum1 + choice + round_constants[t] + schedule[t];
      uint32_t sum0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
      uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
      h = g, g = f, f = e, e = d + first;
      d = c, c = b, b = a, a = first + sum0 + majority;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
}

#if defined(__x86_64__)

// The instructions use the eight words as (f, e, b, a) and (h, g, d, c), lowest lane first, do two rounds at a time,
// and put the new (a, b, e, f) where (c, d, g, h) was.
__attribute__((target("sha,sse4.1,ssse3"))) static void compress_accelerated(
    uint32_t state[8], const uint8_t *bytes, size_t block_count) {
  const __m128i byte_order = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
  __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
  __m128i feba = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i hgdc = _mm_blend_epi16(hgfe, badc, 0xF0);
  for (; block_count > 0; block_count--, bytes += 64) {
    const __m128i feba_before = feba, hgdc_before = hgdc;
    __m128i words[4];
#pragma clang loop unroll(full)
    for (int group = 0; group < 16; group++) {
      if (group < 4) {
        words[group] =
            _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16 * group)), byte_order);
      } else {
        const __m128i last = words[(group + 3) & 3];
        __m128i next = _mm_sha256msg1_epu32(words[group & 3], words[(group + 1) & 3]);
        next = _mm_add_epi32(next, _mm_alignr_epi8(last, words[(group + 2) & 3], 4));
        words[group & 3] = _mm_sha256msg2_epu32(next, last);
      }
      const __m128i constants = _mm_load_si128((const __m128i *)(round_constants + 4 * group));
      const __m128i input = _mm_add_epi32(words[group & 3], constants);
      hgdc = _mm_sha256rnds2_epu32(hgdc, feba, input);
      feba = _mm_sha256rnds2_epu32(feba, hgdc, _mm_shuffle_epi32(input, 0x0E));
    }
    feba = _mm_add_epi32(feba, feba_before);
    hgdc = _mm_add_epi32(hgdc, hgdc_before);
  }
  const __m128i abef = _mm_shuffle_epi32(feba, 0x1B);
  const __m128i ghcd = _mm_shuffle_epi32(hgdc, 0xB1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(abef, ghcd, 0xF0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(ghcd, abef, 8));
}

static int detect(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
  const int has_ssse3 = c >> 9 & 1, has_sse41 = c >> 19 & 1;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  return has_ssse3 && has_sse41 && (b >> 29 & 1);
}

int cs_sha256_is_accelerated(void) {
  // Concurrent threads compute the same value.
  static _Atomic int known = -1;
  int accelerated = atomic_load_explicit(&known, memory_order_relaxed);
  if (accelerated < 0) {
    accelerated = detect();
    atomic_store_explicit(&known, accelerated, memory_order_relaxed);
  }
  return accelerated;
}

#else

int cs_sha256_is_accelerated(void) { return 0; }

#endif

static void compress(cs_sha256 *context, const uint8_t *bytes, size_t block_count) {
#if defined(__x86_64__)
  if (!context->is_portable) {
    compress_accelerated(context->state, bytes, block_count);
    return;
  }
#endif
  compress_portable(context->state, bytes, block_count);
}

void cs_sha256_init(cs_sha256 *context, uint32_t is_portable) {
  // The fractional parts of the square roots of the first 8 primes (FIPS 180-4, 5.3.3).
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(context->state, start, sizeof start);
  memset(context->block, 0, sizeof context->block);
  context->length = 0;
  context->is_portable = is_portable || !cs_sha256_is_accelerated();
}

void cs_sha256_update(cs_sha256 *context, const void *bytes, size_t count) {
  if (count == 0) return;
  const uint8_t *input = bytes;
  const size_t held = context->length % 64;
  context->length += count;
  if (held > 0) {
    const size_t missing = 64 - held;
    if (count < missing) {
      memcpy(context->block + held, input, count);
      return;
    }
    memcpy(context->block + held, input, missing);
    compress(context, context->block, 1);
    input += missing;
    count -= missing;
  }
  if (count >= 64) compress(context, input, count / 64);
  memcpy(context->block, input + count / 64 * 64, count % 64);
}

// Pads and compresses the rest, so that the state is the digest.
static void finish(cs_sha256 *context) {
  size_t held = context->length % 64;
  context->block[held++] = 0x80;
  if (held > 56) {
    memset(context->block + held, 0, 64 - held);
    compress(context, context->block, 1);
    held = 0;
  }
  memset(context->block + held, 0, 56 - held);
  const uint64_t bits = context->length * 8;
  write_big_endian((uint32_t)(bits >> 32), context->block + 56);
  write_big_endian((uint32_t)bits, context->block + 60);
  compress(context, context->block, 1);
}

void cs_sha256_final(cs_sha256 *context, uint8_t *digest) {
  finish(context);
  for (int i = 0; i < 8; i++) write_big_endian(context->state[i], digest + 4 * i);
}

void cs_sha256_digest(const void *bytes, size_t count, uint8_t *digest) {
  cs_sha256 context;
  cs_sha256_init(&context, 0);
  cs_sha256_update(&context, bytes, count);
  cs_sha256_final(&context, digest);
}

uint64_t cs_sha256_prefix(const void *bytes, size_t count) {
  cs_sha256 context;
  cs_sha256_init(&context, 0);
  cs_sha256_update(&context, bytes, count);
  finish(&context);
  return (uint64_t)context.state[0] << 32 | context.state[1];
}
