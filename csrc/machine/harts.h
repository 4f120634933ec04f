// How many harts a machine can have: what holds something for each of them has room for this number.
#ifndef TIPOFF_MACHINE_HARTS_H
#define TIPOFF_MACHINE_HARTS_H

enum { MACHINE_MOST_HARTS = 16 };

#endif
