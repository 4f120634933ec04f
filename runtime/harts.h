// The lock that harts of a program take turns by (harts.c); nothing in a program of one hart.
#ifndef TIPOFF_RUNTIME_HARTS_H
#define TIPOFF_RUNTIME_HARTS_H

#ifdef __TIPOFF_HARTS
void harts_lock(void); // by the hart that has it, too
void harts_unlock(void);
// ... for the program's end, and kept: it is taken from a hart that does not give it back, as one that a trap has
// stopped.
void harts_lock_at_end(void);
#else
static inline void harts_lock(void) {}
static inline void harts_unlock(void) {}
static inline void harts_lock_at_end(void) {}
#endif

#endif
