// Lives as a format has them, into the order of fetch, with times in cycles and parts folded into their instructions.
#ifndef TIPOFF_IMPORT_ORDER_H
#define TIPOFF_IMPORT_ORDER_H

#include "import/import.h"

struct order;
enum { ORDER_WINDOW = 1 << 16 }; // instructions that a life may come too late by
// clock: ticks of a cycle; 0: the greatest that the first ORDER_WINDOW lives agree with. take gets each instruction,
// its times counted from the earliest of those.
struct order *order_create(const char *path, uint64_t clock, import_take *take, void *context, struct error *err);
void order_destroy(struct order *o); // NULL is fine
bool order_add(struct order *o, const struct import_life *life, struct error *err);
bool order_finish(struct order *o, struct error *err); // gives what it still holds
uint64_t order_clock(const struct order *o);           // ticks of a cycle; 0: not known yet
uint64_t order_folded(const struct order *o);          // parts that were folded

#endif
