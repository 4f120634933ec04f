// The unit in which time is accounted for: 1/U of a cycle, U = lcm(1..commit width), so that a cycle can be split
// evenly among any number of instructions that commit together.
#ifndef TIPOFF_PROFILE_UNITS_H
#define TIPOFF_PROFILE_UNITS_H

unsigned units_per_cycle(unsigned width); // U; width: 1 or more

#endif
