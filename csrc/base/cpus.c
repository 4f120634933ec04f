// CPUs, by the process's affinity. On a machine with more of them than a cpu_set_t has room for, the call fails.
#include "base/cpus.h"
#include <sched.h>

unsigned cpus_available(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) < 0) return CPU_SETSIZE;
    return (unsigned)CPU_COUNT(&set);
}
