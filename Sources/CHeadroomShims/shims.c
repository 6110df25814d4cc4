//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What is not inline: intrinsics whose header no importer of the module has to read.
#include "CHeadroomShims.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define HR_WIDE __attribute__((target("avx512f,vpclmulqdq,pclmul,sse4.2")))

int hr_has_wide_crc32c(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq")
        && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.2");
}

// Moves what 16 bytes stand for on by as many bits as the constants say (x to the power of bits + 31 and
// of bits - 33, modulo the polynomial, reflected), and adds the bytes that stand there. See Gopal et al.,
// "Fast CRC computation for generic polynomials using PCLMULQDQ instruction", Intel, 2009.
HR_WIDE static inline __m512i hr_fold(__m512i sum, __m512i constants, __m512i bytes) {
    __m512i low = _mm512_clmulepi64_epi128(sum, constants, 0x00);
    __m512i high = _mm512_clmulepi64_epi128(sum, constants, 0x11);
    return _mm512_ternarylogic_epi64(low, high, bytes, 0x96);
}

HR_WIDE static inline __m128i hr_fold_one(__m128i sum, __m128i constants, __m128i bytes) {
    __m128i low = _mm_clmulepi64_si128(sum, constants, 0x00);
    __m128i high = _mm_clmulepi64_si128(sum, constants, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), bytes);
}

HR_WIDE uint32_t hr_crc32c_wide(uint32_t start, const void *data, size_t count) {
    const uint8_t *bytes = (const uint8_t *)data;
    const __m512i by256 = _mm512_set4_epi32(0, (int)0xb9e02b86, 0, (int)0xdcb17aa4);
    const __m512i by64 = _mm512_set4_epi32(0, (int)0x9e4addf8, 0, 0x740eef02);
    const __m128i by16 = _mm_setr_epi32((int)0xf20c0dfe, 0, 0x493c7d27, 0);
    __m512i a = _mm512_loadu_si512(bytes), b = _mm512_loadu_si512(bytes + 64);
    __m512i c = _mm512_loadu_si512(bytes + 128), d = _mm512_loadu_si512(bytes + 192);
    a = _mm512_xor_si512(a, _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)start)));
    for (bytes += 256, count -= 256; count >= 256; bytes += 256, count -= 256) {
        a = hr_fold(a, by256, _mm512_loadu_si512(bytes));
        b = hr_fold(b, by256, _mm512_loadu_si512(bytes + 64));
        c = hr_fold(c, by256, _mm512_loadu_si512(bytes + 128));
        d = hr_fold(d, by256, _mm512_loadu_si512(bytes + 192));
    }
    a = hr_fold(hr_fold(hr_fold(a, by64, b), by64, c), by64, d);
    for (; count >= 64; bytes += 64, count -= 64) {
        a = hr_fold(a, by64, _mm512_loadu_si512(bytes));
    }
    __m128i sum = _mm512_castsi512_si128(a);
    sum = hr_fold_one(sum, by16, _mm512_extracti32x4_epi32(a, 1));
    sum = hr_fold_one(sum, by16, _mm512_extracti32x4_epi32(a, 2));
    sum = hr_fold_one(sum, by16, _mm512_extracti32x4_epi32(a, 3));
    // What is left is as many bytes as any others, after nothing.
    uint64_t crc = _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(sum));
    crc = _mm_crc32_u64(crc, (uint64_t)_mm_extract_epi64(sum, 1));
    for (; count >= 8; bytes += 8, count -= 8) crc = _mm_crc32_u64(crc, hr_load_word(bytes));
    for (; count > 0; bytes++, count--) crc = _mm_crc32_u8((uint32_t)crc, *bytes);
    return (uint32_t)crc;
}
#else
int hr_has_wide_crc32c(void) { return 0; }

uint32_t hr_crc32c_wide(uint32_t start, const void *data, size_t count) {
    (void)data, (void)count;
    return start;
}
#endif
