// The instructions that left last, to be found again, and the totals of all by place.
#ifndef TIPOFF_ORACLE_LIFE_BOOK_H
#define TIPOFF_ORACLE_LIFE_BOOK_H

#include "oracle/lives.h"
#include "profile/life_totals.h"

struct life_book;
struct life_book *life_book_create(struct error *err); // NULL with err
void life_book_destroy(struct life_book *b);           // NULL is fine
// It has left. counts: in the totals, if it was fetched since the beginning. False: no memory.
bool life_book_add(struct life_book *b, const struct life *life, bool counts);
// NULL: none that left of late was fetched in that cycle from there.
const struct life *life_book_find(const struct life_book *b, uint64_t fetched, uint64_t pc);
uint64_t life_book_pending(const struct life_book *b); // whose overlap has not been counted
// Counts what issued and retired beside those that were ready to retire by this cycle, in which whatever is in flight
// had not been fetched yet. False: no memory.
bool life_book_overlaps(struct life_book *b, uint64_t until);
void life_book_begin(struct life_book *b, uint64_t cycle); // restarts with what is fetched from this cycle on
const struct lifetime *life_book_totals(struct life_book *b, size_t *count);

#endif
