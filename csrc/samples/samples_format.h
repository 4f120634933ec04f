// What writer and reader of sample files share; not for other libraries.
#ifndef TIPOFF_SAMPLES_FORMAT_H
#define TIPOFF_SAMPLES_FORMAT_H

#include "base/container.h"

#define SAMPLES_KIND "samples"
#define SAMPLES_VERSION 2u

// Block types. Integers little-endian.
// SAMPLES: records of cycle u64, cycles u64, stalled_cycles u64, space u64, repeats u32, stalled u32, state u8, valid
// u8,
//          oldest u8, flags u8 (exception, flush, mispredict: bits 0..2), hart u8, priv u8, then for each valid lane,
//          lowest first: addr u64, psv u16.
// PROFILE: name length u8, name, then rows of pc u64, weight u64, psv u16, state u8. Several blocks of one name add up.
// STATISTICS: JSON text.
enum { SAMPLES_BLOCK_SAMPLES = 16, SAMPLES_BLOCK_PROFILE = 17, SAMPLES_BLOCK_STATISTICS = 18 };
enum { RECORD_FIXED = 46, RECORD_LANE = 10, RECORD_MAX = RECORD_FIXED + 8 * RECORD_LANE, ROW_BYTES = 19 };

// The header's "vectors", by enum samples_vectors.
static const char *const vectors_names[] = {"none", "sample", "commit"};

#endif
