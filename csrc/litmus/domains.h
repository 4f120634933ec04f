// Which values a load of a place may have, by what is written there.
#ifndef TIPOFF_LITMUS_DOMAINS_H
#define TIPOFF_LITMUS_DOMAINS_H

#include "litmus/thread.h"

struct domains;
struct domains *domains_create(void); // NULL: no memory
void domains_destroy(struct domains *d);
// A value that is written; false: there are too many.
bool domains_add(struct domains *d, uint64_t address, unsigned bytes, uint64_t value);
// Takes account of what was added; false: nothing new was, since the last time.
bool domains_renew(struct domains *d);
// The values at the last domains_renew, as long as nothing else is asked; NULL: there are too many.
const uint64_t *domains_of(struct domains *d, const struct litmus_test *t, uint64_t address, unsigned bytes,
                           unsigned *count);

#endif
