// How many CPUs this process may run on.
#ifndef TIPOFF_BASE_CPUS_H
#define TIPOFF_BASE_CPUS_H

unsigned cpus_available(void); // at least 1

#endif
