// What writer and reader of sample files share; not for other libraries.
#ifndef TIPOFF_SAMPLES_FORMAT_H
#define TIPOFF_SAMPLES_FORMAT_H

#include "base/container.h"
#include <stdbool.h>

#define SAMPLES_KIND "samples"
enum { SAMPLES_OLDEST = 1, SAMPLES_VERSION = 4, SAMPLES_TEXT = 3 }; // SAMPLES_TEXT: the last with STATISTICS

// Block types. Integers little-endian. A reader passes over types that it does not know, unless bit 31 is set.
// SAMPLES:    bytes u16 of the fixed part of a record (a reader passes over what it does not know at its end), then
//             records of cycle u64, cycles u64, stalled_cycles u64, space u64, repeats u32, stalled u32, state u8,
//             valid u8, oldest u8, flags u8 (exception, flush, mispredict, partial: bits 0..3), hart u8, priv u8, and
//             since 2026-11-27 data_of u8 (enum samples_data), data u64 (a physical address of 56 bits); then
//             for each valid lane, lowest first: addr u64, psv u16, stack u32.
// SAMPLES_2:  the same without stacks.
// STACKS:     number u32 of the first, then stacks of parent u32, kind u8 (enum stack_kind), site u64, entry u64,
//             context u64, each of the number after the one before it. Before any record or row that has them.
// PROFILE:    name length u8, name, events u16, rows u64 of the whole profile, then rows of pc u64, context
//             u64 (address space << 2 | mode), weight u64, psv u16, state u8, stack u32. Several blocks of one name
//             add up.
// PROFILE_3:  the same without stacks.
// PROFILE_2:  without stacks and contexts; the header's "contexts" states the latter, too.
// INSTRUCTIONS: bytes u16 of the head, with these two, and words u16 of a record (a reader passes over what it does not
//             know at the end of each), interval u64, jitter u8, window u8, pairs u8, opportunities u8, then records of
//             u64 each word (tables/instruction_sample.tsv).
// RESULT:     rows of one result (tables/results.tsv): bytes u16 of the head up to the fields, with these two (a reader
//             passes over what it does not know at its end), id u16 of the result, encoding u8 (0: row after row; 1: by
//             planes, of all rows the first bytes, then the second ones; a block of another is passed over), bytes u8
//             of a field's description, fields u16, hart u32, region u32 (0: all that was measured), rows u64 of the
//             whole result; then of each field its id u16 and bytes u16; then rows, each field in as many bytes.
//             Several blocks of one result, hart and region add up; the whole result is dropped where rows are missing.
//             A field of rows is their number: they are the next ones of their own result.
// Of versions 1 and 2 alone, which have no RESULT:
// SNIPPET:    bytes u16 of what comes before the rows, with these two, and bytes u16 of a row (a reader passes over
//             what it does not know at the end of each), pc u64, context u64, cycle u64, triggers u64, state u8, row
//             u16, rows u16; then the rows, of pc u64, insn u32, psv u16, flags u8 (bit 0: squashed), and the cycles
//             fetched, dispatched, issued, done and left, u64 each, all ones: never. One snippet a block.
// COLLECTION: bytes u16 of it, with these two, periods u64 of retired instructions and of taken transfers, depth u32,
//             source u8 (enum collection_source), retired u64, transfers u64. In front of the two that follow.
// RETIRED:    bytes u16 of a record, then records of cycle u64, pc u64, context u64, and pc u64, context u64 after the
//             interrupt.
// TRANSFERS:  bytes u16 of an entry, then stacks of cycle u64, context u64, entries u16, each of source u64, target
//             u64, data u64, the oldest first.
// Of versions 1 to 3 alone:
// STATISTICS: JSON text, as --stats has it.
// LOSSES:     triggers that gave no sample u64.
// LIVES:      words u16 of a row (a reader passes over what it does not know at its end), then rows of u64 each word:
//             pc, context, and the totals of enum lifetime_total. Several blocks add up.
// ROUTES:     bytes u16 of a step, then routes of known u8 and steps u16, each of from u64, to u64, the youngest first:
//             one for each record in INSTRUCTIONS, in their order.
// Of version 1: SAMPLES_1, records of cycle, cycles, state, valid, oldest, flags, lanes; PROFILE_1, without events and
// rows.
#define SAMPLES_MUST (UINT32_C(1) << 31)
#define SAMPLES_BLOCK_SAMPLES_1 UINT32_C(16)
#define SAMPLES_BLOCK_PROFILE_1 UINT32_C(17)
#define SAMPLES_BLOCK_STATISTICS UINT32_C(18)
#define SAMPLES_BLOCK_SAMPLES_2 (UINT32_C(19) | SAMPLES_MUST)
#define SAMPLES_BLOCK_PROFILE_2 (UINT32_C(20) | SAMPLES_MUST)
#define SAMPLES_BLOCK_LOSSES UINT32_C(21)
#define SAMPLES_BLOCK_PROFILE_3 (UINT32_C(22) | SAMPLES_MUST)
#define SAMPLES_BLOCK_SAMPLES (UINT32_C(23) | SAMPLES_MUST)
#define SAMPLES_BLOCK_STACKS (UINT32_C(24) | SAMPLES_MUST)
#define SAMPLES_BLOCK_PROFILE (UINT32_C(25) | SAMPLES_MUST)
#define SAMPLES_BLOCK_SNIPPET UINT32_C(26)
#define SAMPLES_BLOCK_INSTRUCTIONS UINT32_C(35)
#define SAMPLES_BLOCK_LIVES UINT32_C(36)
enum { INSTRUCTIONS_HEAD = 16, INSTRUCTIONS_BLOCK = 1024 };
#define SAMPLES_BLOCK_COLLECTION UINT32_C(32)
#define SAMPLES_BLOCK_RETIRED UINT32_C(33)
#define SAMPLES_BLOCK_TRANSFERS UINT32_C(34)
#define SAMPLES_BLOCK_ROUTES UINT32_C(37)
#define SAMPLES_BLOCK_RESULT UINT32_C(38)
enum { RESULT_HEAD = 24, RESULT_FIELD = 4, RESULT_PLAIN = 0, RESULT_PLANES = 1, RESULT_WHOLE_RUN = 0 };
enum { LIVES_WORDS = 48, ROUTES_HEAD = 3, ROUTE_STEP_BYTES = 16 };
enum { COLLECTION_BYTES = 39, RETIRED_BYTES = 40, TRANSFERS_HEAD = 18, TRANSFER_BYTES = 24 };
enum { SNIPPET_HEAD = 41, SNIPPET_ROW = 55 };
enum { RECORD_FIXED_1 = 20, RECORD_FIXED_4 = 46, RECORD_FIXED = 55, RECORD_LANE_2 = 10, RECORD_LANE = 14 };
enum { RECORD_MAX = RECORD_FIXED + 8 * RECORD_LANE };
enum { ROW_BYTES_2 = 19, ROW_BYTES_3 = 27, ROW_BYTES = 31 };
enum { STACK_BYTES = 29, STACKS_BLOCK = 4096, STACKS_MOST = 1 << 24 }; // of one; in a block; in a file

// Bytes that a file may unpack to: some, and a multiple of its own. What runs write packs 10 to 30 to 1; so
// reading 100 kB takes a second at most, whatever they hold.
enum { SAMPLES_SPARE = 16 << 20, SAMPLES_UNPACKED = 256 };

// Reads the JSON of a header. False: it is damaged.
struct samples_header;
bool samples_parse_header(struct samples_header *h, uint32_t version, const uint8_t *data, size_t bytes);

// The header's "vectors", by enum samples_vectors.
static const char *const vectors_names[] = {"none", "sample", "commit"};

#endif
