// The last accesses of each hart to each line of memory: what caches are filled from where a run begins in the midst of
// a program. A memory timestamp record (Barr et al., ISPASS 2005), which serves hierarchies of any geometry.
//
// Of a line it keeps when a hart has last fetched from it, last read or written it, and last written it. Replayed in
// that order, these accesses leave a set of a cache with LRU replacement as all accesses would have.
#ifndef TIPOFF_ISS_LAST_ACCESSES_H
#define TIPOFF_ISS_LAST_ACCESSES_H

#include "iss/iss.h"

enum { LAST_LINE = 64 }; // bytes
enum last_access_kind { LAST_FETCH, LAST_READ, LAST_WRITE, LAST_KINDS };
struct last_access {
    uint64_t line; // physical address / LAST_LINE
    uint8_t hart, kind;
};
// Oldest first. At most LAST_ACCESSES_MOST, the latest ones: as many lines as the largest last-level cache has
// (tables/config_keys.tsv, llc.kib), each read and written.
enum { LAST_ACCESSES_MOST = 2 << 20 };
struct last_accesses {
    struct last_access *list;
    size_t count;
};

struct access_record;
// Of a machine with that many bytes of DRAM and harts; all else than DRAM is not recorded. Its memory grows with what
// is accessed: 24 bytes a line and hart. NULL with err: no memory.
struct access_record *access_record_create(uint64_t memory, unsigned harts, struct error *err);
void access_record_destroy(struct access_record *a); // NULL is fine
// One access now, after all before it. bytes: from 1 on.
void access_record_note(struct access_record *a, unsigned hart, enum last_access_kind kind, uint64_t address,
                        unsigned bytes);

// All that the machine does to data from now on, while the record lives (iss_watch_accesses). False with err: no
// memory.
bool access_record_watch(struct access_record *a, struct iss *iss, struct error *err);
// As iss_step, with the fetch.
struct hart *access_record_step(struct access_record *a, struct iss *iss, struct iss_retire *out);
// As iss_run. left: instructions and traps, `max` of them or more, up to the place that the record is for. The last
// ACCESS_RECORD_NEAR go step by step, with their fetches; code that was last executed before them is not recorded.
enum { ACCESS_RECORD_NEAR = 1 << 20 };
uint64_t access_record_run(struct access_record *a, struct iss *iss, uint64_t max, uint64_t left);

// In order of time, for last_accesses_free. False with err: no memory.
bool access_record_list(const struct access_record *a, struct last_accesses *out, struct error *err);
void last_accesses_free(struct last_accesses *list);

#endif
