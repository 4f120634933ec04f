// The workload sort, as it is, under demand paging with fewer frames than it has pages. The median is checked against
// tests/workloads/expected.py, too.
#include "supervisor.h"

#define COUNT SIZED(720, 4000, 24000)
PROGRAM(.frames = SIZED(6, 10, 40), .processes = 1);

#include "../sort/sort.c"
