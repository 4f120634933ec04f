// Which code of a bare program is its own, and which of it synchronises: two different sets (Sabu's thesis, sections
// 3.3.2 and 3.4.6). Markers lie in the program's own code alone; what synchronises is executed, but does not count.
//
// Own: what the compiler's line numbers say comes from another file than the runtime's (runtime/) or those of a C
// library, libgcc, libgomp or libstdc++, by their folders; what has no line numbers is none, unless nothing has.
// Synchronises: functions by name, also where they were inlined, by debug information. Where one of them begins
// within a block, that block counts by its first instruction: few, and as many in each run, since waiting loops are
// blocks of their own.
#ifndef TIPOFF_METHODS_REGIONS_OWN_CODE_H
#define TIPOFF_METHODS_REGIONS_OWN_CODE_H

#include "analysis/analysis.h"
#include <stdbool.h>
#include <stdint.h>

// Names by comma; '*' at the end stands for any. "looppoint" in the list: what LoopPoint leaves out, libgomp alone.
#define OWN_CODE_SYNC                                                                                                  \
    "tipoff_lock_*,tipoff_barrier_*,sync_*,harts_lock*,harts_unlock*,__retarget_lock_*,GOMP_*,gomp_*,omp_*,kmp_*,"     \
    "__kmp*,pthread_*,__pthread_*,futex*,__lll_*,__futex_*,sem_wait*,sem_post*"
#define OWN_CODE_SYNC_LOOPPOINT "GOMP_*,gomp_*,omp_*"

struct own_code;
// p: borrowed. sync: NULL: OWN_CODE_SYNC. NULL: no memory.
struct own_code *own_code_create(const struct program *p, const char *sync);
void own_code_destroy(struct own_code *c); // NULL is fine
bool own_code_has(const struct own_code *c, uint64_t pc);
bool own_code_synchronises(const struct own_code *c, uint64_t pc);

#endif
